"""The keeper of the experiments' figures: pages and outputs that agree, and ones that do not."""
import contextlib
import io
import os
import unittest
import unittest.mock

from planted_tree import PlantedTree  # finds the tools
import run_experiments

PROGRAM = """#!/bin/sh
case "$2" in
  "") printf 'one    the first\\ntwo    another (needs data)\\n\\nmotet reproduce NAME runs one.\\n' ;;
  one) echo "error 0.125 ± 0.0040" ;;
  two) echo "error 2.5$3" ;;
esac
"""


class RunExperiments(PlantedTree):
    def setUp(self):
        super().setUp()
        self.docs = self.root / "docs"
        (self.docs / "experiments").mkdir(parents=True)
        self.motet = self.docs / "motet"
        self.motet.write_text(PROGRAM)
        self.motet.chmod(0o755)
        self.keep("one", "$ motet reproduce one\nerror 0.125 ± 0.0040\n")
        self.keep("two", "$ motet reproduce two --seed 3 # slow\nerror 2.5--seed\n")
        self.page("## one\n<!-- figures of: one two; from elsewhere: .79 -->\nOurs .125, theirs 0.79, 2.5 of 7 in 1.2.3.\n")

    def keep(self, name, text):
        (self.docs / "experiments" / f"{name}.txt").write_text(text, encoding="utf-8")

    def kept(self, name):
        return (self.docs / "experiments" / f"{name}.txt").read_text(encoding="utf-8")

    def page(self, text):
        (self.docs / "experiments.md").write_text("# Experiments\n0.5 of no section\n" + text, encoding="utf-8")

    def run_it(self, *options, data="somewhere"):
        out = io.StringIO()
        environment = {name: value for name, value in os.environ.items() if name != "MOTET_DATA"}
        if data:
            environment["MOTET_DATA"] = data
        with contextlib.redirect_stdout(out), unittest.mock.patch.dict(os.environ, environment, clear=True):
            code = run_experiments.main(["--motet", str(self.motet), "--docs", str(self.docs), *options])
        return code, out.getvalue()

    def problems(self):
        code, out = self.run_it()
        self.assertEqual(code, 1)
        return out

    def test_what_agrees(self):
        self.assertEqual(self.run_it(), (0, "one: as before\n2 outputs, 0 problems\n"))
        self.assertEqual(self.run_it("--slow"), (0, "one: as before\ntwo: as before\n2 outputs, 0 problems\n"))

    def test_program_that_prints_something_else(self):
        self.keep("one", "$ motet reproduce one\nerror 0.125 ± 0.0041\n")
        out = self.problems()
        self.assertIn("one.txt: the file says (-), the program says (+):\n@@ -1 +1 @@\n"
                      "-error 0.125 ± 0.0041\n+error 0.125 ± 0.0040\n", out)

    def test_times_and_memory_are_not_compared(self):
        self.motet.write_text(PROGRAM.replace("0.125 ± 0.0040", "0.125 in 10.2 s, 1085 MB of 3 sets"))
        self.keep("one", "$ motet reproduce one\nerror 0.125 in  9.8 s, 85 MB of   3 sets\n")
        self.assertEqual(self.run_it()[0], 0)
        self.keep("one", "$ motet reproduce one\nerror 0.126 in  9.8 s, 85 MB of   3 sets\n")
        self.assertIn("-error 0.126 in … s, … MB of 3 sets\n+error 0.125 in", self.problems())
        self.keep("one", "$ motet reproduce one\nerror 0.125 in  9.8 s, 85 MB of   4 sets\n")
        self.problems()

    def test_a_slow_one_is_run_only_when_asked(self):
        self.keep("two", "$ motet reproduce two --seed 3 # slow\nerror 2.5, long ago\n")
        self.assertEqual(self.run_it()[0], 0)
        self.assertEqual(self.run_it("--slow", "one")[0], 0)
        self.assertEqual(self.run_it("--slow", "two")[0], 1)

    def test_update_keeps_the_command_and_its_new_output(self):
        self.keep("two", "$ motet reproduce two --seed 3 # slow\n")
        self.assertEqual(self.run_it("--update", "two"), (0, "two: kept\n2 outputs, 0 problems\n"))
        self.assertEqual(self.kept("two"), "$ motet reproduce two --seed 3 # slow\nerror 2.5--seed\n")

    def test_update_of_an_experiment_not_kept_yet(self):
        (self.docs / "experiments" / "one.txt").unlink()
        out = self.problems()
        self.assertIn("one: no output is kept; --update makes it\n", out)
        self.assertEqual(self.run_it("--update", "one")[0], 0)
        self.assertEqual(self.kept("one"), "$ motet reproduce one # slow\nerror 0.125 ± 0.0040\n")

    def test_without_data(self):
        with contextlib.chdir(self.docs) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
            code, out = self.run_it("--slow", data=None)
        self.assertEqual((code, out), (0, "one: as before\ntwo: skipped, there are no public data\n2 outputs, 0 problems\n"))

    def test_a_figure_nobody_printed(self):
        self.page("## one\n<!-- figures of: one -->\nOurs 0.125 and 0.1250.\n")
        self.assertIn("'one': not printed by one: 0.1250\n", self.run_it()[1])

    def test_a_figure_from_elsewhere_that_is_not_there(self):
        self.page("## one\n<!-- figures of: one; from elsewhere: 0.79 -->\nOurs 0.125.\n")
        self.assertIn("'one': from elsewhere, but not in the section: 0.79\n", self.run_it()[1])

    def test_figures_without_a_comment(self):
        self.page("## one\nOurs 0.125.\n## two\nNo figures.\n")
        out = self.problems()
        self.assertIn("'one' has figures and no comment that names its experiments\n", out)
        self.assertNotIn("'two'", out)

    def test_a_section_that_is_not_held_says_so(self):
        (self.docs / "experiments" / "two.txt").unlink()
        self.page("## two\n<!-- figures not held: two -->\nOurs 0.999.\n")
        self.assertEqual(self.run_it(), (0, "not held: two\none: as before\n1 outputs, 0 problems\n"))
        self.page("## two\n<!-- figures not held: three -->\nOurs 0.999.\n")
        out = self.problems()
        self.assertIn("not held: three is no experiment\n", out)
        self.assertIn("two: no output is kept; --update makes it\n", out)

    def test_blocks_are_the_docs_runners(self):
        self.page("## one\n<!-- figures of: one -->\n```sh\n$ motet\n0.777\n```\n0.125\n")
        self.assertEqual(self.run_it()[0], 0)

    def test_an_output_of_no_experiment(self):
        self.keep("three", "$ motet reproduce three\n")
        self.assertIn("three.txt: no such experiment\n", self.run_it()[1])


if __name__ == "__main__":
    unittest.main()
