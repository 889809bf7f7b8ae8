"""Tests are counted one by one, also those that a process runs many of."""
import pathlib
import tempfile
import unittest

import planted_tree  # finds the tools
import count_tests

PASSED = '<testcase name="{}" status="run"/>'
FAILED = '<testcase name="{}" status="fail"><failure message="no"/></testcase>'
SKIPPED = '<testcase name="{}" status="run"><skipped message="no data"/></testcase>'


class CountTests(unittest.TestCase):
    def expect(self, files, passed, failed, skipped):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, cases in files.items():
                text = "".join(case.format(f"t{i}") if "{}" in case else case for i, case in enumerate(cases))
                (folder / file).write_text(f"<testsuites><testsuite>{text}</testsuite></testsuites>")
            self.assertEqual(count_tests.count(folder / "ctest.xml", folder),
                             {"passed": passed, "failed": failed, "skipped": skipped})

    def test_tests_of_ctest(self):
        self.expect({"ctest.xml": [PASSED, PASSED, FAILED, SKIPPED]}, 2, 1, 1)

    def test_a_process_counts_as_what_it_ran(self):
        self.expect({"ctest.xml": [PASSED, PASSED.format("unit.quick.1"), FAILED.format("unit.quick.2")],
                     "quick_1.xml": [PASSED, PASSED, SKIPPED], "quick_2.xml": [PASSED, FAILED, FAILED]}, 4, 2, 1)

    def test_a_process_that_crashed_failed(self):
        self.expect({"ctest.xml": [FAILED.format("unit.slow.3")]}, 0, 1, 0)
        self.expect({"ctest.xml": [FAILED.format("unit.slow.3")], "slow_3.xml": [PASSED]}, 1, 1, 0)

    def test_nothing_ran(self):
        self.expect({}, 0, 0, 0)


if __name__ == "__main__":
    unittest.main()
