// Takes download and funding addresses out of package-lock.json: which server the
// packages come from is the user's setting, and their content is fixed by its hash.
// Run by `npm run lock` after a version changed.
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.resolved;
  delete entry.funding;
}
writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
