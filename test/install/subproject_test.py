"""The project inside another one: what docs/library.md promises of add_subdirectory.

usage: subproject_test.py BUILD

Builds a program that links motet::judges alone, where node and npm fail when they are called.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
add_subdirectory({root} motet EXCLUDE_FROM_ALL)
add_executable(user {root}/examples/judges.cpp)
target_link_libraries(user PRIVATE motet::judges)
"""


class Subproject(unittest.TestCase):
    def setUp(self):
        self.work = BUILD / "subproject_test"
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "bin").mkdir(parents=True)
        for name in ("node", "npm"):
            tool = self.work / "bin" / name
            tool.write_text("#!/bin/sh\nexit 1\n")
            tool.chmod(0o755)
        (self.work / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT))

    def tearDown(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def run_here(self, *words):
        environment = {**os.environ, "PATH": f"{self.work / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_a_program_of_one_task_needs_no_npm(self):
        build = self.work / "build"
        # Not optimised and many files at a time: it is about what is linked.
        self.run_here("cmake", "-S", self.work, "-B", build, "-G", "Ninja", "-DMOTET_UNITY=24", "-DCMAKE_CXX_FLAGS=-O0")
        self.run_here("cmake", "--build", build, "-j", os.environ.get("MOTET_JOBS", "2"))
        self.assertEqual(self.run_here(build / "user"), (ROOT / "examples" / "judges.txt").read_text())
        built = {path.name for path in build.rglob("libmotet*")}
        self.assertEqual(built, {"libmotet.a", "libmotet-judges.a"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
