"""What the target `package` makes is what Debian would take.

usage: package_test.py BUILD
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
TASKS = ["judges", "roles", "multilabel", "superset", "temporal", "discover", "audio"]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "this is not a Debian machine")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for old in BUILD.glob("motet_*.deb"):
            old.unlink()
        run("cmake", "--build", BUILD, "--target", "package")
        cls.package, = BUILD.glob("motet_*.deb")

    def test_what_is_in_it(self):
        listed = {}
        for line in run("dpkg-deb", "-c", self.package).splitlines():
            mode, owner, *_, path = line.split()
            self.assertEqual(owner, "root/root", line)
            if not mode.startswith("d"):
                listed[path] = mode
        pages = ["motet", *(f"motet-{task}" for task in TASKS)]
        expected = {"./usr/bin/motet": "-rwxr-xr-x"}
        for path in ["bash-completion/completions/motet", "zsh/vendor-completions/_motet",
                     "fish/vendor_completions.d/motet.fish", "doc/motet/changelog.gz", "doc/motet/copyright",
                     *(f"man/man1/{page}.1.gz" for page in pages)]:
            expected["./usr/share/" + path] = "-rw-r--r--"
        self.assertEqual(listed, expected)

    def test_what_it_says_of_itself(self):
        version = re.search(r'version_text = "(.*)"', (ROOT / "include" / "motet" / "version.h").read_text())[1]
        said = {field: run("dpkg-deb", "-f", self.package, field).strip() for field in ("Package", "Version", "Depends")}
        self.assertEqual(said["Package"], "motet")
        self.assertTrue(said["Version"].startswith(version), said["Version"])
        for library in ("libc6", "libsqlite3-0", "libsndfile1", "libxgboost", "libsoxr0"):
            self.assertIn(library, said["Depends"])

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_says_nothing(self):
        root = ["--allow-root"] if os.geteuid() == 0 else []
        self.assertEqual(run("lintian", *root, "--fail-on", "none", self.package), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
