#!/usr/bin/env python3
"""Runs clang-tidy, with the checks of .clang-tidy, over src/, experiments/ and the headers that they include.

Most of its time goes into headers of others, so the files of a folder are checked together: they are written one
after the other into a file below build/tidy/, and what is said of a line there is told of the line it came from.
(Files that only include them would not do: several checks look at the main file alone.) Files stay together as they
are compiled: with the same definitions and paths of headers.

A group that was clean is not checked again while its files, our headers below them, .clang-tidy and the flags stay
as they are; --fresh forgets what was clean.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

FOLDERS = ("src", "experiments")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PLACE = re.compile(r"^(?P<file>/[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)$")

# The paths that the analyser follows; without a limit they are four fifths of all the time (docs/decisions.md).
ANALYZER = [word for setting in ("mode=shallow", "max-nodes=4000") for word in ("-Xclang", "-analyzer-config", "-Xclang", setting)]


@dataclasses.dataclass
class Group:
    name: str
    flags: list
    files: list  # paths


def flags_of(command):
    """What of a compiler's command line says how a file is read; warnings and code generation are of no interest."""
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word == "-isystem":
            kept += [word, next(words)]
        elif re.match(r"-[DI].|-std=", word):
            kept.append(word)
    return kept


def compiled_files(database, root):
    """Yields (file, flags) of our files; the build compiles some of them through a file that includes them."""
    for entry in json.loads(database.read_text(encoding="utf-8")):
        file = pathlib.Path(entry["directory"], entry["file"])
        files = [file]
        if file.is_relative_to(database.parent):
            files = [file.parent / name for name in INCLUDE.findall(file.read_text(encoding="utf-8"))]
        for file in files:
            if file.is_relative_to(root) and file.relative_to(root).parts[0] in FOLDERS:
                yield file, flags_of(entry["command"])


def groups_of(database, root, size):
    """Files of a folder and with the same flags, at most size of them together."""
    together = {}
    for file, flags in compiled_files(database, root):
        parts = file.relative_to(root).parts[:-1]
        folder = "_".join(parts[1:4] if parts[2:3] == ("app",) else parts[1:3] if parts[0] == "src" else parts[:2])
        together.setdefault((folder, tuple(flags)), set()).add(file)
    groups, names = [], {}
    for (folder, flags), files in sorted(together.items()):
        files = sorted(files)
        for first in range(0, len(files), size):
            names[folder] = names.get(folder, 0) + 1
            groups.append(Group(f"{folder}_{names[folder]}", list(flags), files[first:first + size]))
    return groups


def read(path):
    text = path.read_text(encoding="utf-8")
    return text if text.endswith("\n") else text + "\n"


def our_headers(texts, places):
    """The texts of all headers of ours that texts include, and what these include."""
    found, waiting = {}, list(texts)
    while waiting:
        for name in INCLUDE.findall(waiting.pop()):
            path = next((place / name for place in places if (place / name).is_file()), None)
            if path and path not in found:
                found[path] = read(path)
                waiting.append(found[path])
    return [found[path] for path in sorted(found)]


def place_in_files(line, starts):
    """The file and line that a line of a group came from; starts: (first line, file), in order."""
    first, file = max(start for start in starts if start[0] <= line)
    return file, line - first + 1


class Tidy:
    def __init__(self, root, program, folder):
        self.root, self.program, self.folder = root, program, folder
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        self.setting = version + (root / ".clang-tidy").read_text(encoding="utf-8")

    def key(self, group, texts):
        places = [pathlib.Path(flag[2:]) for flag in group.flags if flag.startswith("-I")]
        digest = hashlib.sha256()
        for text in [self.setting, *group.flags, *texts, *our_headers(texts, places)]:
            digest.update(f"{len(text)} {text}".encode())
        return digest.hexdigest()

    def check(self, group, fresh):
        """What is found in a group: lines as clang-tidy writes them, or None if it was clean before."""
        texts = [read(file) for file in group.files]
        clean, key = self.folder / f"{group.name}.clean", self.key(group, texts)
        if not fresh and clean.is_file() and clean.read_text(encoding="utf-8") == key:
            return None
        clean.unlink(missing_ok=True)
        joined = self.folder / f"{group.name}.cpp"
        joined.write_text("".join(texts), encoding="utf-8")
        command = [self.program, "--quiet", str(joined), "--", *group.flags, *ANALYZER, "-w"]
        outcome = subprocess.run(command, capture_output=True, text=True, cwd=self.root, check=False)
        if outcome.returncode == 0:
            clean.write_text(key, encoding="utf-8")
            return []
        return self.told(outcome.stdout, joined, group.files, texts) or [f"{group.name}: {outcome.stderr.strip()}"]

    def told(self, out, joined, files, texts):
        """The findings, each a text of several lines, with places in our files."""
        starts, line = [], 1
        for file, text in zip(files, texts):
            starts.append((line, file))
            line += text.count("\n")
        findings = []
        for line in out.splitlines():
            found = PLACE.match(line)
            if found:
                file, number = pathlib.Path(found["file"]), int(found["line"])
                if file == joined:
                    file, number = place_in_files(number, starts)
                shown = file.relative_to(self.root) if file.is_relative_to(self.root) else file
                line = f"{shown}:{number}:{found['column']}: {found['text']}"
            if not findings or (found and not found["text"].startswith("note:")):
                findings.append(line)
            else:
                findings[-1] += "\n" + line
        return findings


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=root, help="the project")
    parser.add_argument("--build", type=pathlib.Path, help="the folder of compile_commands.json; default: build/develop")
    parser.add_argument("--clang-tidy", default="clang-tidy", help="the program")
    parser.add_argument("--size", type=int, default=24, help="how many files are checked together")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="how many groups are checked at once")
    parser.add_argument("--fresh", action="store_true", help="check also what was clean before")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    database = (options.build or root / "build" / "develop").resolve() / "compile_commands.json"
    if not database.is_file():
        print(f"run_tidy.py: {database} is missing; configure first: cmake --preset develop", file=sys.stderr)
        return 2
    folder = root / "build" / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    tidy = Tidy(root, options.clang_tidy, folder)
    groups = groups_of(database, root, options.size)
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda group: tidy.check(group, options.fresh), groups)
        for group, findings in zip(groups, outcomes):
            state = "as before" if findings is None else "clean" if not findings else "findings"
            print(f"{group.name} ({len(group.files)} files): {state}", flush=True)
            for finding in findings or []:
                if finding not in seen:
                    seen.add(finding)
                    print(finding)
    files = sum(len(group.files) for group in groups)
    print(f"{files} files in {len(groups)} groups, {len(seen)} findings")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
