#!/usr/bin/env python3
"""Keeps the figures of docs/experiments.md true: runs `motet reproduce` and compares.

docs/experiments/NAME.txt is what an experiment printed when it was last run, below the command that ran it:
'$ motet reproduce NAME', with options where the page speaks of other than the defaults, '# slow' behind it where it
takes more than a few seconds. Without --slow those are not run again, only read.

Times and memory ("1.2 s", "85 MB") differ from run to run: they are kept, but not compared.

Every number with a decimal point in a section of docs/experiments.md must stand in what the experiments of that section
printed. A comment in the section names them, and what comes from elsewhere:

    <!-- figures of: judges-fig4 judges-fig6; from elsewhere: 0.79 -->

A section whose experiments take too long to be kept up says so, and is told at each run:

    <!-- figures not held: roles-real -->

    tools/run_experiments.py                 the page against the outputs, and the outputs of quick experiments
    tools/run_experiments.py --slow [NAME]   run these, or all, and compare
    tools/run_experiments.py --update NAME   run these, --slow or not, and keep what they print
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.])\d*\.\d+(?![\w.]*\d)")
COMMENT = re.compile(r"<!-- figures of: (?P<names>[^;]*?)(?:; from elsewhere: (?P<elsewhere>[^;]*?))? *-->", re.DOTALL)
NOT_HELD = re.compile(r"<!-- figures not held: (?P<names>[^;]*?) *-->", re.DOTALL)
HEADING = re.compile(r"^## ", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COST = re.compile(r"(?<![\w.])\d+(\.\d+)? (s|MB)(?!\w)")
NEEDS_DATA = "(needs data)"
SECONDS = 3600


def numbers_of(text):
    """The numbers with a decimal point, '.5' as '0.5'."""
    return {"0" + number if number.startswith(".") else number for number in NUMBER.findall(text)}


def page_problems(page, outputs):
    """What the page says and no experiment printed; outputs: text by name."""
    for section in HEADING.split(page)[1:]:
        title = section.splitlines()[0]
        if NOT_HELD.search(section):
            continue
        comment = COMMENT.search(section)
        said = numbers_of(COMMENT.sub("", FENCED.sub("", section)))
        if not comment:
            if said:
                yield f"'{title}' has figures and no comment that names its experiments"
            continue
        known = numbers_of(comment["elsewhere"] or "")
        unused = known - said
        if unused:
            yield f"'{title}': from elsewhere, but not in the section: {', '.join(sorted(unused))}"
        for name in comment["names"].split():
            if name not in outputs:
                yield f"'{title}': no output of {name}"
            else:
                known |= numbers_of(outputs[name])
        if said - known:
            yield f"'{title}': not printed by {comment['names']}: {', '.join(sorted(said - known))}"


def comparable(text):
    """The lines; where there are times and memory, without them and the spaces that line up their columns."""
    if not COST.search(text):
        return text.splitlines()
    return [" ".join(COST.sub(r"… \2", line).split()) for line in text.splitlines()]


class Saved:
    """One file of docs/experiments/."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        first, _, self.text = path.read_text(encoding="utf-8").partition("\n")
        command, _, remark = first.removeprefix("$ motet ").partition(" # ")
        self.arguments = command.split()
        self.is_slow = remark.strip() == "slow"
        if self.arguments[:2] != ["reproduce", self.name] or not first.startswith("$ motet "):
            raise SystemExit(f"{path}: the first line is not '$ motet reproduce {self.name}'")

    def first_line(self):
        return f"$ motet {' '.join(self.arguments)}" + (" # slow" if self.is_slow else "") + "\n"

    def run(self, motet):
        done = subprocess.run([motet, *self.arguments, "--quiet"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=SECONDS, check=False)
        if done.returncode:
            return None, f"{self.name}: exits {done.returncode}: {done.stderr.strip()}"
        return done.stdout, None

    def difference(self, printed):
        kept, now = comparable(self.text), comparable(printed)
        if kept == now:
            return None
        lines = difflib.unified_diff(kept, now, lineterm="", n=0)
        return f"{self.path.name}: the file says (-), the program says (+):\n" + "\n".join(list(lines)[2:])


def listed(motet):
    """Every experiment that the program knows, with whether it needs data."""
    out = subprocess.run([motet, "reproduce"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=1) for line in out.split("\n\n")[0].splitlines()]
    return {name: purpose.endswith(NEEDS_DATA) for name, purpose in rows}


def run_all(saved, needs_data, has_data, options):
    """Runs what was asked for; returns the problems."""
    problems = []
    for one in saved:
        if (options.names and one.name not in options.names) or (one.is_slow and not options.slow and not options.update):
            continue
        if needs_data.get(one.name) and not has_data:
            print(f"{one.name}: skipped, there are no public data")
            continue
        printed, problem = one.run(options.motet)
        if problem is None and options.update:
            one.path.write_text(one.first_line() + printed, encoding="utf-8")
            one.text = printed
        elif problem is None:
            problem = one.difference(printed)
        if problem:
            problems.append(problem)
        print(f"{one.name}: {'differs' if problem else 'kept' if options.update else 'as before'}", flush=True)
    return problems


def main(arguments):
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="experiments to run; default: all")
    parser.add_argument("--motet", type=pathlib.Path, default=root / "build" / "develop" / "motet", help="the program")
    parser.add_argument("--docs", type=pathlib.Path, default=root / "docs", help="the folder of experiments.md")
    parser.add_argument("--slow", action="store_true", help="also run what takes more than a few seconds")
    parser.add_argument("--update", action="store_true", help="keep what the named experiments print")
    options = parser.parse_args(arguments)
    options.motet = options.motet.resolve()
    needs_data = listed(options.motet)
    folder = options.docs / "experiments"
    if options.update:
        for name in options.names:
            path = folder / f"{name}.txt"
            if not path.exists():
                path.write_text(f"$ motet reproduce {name} # slow\n", encoding="utf-8")
    saved = [Saved(path) for path in sorted(folder.glob("*.txt"))]

    page = (options.docs / "experiments.md").read_text(encoding="utf-8")
    not_held = {name for found in NOT_HELD.finditer(page) for name in found["names"].split()}
    if not_held:
        print(f"not held: {' '.join(sorted(not_held))}")
    names = {one.name for one in saved}
    problems = [f"{name}: no output is kept; --update makes it" for name in needs_data if name not in names | not_held]
    problems += [f"not held: {name} is no experiment" for name in sorted(not_held - set(needs_data))]
    problems += [f"{name}.txt: no such experiment" for name in sorted(names - set(needs_data))]
    problems += [f"{name}: no such experiment" for name in options.names if name not in needs_data]
    has_data = "MOTET_DATA" in os.environ or pathlib.Path("../shared/data").is_dir()
    problems += run_all(saved, needs_data, has_data, options)
    problems += page_problems(page, {one.name: one.text for one in saved})
    for problem in problems:
        print(problem)
    print(f"{len(saved)} outputs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
