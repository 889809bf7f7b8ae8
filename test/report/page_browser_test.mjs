// Opens a report page in Chromium, offline, and checks what a person relies on.
//
//   NODE_PATH=build/develop/web/node_modules node test/report/page_browser_test.mjs PAGE.html
//
// playwright-core comes from the folder NODE_PATH names (CTest sets it; without it,
// the usual places are tried); the browser is MOTET_CHROMIUM or /usr/bin/chromium.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(import.meta.url)("playwright-core");

const page_file = process.argv[2];
if (!page_file) {
  console.error("usage: page_browser_test.mjs PAGE.html");
  process.exit(2);
}
const address = pathToFileURL(resolve(page_file)).href;

const browser = await chromium.launch({
  executablePath: process.env.MOTET_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update"],
});

// Runs `body` on a freshly opened page; console messages and requests must be harmless.
async function with_page(name, options, body) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-plots="done"]');
  await body(page);
  assert.deepEqual(complaints, [], name);
  await context.close();
  console.log(`ok  ${name}`);
}

function plot_sizes(page) {
  return page.$$eval("figure.plot", (figures) =>
    figures.map((figure) => {
      const box = figure.querySelector(".plot-area svg")?.getBoundingClientRect();
      return { width: box?.width ?? 0, height: box?.height ?? 0, marks: figure.querySelectorAll(".plot-area svg path").length };
    })
  );
}

const background = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const first_label = (page) => page.$eval(".plot-area svg .role-axis-label text", (text) => text.getAttribute("fill"));

async function all_drawn(page) {
  const sizes = await plot_sizes(page);
  assert.ok(sizes.length > 0, "the page has plots");
  for (const size of sizes) assert.ok(size.width > 0 && size.height > 0 && size.marks > 0, JSON.stringify(size));
}

await with_page("plots are drawn and have a table", {}, async (page) => {
  await all_drawn(page);
  const without_table = await page.$$eval("figure.plot", (figures) =>
    figures.filter((figure) => !figure.querySelector("details table tbody tr")).map((figure) => figure.innerText)
  );
  assert.deepEqual(without_table, []);
  const levels = await page.$$eval("h1, h2, h3", (titles) => titles.map((title) => Number(title.tagName[1])));
  levels.reduce((before, level) => (assert.ok(level <= before + 1, "headings are in order"), level), 0);
  const unlabelled = await page.$$eval(".plot-box", (boxes) => boxes.filter((box) => !box.getAttribute("aria-label")).length);
  assert.equal(unlabelled, 0);
});

await with_page("nothing is wider than a phone", { viewport: { width: 360, height: 740 } }, async (page) => {
  await all_drawn(page);
  await page.$$eval("details", (list) => list.forEach((details) => (details.open = true)));
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
});

await with_page("plots follow the width of the window", {}, async (page) => {
  await page.setViewportSize({ width: 500, height: 900 });
  await page.waitForFunction(() => document.querySelector(".plot-area svg").getBoundingClientRect().width < 500);
});

await with_page("a mark tells its numbers", {}, async (page) => {
  const mark = page.locator(".plot-area svg .mark-symbol.role-mark path").first();
  await mark.scrollIntoViewIfNeeded();
  const box = await mark.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
  await page.locator("#vg-tooltip-element").waitFor({ state: "visible" });
});

// The colours in the middle of the drawn matrix, and how often each occurs.
const picture_colours = (page) =>
  page.$eval("figure.picture canvas", (canvas) => {
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(canvas.width / 4, canvas.height / 4, canvas.width / 2, canvas.height / 2);
    const count = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const colour = data.slice(i, i + 4).join(" ");
      count.set(colour, (count.get(colour) ?? 0) + 1);
    }
    return [...count].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  });
const picture_zoom = (page, at_least) =>
  page.waitForFunction((zoom) => Number(document.querySelector("figure.picture canvas").dataset.zoom) >= zoom, at_least);
const zoom_now = (page) => page.$eval("figure.picture canvas", (canvas) => Number(canvas.dataset.zoom));

await with_page("a picture is drawn, and zooms by buttons, wheel and keys", {}, async (page) => {
  const canvas = page.locator("figure.picture canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  assert.ok((await picture_colours(page)).length > 3, "several kinds of cells are seen");
  assert.equal(await zoom_now(page), 1);

  await page.getByRole("button", { name: /^Zoom in/ }).first().click();
  await picture_zoom(page, 2);
  assert.match(await page.locator("figure.picture output").first().innerText(), /^users \d+ to \d+ of 400, permissions/);
  await page.getByRole("button", { name: /^Whole picture/ }).first().click();
  await page.waitForFunction(() => document.querySelector("figure.picture canvas").dataset.zoom === "1.00");

  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -300); // the page keeps the wheel until the picture is chosen
  await page.waitForTimeout(100);
  assert.equal(await zoom_now(page), 1);
  await canvas.focus();
  await canvas.scrollIntoViewIfNeeded();
  const again = await canvas.boundingBox();
  await page.mouse.move(again.x + again.width / 2, again.y + again.height / 2);
  await page.mouse.wheel(0, -300);
  await picture_zoom(page, 1.5);

  const before = await page.locator("figure.picture output").first().innerText();
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((text) => document.querySelector("figure.picture output").innerText !== text, before);
  await page.keyboard.press("0");
  await page.waitForFunction(() => document.querySelector("figure.picture canvas").dataset.zoom === "1.00");
});

