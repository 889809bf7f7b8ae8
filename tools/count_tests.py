#!/usr/bin/env python3
"""Counts what CTest ran: prints 'passed failed skipped'.

CTest runs the unit tests in a few processes, unit.KIND.SHARE, each of which writes what its tests came to.
A process that fails without a failed test in its file, since it crashed, counts as one that failed.

usage: count_tests.py JUNIT_OF_CTEST FOLDER_OF_UNIT_RESULTS
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def results(path):
    """(name, 'passed', 'failed' or 'skipped') of each test in a JUnit file, which may be missing or cut short."""
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            yield case.get("name"), "failed"
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield case.get("name"), "skipped"
        else:
            yield case.get("name"), "passed"


def count(ctest_file, unit_folder):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, result in results(ctest_file):
        if not name.startswith("unit."):
            counts[result] += 1
            continue
        kind, share = name.removeprefix("unit.").split(".")
        units = [unit for _, unit in results(unit_folder / f"{kind}_{share}.xml")]
        for unit in units:
            counts[unit] += 1
        if result == "failed" and "failed" not in units:
            counts["failed"] += 1
    return counts


if __name__ == "__main__":
    counted = count(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    print(counted["passed"], counted["failed"], counted["skipped"])
