"""The stage that runs clang-tidy: it fails on what is planted, names its place, and forgets nothing that changed."""
import contextlib
import io
import json
import shutil
import unittest

from planted_tree import ROOT, PlantedTree  # finds the tools
import run_tidy


class RunTidy(PlantedTree):
    def setUp(self):
        super().setUp()
        shutil.copy(ROOT / ".clang-tidy", self.root)
        self.write("src/motet/judges/one.cpp", '#include "motet/judges/one.h"\n\nint one() { return three; }\n')
        self.write("src/motet/judges/one.h", "#pragma once\nconstexpr int three = 3;\nint one();\n")
        self.write("src/motet/judges/two.cpp", "int two() { return 2; }\n")
        self.write("experiments/alone.cpp", "int alone() { return 1; }\n")
        self.write("test/one_test.cpp", "int* nobody_asks() { return 0; }\n")
        # One file of the build includes two of ours, as in a unity build; others are compiled as they are.
        together = self.write("build/develop/together.cxx", "".join(
            f'#include "{self.root}/src/motet/judges/{name}.cpp"\n' for name in ("one", "two")))
        files = [together, self.root / "experiments" / "alone.cpp", self.root / "test" / "one_test.cpp"]
        self.write("build/develop/compile_commands.json", json.dumps([
            {"directory": str(self.root / "build" / "develop"), "file": str(file),
             "command": f"/usr/bin/c++ -I{self.root}/src -O3 -Wno-restrict -std=c++20 -o x.o -c {file}"}
            for file in files]))

    def run_tidy(self, *options):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = run_tidy.main(["--root", str(self.root), *options])
        return code, out.getvalue()

    def expect_clean(self, state):
        self.assertEqual(self.run_tidy(), (0, f"experiments_1 (1 files): {state[0]}\nmotet_judges_1 (2 files): {state[1]}\n"
                                              "3 files in 2 groups, 0 findings\n"))

    def expect_finding(self, finding):
        for _ in range(2):  # what failed once is checked again
            code, out = self.run_tidy()
            self.assertIn(finding, out)
            self.assertTrue(out.endswith("3 files in 2 groups, 1 findings\n"), out)
            self.assertEqual(code, 1)

    def test_clean_files_are_checked_once(self):
        self.expect_clean(("clean", "clean"))
        self.expect_clean(("as before", "as before"))
        self.write("src/motet/judges/one.h", "#pragma once\nconstexpr int three = 4;\nint one();\n")
        self.expect_clean(("as before", "clean"))
        with (self.root / ".clang-tidy").open("a") as setting:
            setting.write("# one more line\n")
        self.expect_clean(("clean", "clean"))

    def test_finding_has_its_own_place(self):
        self.expect_clean(("clean", "clean"))
        self.write("src/motet/judges/two.cpp", "\nint* two() { return 0; }\n")
        self.expect_finding("src/motet/judges/two.cpp:2:21: error: use nullptr [modernize-use-nullptr,")

    def test_finding_in_header_and_experiment(self):
        self.write("src/motet/judges/one.h", "#pragma once\nconstexpr int three = 3;\nint one();\nint heard;\n")
        code, out = self.run_tidy()
        self.assertIn("src/motet/judges/one.h:4:5: error: variable 'heard' defined in a header file", out)
        self.assertEqual(code, 1)
        self.write("src/motet/judges/one.h", "#pragma once\nconstexpr int three = 3;\nint one();\n")
        self.write("experiments/alone.cpp", "int BadName() { return 1; }\n")
        self.expect_finding("experiments/alone.cpp:1:5: error: invalid case style for function 'BadName'")

    def test_checks_of_the_main_file_see_every_file(self):
        self.write("src/motet/judges/two.cpp", "namespace n { int f(); }\nusing n::f;\n")
        self.expect_finding("src/motet/judges/two.cpp:2:10: error: using decl 'f' is unused [misc-unused-using-decls,")

    def test_long_function(self):
        body = "  ++sum;\n" * 58
        self.write("src/motet/judges/two.cpp", "int two(int sum) {\n" + body + "  return sum;\n}\n")
        self.expect_clean(("clean", "clean"))
        self.write("src/motet/judges/two.cpp", "int two(int sum) {\n" + body + "  ++sum;\n  return sum;\n}\n")
        self.expect_finding("src/motet/judges/two.cpp:1:5: error: function 'two' exceeds recommended size")

    def test_the_analyser_follows_paths(self):
        self.write("src/motet/judges/two.cpp",
                   "int two(int a) {\n  int* p = nullptr;\n  if (a > 3) p = &a;\n  if (a < 2) return *p;\n  return a;\n}\n")
        self.expect_finding("src/motet/judges/two.cpp:4:21: error: Dereference of null pointer (loaded from variable 'p') "
                            "[clang-analyzer-core.NullDereference,")

    def test_what_does_not_compile(self):
        self.write("src/motet/judges/two.cpp", "int two() { return twice; }\n")
        self.expect_finding("src/motet/judges/two.cpp:1:20: error: use of undeclared identifier 'twice'")

    def test_nothing_is_configured(self):
        (self.root / "build" / "develop" / "compile_commands.json").unlink()
        error = io.StringIO()
        with contextlib.redirect_stderr(error):
            self.assertEqual(self.run_tidy(), (2, ""))
        self.assertIn("compile_commands.json is missing; configure first: cmake --preset develop", error.getvalue())


if __name__ == "__main__":
    unittest.main()