await with_page("a picture moves under the pointer and tells its cells", {}, async (page) => {
  const canvas = page.locator("figure.picture canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  await canvas.focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press("+");
  await picture_zoom(page, 7);
  const range = () => page.locator("figure.picture output").first().innerText();
  const before = await range();
  const box = await canvas.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((text) => document.querySelector("figure.picture output").innerText !== text, before);
  await page.mouse.move(x + 60, y + 30);
  const tip = page.locator("figure.picture .picture-tip").first();
  await tip.waitFor({ state: "visible" });
  assert.match(await tip.innerText(), /user \d+[^]*permission \d+[^]*(held|granted)[^]*roles of the user role_\d/);
});

await with_page("a picture by blocks says so", {}, async (page) => {
  await page.getByText(/9000 users and 40 permissions are more than can be drawn one by one/).waitFor();
  const drawn = await page.$$eval("figure.picture canvas", (list) => list.map((canvas) => canvas.height > 0 && canvas.dataset.zoom));
  assert.deepEqual(drawn, ["1.00", "1.00"]);
});

await with_page("a picture that was out of the layout comes back", {}, async (page) => {
  const show = (style) => page.$eval("figure.picture", (figure, value) => (figure.style.display = value), style);
  await show("none");
  await page.evaluate(() => drawPictures());
  await page.setViewportSize({ width: 800, height: 900 });
  await show("");
  await page.waitForFunction(() => {
    const canvas = document.querySelector("figure.picture canvas");
    return canvas.width === canvas.clientWidth;
  });
  assert.ok((await picture_colours(page)).length > 3);
});

await with_page("pictures follow the colour scheme", { colorScheme: "dark" }, async (page) => {
  const [dark] = await picture_colours(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction(() => document.documentElement.dataset.plots === "done");
  const [light] = await picture_colours(page);
  assert.notEqual(dark, light);
});

let light_background;
let light_label;
await with_page("light scheme", { colorScheme: "light" }, async (page) => {
  light_background = await background(page);
  light_label = await first_label(page);
});

await with_page("dark scheme, plots follow", { colorScheme: "dark" }, async (page) => {
  assert.notEqual(await background(page), light_background);
  assert.notEqual(await first_label(page), light_label);
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction(
    (colour) => document.querySelector(".plot-area svg .role-axis-label text")?.getAttribute("fill") === colour,
    light_label
  );
});

await with_page("the keyboard opens a table, which copies as CSV", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  const details = page.locator("figure.plot details").first();
  assert.equal(await details.evaluate((element) => element.open), false);
  await details.locator("summary").focus();
  await page.keyboard.press("Enter");
  assert.equal(await details.evaluate((element) => element.open), true);
  await details.getByRole("button", { name: /Copy as CSV/ }).click();
  await details.getByText("Copied").waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split(/\r?\n/);
  assert.equal(lines.length, await details.locator("tr").count());
});

await with_page("long tables are filtered, short ones have no box", {}, async (page) => {
  for (const box of await page.locator(".table-box").all()) {
    const rows = await box.locator("tbody tr").count();
    const filters = await box.evaluate((element) => element.previousElementSibling.querySelectorAll("input").length);
    assert.equal(filters, rows > 30 ? 1 : 0);
  }
  const input = page.locator(".table input[type=search]").first();
  if ((await input.count()) > 0) {
    await input.fill("no row holds this");
    await page.getByText(/^0 of \d+ rows$/).waitFor();
  }
});

await with_page("without JavaScript the numbers are there", { javaScriptEnabled: false }, async (page) => {
  for (const table of await page.locator("table").all()) assert.ok(await table.isVisible());
  assert.ok(await page.locator("figure.picture noscript p").first().isVisible());
  assert.equal(await page.locator("canvas").first().isVisible(), false);
});

await with_page("print is light, with every table open", { colorScheme: "dark" }, async (page) => {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForFunction(
    (colour) => document.querySelector(".plot-area svg .role-axis-label text")?.getAttribute("fill") === colour,
    light_label
  );
  assert.equal(await page.locator("details:not([open])").count(), 0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator("details[open]").count(), 0);
});

await browser.close();
