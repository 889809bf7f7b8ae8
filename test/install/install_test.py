"""What `cmake --install` gives is all that a user of the library needs.

usage: install_test.py BUILD

Installs into a fresh folder inside BUILD, builds examples/ against it and compares what they print with the texts
beside them; looks at what the shared libraries show, and for paths of this machine in what was installed.
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
HEAVY = re.compile(r"sqlite|svm|sndfile|soxr|matio|pugixml|xgboost")


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = BUILD / "install_test"
        shutil.rmtree(cls.work, ignore_errors=True)
        cls.prefix = cls.work / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", "library")
        cls.libraries = next(cls.prefix.glob("lib/**/libmotet.so")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work, ignore_errors=True)

    def installed(self):
        return [path for path in self.prefix.rglob("*") if path.is_file() and not path.is_symlink()]

    def test_only_the_public_headers(self):
        headers = sorted(path.name for path in (self.prefix / "include").rglob("*") if path.is_file())
        self.assertEqual(headers, sorted(path.name for path in (ROOT / "include" / "motet").iterdir()))

    def test_no_path_of_the_source_or_the_build(self):
        for path in self.installed():
            content = path.read_bytes()
            for folder in (ROOT, BUILD):
                self.assertNotIn(str(folder).encode(), content, path.name)

    def test_shared_libraries_show_only_the_door(self):
        for task in TASKS:
            library = self.libraries / f"libmotet-{task}.so"
            shown = self.shown(library)
            self.assertTrue(shown)
            for name in shown:
                allowed = (f"motet::{task}::", "motet::Error", "motet::Option", "motet::Run", "motet::FitSummary",
                           "motet::FeatureTable", "motet::Interval", "motet::Progress", "motet::CancelFlag")
                self.assertTrue(name.startswith(allowed), f"{library.name}: {name}")
        # The tasks stand on the inside of libmotet, so it shows that, but nothing of other libraries.
        for line in run("nm", "-D", "--defined-only", self.libraries / "libmotet.so").splitlines():
            self.assertRegex(line.split()[2], r"^_Z(N|NK|TIN|TSN|TVN)5motet")

    @staticmethod
    def shown(library):
        """Names of what a library defines for others, without what the compiler puts before them."""
        names = []
        for line in run("nm", "-DC", "--defined-only", library).splitlines():
            name = line.split(None, 2)[2]
            names.append(re.sub(r"^(typeinfo name for|typeinfo for|vtable for) ", "", name))
        return names

    def test_a_task_needs_nothing_heavy(self):
        for task in TASKS:
            needed = run("readelf", "-d", self.libraries / f"libmotet-{task}.so")
            self.assertIsNone(HEAVY.search(needed), needed)
            self.assertEqual(re.findall(r"R(?:UN)?PATH.*\[(.*)\]", needed), ["$ORIGIN"])

    def build_examples(self, kind, *options):
        folder = self.work / kind
        run("cmake", "-S", ROOT / "examples", "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wconversion -Werror", *options)
        run("cmake", "--build", folder, "-j", os.environ.get("MOTET_JOBS", "2"))
        for task in TASKS:
            expected = (ROOT / "examples" / f"{task}.txt").read_text()
            self.assertEqual(run(folder / task), expected, f"{kind} {task}")

    def test_examples_with_shared_libraries(self):
        self.build_examples("shared")

    def test_examples_with_static_libraries(self):
        self.build_examples("static", "-DBUILD_SHARED_LIBS=OFF")

    def test_an_unknown_component_is_refused(self):
        folder = self.work / "unknown"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES CXX)\n"
                                               "find_package(motet REQUIRED COMPONENTS nothing)\n")
        with self.assertRaisesRegex(AssertionError, "motet has no component\\s+'nothing'"):
            run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig"),
                       "LD_LIBRARY_PATH": str(self.libraries)}
        flags = run("pkg-config", "--cflags", "--libs", "motet-judges", env=environment).split()
        program = self.work / "by_pkg_config"
        run("c++", "-std=c++20", ROOT / "examples" / "judges.cpp", "-o", program, *flags)
        self.assertEqual(run(program, env=environment), (ROOT / "examples" / "judges.txt").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
