#!/usr/bin/env python3
"""Runs the code blocks marked ```sh in README.md and docs/**/*.md and compares what they print.

In a block, a line that starts with '$ ' is a command (a backslash at its end, or a here-document,
continues it) and the lines up to the next command are what it prints, stderr included. A line '...'
stands for any lines, '…' inside a line for any text; blank lines at the end do not count. A command
that fails says so in a comment, '# exits 3', or is followed by '$ echo $?'. A block marked
```sh skip is not run.

The blocks of one file run in order, in one shell, in a fresh folder that holds a copy of samples/;
motet and ./motet are the program under test, MOTET_SAMPLES names the samples.
"""
import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}) *(?P<info>[^`]*)$")
HERE_DOCUMENT = re.compile(r"(?<!<)<<(?!<)(?P<dash>-?)\s*(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)")
EXITS = re.compile(r"# exits (\d+)\s*$", re.MULTILINE)


@dataclasses.dataclass
class Command:
    line: int  # of the '$ ', counted from 1
    text: str
    indent: str
    first: int  # expected output: file lines [first, last), counted from 0
    last: int
    expected: list
    status_shown_next: bool = False


@dataclasses.dataclass
class Outcome:
    output: list
    status: int | None  # None: it never ended


class DocsError(Exception):
    """A page that cannot be run as it is written."""


def blocks(lines):
    """Yields (info, indent, first, last) of each fenced block; lines [first, last) are its content."""
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        number += 1
        if not opening:
            continue
        first = number
        closing = re.compile(rf" *{opening['ticks']}{opening['ticks'][0]}* *$")
        while number < len(lines) and not closing.match(lines[number]):
            number += 1
        yield opening["info"].split(), opening["indent"], first, number
        number += 1


def end_of_command(lines, number, last):
    """The line after the command that starts at lines[number]."""
    text = lines[number]
    while lines[number].endswith("\\") and number + 1 < last:
        number += 1
        text += "\n" + lines[number]
    number += 1
    here = HERE_DOCUMENT.search(text)
    if here:
        while number < last and (lines[number].lstrip("\t") if here["dash"] else lines[number]) != here["word"]:
            number += 1
        number = min(number + 1, last)
    return number


def commands_of(name, raw):
    found = []
    for info, indent, first, last in blocks(raw):
        if info != ["sh"]:
            continue
        lines = list(raw)
        lines[first:last] = [line.removeprefix(indent) for line in raw[first:last]]
        number = first
        block = []
        while number < last:
            if not lines[number].startswith("$ "):
                raise DocsError(f"{name}:{number + 1}: a sh block starts with '$ COMMAND'; or mark it 'sh skip'")
            start, number = number, end_of_command(lines, number, last)
            text, output_first = "\n".join(lines[start:number])[2:], number
            while number < last and not lines[number].startswith("$ "):
                number += 1
            block.append(Command(start + 1, text, indent, output_first, number, lines[output_first:number]))
        for command, following in zip(block, block[1:]):
            command.status_shown_next = following.text.strip() == "echo $?"
        found += block
    return found


def without_blank_end(lines):
    lines = list(lines)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def line_matches(expected, actual):
    if "…" not in expected:
        return expected == actual
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), actual) is not None


def matches(expected, actual):
    """Whether every actual line is accounted for; reached = the lengths of actual that expected[:n] can explain."""
    expected, actual = without_blank_end(expected), without_blank_end(actual)
    reached = {0}
    for line in expected:
        if line == "...":
            reached = set(range(min(reached), len(actual) + 1))
        else:
            reached = {n + 1 for n in reached if n < len(actual) and line_matches(line, actual[n])}
        if not reached:
            return False
    return len(actual) in reached


def with_wildcards(expected, actual):
    """The actual lines, but as the page wrote them where a line with '…' still fits."""
    patterns = [line for line in expected if "…" in line]
    return [next((p for p in patterns if line_matches(p, line)), line) for line in without_blank_end(actual)]


SCRIPT = """
motet_docs_status=0
for ((motet_docs_n = 0; motet_docs_n < $1; ++motet_docs_n)); do
  (exit $motet_docs_status)
  source "$2/$motet_docs_n.sh" >"$2/$motet_docs_n.out" 2>&1 </dev/null
  motet_docs_status=$?
  echo $motet_docs_status >"$2/$motet_docs_n.status"
done
"""


def run(commands, motet, samples, timeout):
    with tempfile.TemporaryDirectory(prefix="motet-docs-") as scratch:
        scratch = pathlib.Path(scratch)
        work, record, home, programs = (scratch / name for name in ("work", "record", "home", "bin"))
        for folder in (work, record, home, programs):
            folder.mkdir()
        for folder in (programs, work):
            (folder / "motet").symlink_to(motet.resolve())
        if samples.is_dir():
            shutil.copytree(samples, work / "samples")
        for number, command in enumerate(commands):
            (record / f"{number}.sh").write_text(command.text + "\n", encoding="utf-8")
        environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", HOME=str(home), LC_ALL="C.UTF-8",
                           TERM="dumb", COLUMNS="80", MOTET_SAMPLES=str(work / "samples"))
        shell = subprocess.Popen(["bash", "-c", SCRIPT, "docs", str(len(commands)), str(record)], cwd=work,
                                 env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            shell.wait(timeout)
        except subprocess.TimeoutExpired:
            pass
        finally:
            try:
                os.killpg(shell.pid, signal.SIGKILL)  # also what a page left in the background
            except ProcessLookupError:
                pass
            shell.wait()
        outcomes = []
        for number in range(len(commands)):
            output, status = record / f"{number}.out", record / f"{number}.status"
            outcomes.append(Outcome(
                output.read_text(encoding="utf-8", errors="replace").splitlines() if output.exists() else [],
                int(status.read_text()) if status.exists() and status.read_text() else None))
        return outcomes


def status_problem(command, outcome):
    if outcome.status is None:
        return "did not end in time, or ended the shell"
    stated = EXITS.search(command.text)
    if stated and int(stated[1]) != outcome.status:
        return f"exits {outcome.status}, the page says {stated[1]}"
    if outcome.status and not stated and not command.status_shown_next:
        return f"exits {outcome.status}; if that is meant, end the command with '# exits {outcome.status}'"
    return None


def problems_of(name, commands, outcomes):
    for command, outcome in zip(commands, outcomes):
        title = f"{name}:{command.line}: $ " + command.text.replace("\n", "\n    ")
        status = status_problem(command, outcome)
        same = matches(command.expected, outcome.output)
        if status is None and same:
            continue
        report = [title] + ([f"  {status}"] if status else [])
        if not same:
            actual = with_wildcards(command.expected, outcome.output)
            diff = list(difflib.unified_diff(without_blank_end(command.expected), actual, lineterm="", n=2))[2:]
            report += ["  the page says (-), the program says (+):"] + ["    " + line for line in diff]
        elif status:
            report += ["    " + line for line in outcome.output[-20:]]
        yield "\n".join(report)
        if outcome.status is None:
            return  # nothing after it was run


def update(path, lines, commands, outcomes):
    """Rewrites expected output that no longer matches; returns how many commands it changed."""
    changed = 0
    for command, outcome in reversed(list(zip(commands, outcomes))):
        if outcome.status is None or matches(command.expected, outcome.output):
            continue
        blank_end = len(command.expected) - len(without_blank_end(command.expected))
        shown = with_wildcards(command.expected, outcome.output) + [""] * blank_end
        lines[command.first:command.last] = [command.indent + line if line else line for line in shown]
        changed += 1
        if "..." in command.expected:
            print(f"{path}:{command.line}: a '...' was replaced by the lines it stood for")
    if changed:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return changed


def main(arguments):
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: README.md and docs/**/*.md")
    parser.add_argument("--root", type=pathlib.Path, default=root, help="the project (default: this one)")
    parser.add_argument("--motet", type=pathlib.Path, help="the program (default: build/develop/motet)")
    parser.add_argument("--update", action="store_true", help="rewrite the expected output in place")
    parser.add_argument("--jobs", type=int, default=2, help="pages at once (default 2)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds a page may take (default 600)")
    options = parser.parse_args(arguments)
    options.root = options.root.resolve()
    motet = options.motet or options.root / "build" / "develop" / "motet"
    if not motet.exists():
        print(f"{motet} does not exist; build it first: cmake --preset develop && cmake --build build/develop")
        return 2
    pages = options.pages or [
        page for page in [options.root / "README.md", *sorted((options.root / "docs").rglob("*.md"))] if page.exists()]

    def run_page(page):
        page = page.resolve()
        name = page.relative_to(options.root) if page.is_relative_to(options.root) else page
        lines = page.read_text(encoding="utf-8").splitlines()
        try:
            commands = commands_of(name, lines)
        except DocsError as error:
            return 0, [str(error)], 0
        outcomes = run(commands, motet, options.root / "samples", options.timeout) if commands else []
        changed = update(page, lines, commands, outcomes) if options.update else 0
        if changed:
            commands = commands_of(name, lines)
        return len(commands), list(problems_of(name, commands, outcomes)), changed

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(run_page, pages))
    problems = [problem for _, found, _ in results for problem in found]
    for problem in problems:
        print(problem)
    changed = sum(count for _, _, count in results)
    print(f"{len(pages)} pages, {sum(count for count, _, _ in results)} commands, {len(problems)} problems"
          + (f", {changed} outputs rewritten" if options.update else ""))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
