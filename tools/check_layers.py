#!/usr/bin/env python3
"""Fails if a source file includes, calls or grows to what it may not, or has no header or no test.

MAY_INCLUDE is the architecture: data go io -> data -> task -> measure -> app, which tells them through report,
and a folder may include only what is named here. A new folder needs a row.

usage: check_layers.py [ROOT]
"""
import collections
import pathlib
import re
import sys

TASKS = {"judges", "multilabel", "roles", "superset", "temporal", "audio", "discover"}
BELOW_APP = {"base", "data", "io", "measure", "engine", "sources", "report"} | TASKS

MAY_INCLUDE = {
    # The public headers are motet/NAME.h; nothing but them is installed.
    "include": set(),
    "base": {"include"},
    "data": {"base"},
    "io": {"base", "data"},
    "measure": {"base", "data"},
    "engine": {"base", "data"},
    "sources": {"base", "data"},
    # Tasks do not know each other, files or reports; discover is built on temporal, and so are the clips of multilabel.
    "judges": {"base", "data", "engine"},
    "multilabel": {"base", "data", "engine", "measure", "sources", "temporal"},
    "roles": {"base", "data", "engine", "measure", "sources"},
    "superset": {"base", "data", "engine", "measure"},
    "temporal": {"base", "data", "engine"},
    "audio": {"base", "data", "engine"},
    "discover": {"base", "data", "engine", "temporal"},
    "door": {"include", "base", "data", "io", "measure"} | TASKS,
    # How things are told, whatever they are; pages carry the JSON of their plots.
    "report": {"base", "data", "io"},
    "app": BELOW_APP,
    "experiments": BELOW_APP | {"app"},
    "cli": {"include", "base", "report", "app", "experiments"},
    "examples": {"include"},
    # The bindings of the Python package see what any user of the library does.
    "python": {"include"},
}

# The verbs of a task know their own task, in its folder and in app/, and besides only what is named here: the clips of
# multilabel and the rows of temporal may be recordings, and the candidates of superset votes.
APP_MAY_INCLUDE = {"multilabel": {"audio"}, "superset": {"judges"}, "temporal": {"audio"}}
# In app/ itself: the lists of all verbs and of all demonstrations, and how recordings become features.
APP_OF_ALL_TASKS = {"registry", "demo", "recording_features"}

LINE_LIMIT = {".h": 200, ".cpp": 500}

# Headers that cost a second or more in every file that sees them.
HEAVY = re.compile(r"(nlohmann|boost|httplib|CLI|pybind11|sqlite3|mpi|Eigen)\b|regex$|motet/data/eigen\.h$")
# Headers whose signatures need an Eigen type.
EIGEN_IN_HEADER = {"data/eigen.h"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')

TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)\s*(?:final\s*)?[:{]", re.MULTILINE)

NAME_START = r"(?<![\w.>:])(?:std::|::)?"


class Rule:
    """Code that only some places may contain; a place is a folder or a file under src/motet."""

    def __init__(self, places, message, pattern):
        self.places = places
        self.message = message
        self.pattern = re.compile(pattern)

    def forbids(self, place, line):
        folder = place.split("/")[0]
        return folder not in self.places and place not in self.places and self.pattern.search(line)


RULES = [
    Rule({"cli", "examples"}, "the library does not print or exit; use the observer, return or throw",
         r"std::(cout|cerr|clog)\b|\b(stdout|stderr)\b|fmt::print(?:ln)?\s*\(\s*\"|"
         + NAME_START + r"(v?printf|puts|putchar|perror|abort|_?exit|_Exit|quick_exit)\s*\("),
    Rule({"cli", "examples"}, "<iostream> belongs in cli/; take a std::ostream& or return text", r"#\s*include\s*<iostream>"),
    # A fit from Python has a thread of its own, beside the one that asks for signals.
    Rule({"base/parallel.cpp", "python/binding.cpp"}, "threads belong in base/parallel.cpp; use its functions",
         r"std::(thread|jthread|async|execution)\b|\bpthread_create\b|#\s*pragma\s+omp\b|#\s*include\s*<omp\.h>"),
    Rule({"base"}, "random numbers come from base/rng.h: the same on every machine",
         r"#\s*include\s*<random>|\bstd::(mt19937|minstd_rand|ranlux|random_device|default_random_engine|\w+_distribution\b)|"
         + NAME_START + r"(s?rand|[sdl]?rand48|s?random)\s*\("),
    Rule(set(), "name what is used: no 'using namespace'", r"\busing\s+namespace\b"),
    # Experiments have numbers of their own.
    Rule({"base", "experiments"}, "streams of a seed have names; use stream() of base/streams.h",
         r"\bRng(\s+\w+)?\s*[({][^)};,]*\bseed"),
]

COMMENT_OR_TEXT = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)" | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.VERBOSE)


def without_comments_and_text(source):
    """The same lines with comments gone and literals empty."""

    def blank(found):
        literal = found[0][0] not in "/"
        return ('""' if literal else " ") + "\n" * found[0].count("\n")

    return COMMENT_OR_TEXT.sub(blank, source)


def folder_of(header):
    """The row of MAY_INCLUDE that a header belongs to; None for one that is not ours."""
    if header.startswith("experiments/"):
        return "experiments"
    if not header.startswith("motet/"):
        return None
    return header.split("/")[1] if header.count("/") > 1 else "include"


def own_binding(place, header):
    """Of a binding: the header that all of them share, and what it needs."""
    return place.startswith("python/") and (header == "binding.h" or header.startswith("pybind11/"))


def include_problem(place, line):
    found = INCLUDE.match(line)
    if not found:
        return None
    quote, header = found[1], found[2]
    if own_binding(place, header):
        return None
    if place.endswith(".h") and HEAVY.match(header) and not (header.startswith("Eigen") and place in EIGEN_IN_HEADER):
        return f"<{header}> is slow to compile: include it in a .cpp file only"
    own, folder = place.split("/")[0], folder_of(header)
    if folder is None and quote == '"':
        return f'"{header}" is not written from its root; write "motet/FOLDER/{header.split("/")[-1]}"'
    if folder is None and own == "include" and re.search("[/.]", header):
        return f"<{header}> is not of the standard library: a public header needs nothing else"
    if folder and folder != own and folder not in MAY_INCLUDE[own]:
        return f"{own}/ may not include {folder}/"
    problem = task_problem(place, header) if own == "app" else None
    if problem:
        return problem
    task = pathlib.PurePath(place).stem
    if own == "door" and folder in TASKS and folder != task:
        return f"the door of {task} may not include {folder}/"
    return None


def task_of(header):
    """The task that a header belongs to, or None: motet/TASK/... and motet/app/TASK/..."""
    task = header.removeprefix("motet/").removeprefix("app/").split("/")[0]
    return task if task in TASKS else None


def task_problem(place, header):
    """Of a file in app/ that includes what belongs to a task that is not its own."""
    room, task = pathlib.PurePath(place).parts[1], task_of(header)
    if task is None:
        return None
    if room in TASKS:
        allowed = {room} | APP_MAY_INCLUDE.get(room, set())
        return None if task in allowed else f"app/{room}/ may not include what belongs to {task}/"
    if pathlib.PurePath(room).stem in APP_OF_ALL_TASKS:
        return None
    return f"app/ may not include what belongs to {task}/: only app/{task}/ does"


def problems_of(path, shown, place):
    """path: the file; shown: its name in messages; place: 'base/rng.h', 'experiments/x.cpp'."""
    if place.split("/")[0] not in MAY_INCLUDE:
        yield f"{shown}: folder {place.split('/')[0]}/ has no row in MAY_INCLUDE of tools/check_layers.py"
        return
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    problem = namespace_problem(place, source)
    if problem:
        yield f"{shown}: {problem}"
    limit = LINE_LIMIT[path.suffix]
    if len(lines) > limit:
        yield f"{shown}: {len(lines)} lines, the limit is {limit}: it wants to be two things"
    for number, (line, code) in enumerate(zip(lines, without_comments_and_text(source).splitlines()), 1):
        problem = include_problem(place, line) if INCLUDE.match(line) and "#" in code else None
        if problem:
            yield f"{shown}:{number}: {problem}"
        for rule in RULES:
            if rule.forbids(place, code):
                yield f"{shown}:{number}: {rule.message}"


NAMESPACE = re.compile(r"^namespace (motet[\w:]*) \{$", re.MULTILINE)


def room_of(place):
    """The namespace of a file: a task's own, in its folder, in app/ and at the door, else motet."""
    folder, *rest = pathlib.PurePath(place).with_suffix("").parts
    if folder in {"app", "door", "include", "experiments", "bench"} and rest:
        folder = rest[0].removesuffix("_bench")
    return f"motet::{folder}" if folder in TASKS else "motet"


def namespace_problem(place, source):
    room = room_of(place)
    for found in NAMESPACE.findall(source):
        if found != room and not found.startswith("motet::" if room == "motet" else room + "::"):
            return f"namespace {found} is not that of its folder, {room}"
        if room == "motet" and found.split("::")[1:2] and found.split("::")[1] in TASKS:
            return f"namespace {found} is that of a task"
    return None


def twice_defined(root):
    """Two types of one name in one namespace would be one to the linker: in the library, at the door, in what tests and
    experiments share."""
    first = {}
    for folder in ("src/motet", "include/motet", "experiments", "test"):
        for path in sorted((root / folder).rglob("*.h")):
            shown = path.relative_to(root).as_posix()
            source = without_comments_and_text(path.read_text(encoding="utf-8"))
            place = path.relative_to(root / "src" / "motet" if folder == "src/motet" else root).as_posix().replace("include/motet", "include")
            room = next(iter(NAMESPACE.findall(source)), room_of(place))
            for name in TYPE.findall(source):
                if (room, name) in first:
                    yield f"{shown}: {name} is defined in {first[room, name]} as well; give it another name"
                first.setdefault((room, name), shown)


HIDDEN = re.compile(r"^(?:struct|class|enum class|enum|using) (\w+)(?: final)?(?: [:{=]|;)"
                    r"|^(?:inline |static )?const(?:expr)? [\w:<>,\s*&]+?(\w+)(?:\{|\[| =)")


def hidden_names(source):
    """Types and constants of the unnamed namespaces of a source."""
    is_hidden = False
    for line in source.splitlines():
        if line == "namespace {":
            is_hidden = True
        elif is_hidden and line.startswith("}") and not line.startswith("};"):
            is_hidden = line == "}"  # of a function
        elif is_hidden and (found := HIDDEN.match(line)):
            yield found[1] or found[2]


def twice_hidden(root):
    """Sources of a folder are compiled together, in whatever lots: what is hidden in one must not meet its like."""
    for start in (root / "src" / "motet", root / "experiments"):
        first = {}
        for path in sorted(start.rglob("*.cpp")):
            shown = path.relative_to(root).as_posix()
            folders = path.relative_to(start).parts[:-1]
            room = folders[:2] if folders[:1] == ("app",) else folders[:1]
            for name in sorted(set(hidden_names(path.read_text(encoding="utf-8")))):
                if (room, name) in first:
                    yield f"{shown}: {name} is hidden in {first[room, name]} as well; give it another name"
                first.setdefault((room, name), shown)


def header_of(place):
    """Where a source of src/motet is declared; None for the program, which nobody calls."""
    folder, name = place.rsplit("/", 1)
    stem = name.removesuffix(".cpp")
    if place == "cli/main.cpp":
        return None
    if folder == "door" and (stem in TASKS or stem == "measure"):
        return f"include/motet/{stem}.h"
    if folder == "sources/families":
        return "src/motet/sources/families.h"  # the one list: adding a family is a file and a line
    return f"src/motet/{folder}/{stem}.h"


def test_of(place):
    """The test of a source of src/motet, under the same path; None for the program, which processes test."""
    return None if place == "cli/main.cpp" else f"test/{place.removesuffix('.cpp')}_test.cpp"


def without_company(root):
    """Sources that have no header, or no test, where one would look for it."""
    start = root / "src" / "motet"
    for path in sorted(start.rglob("*.cpp")):
        place = path.relative_to(start).as_posix()
        for kind, company in (("header", header_of(place)), ("test", test_of(place))):
            if company and not (root / company).is_file():
                yield f"{path.relative_to(root).as_posix()}: has no {kind}; {company} is missing"


def checked_files(root):
    """Yields (path, place) of all that has to keep the rules."""
    for start, prefix in ((root / "src" / "motet", ""), (root / "include" / "motet", "include/"),
                          (root / "experiments", "experiments/"), (root / "examples", "examples/"),
                          (root / "python" / "src", "python/")):
        for path in sorted(start.rglob("*")):
            if path.suffix in LINE_LIMIT:
                yield path, prefix + path.relative_to(start).as_posix()


def check(root):
    problems = list(twice_defined(root)) + list(twice_hidden(root)) + list(without_company(root))
    for path, place in checked_files(root):
        problems += problems_of(path, path.relative_to(root).as_posix(), place)
    return problems


def used_folders(root):
    """What is included: the folders by folder, as in MAY_INCLUDE, and the tasks by the task in app/."""
    used, used_by_verbs = collections.defaultdict(set), collections.defaultdict(set)
    for path, place in checked_files(root):
        own, *rest = pathlib.PurePath(place).parts
        for line in path.read_text(encoding="utf-8").splitlines():
            found = INCLUDE.match(line)
            if found:
                used[own].add(folder_of(found[2]))
                if own == "app":
                    used_by_verbs[rest[0]].add(task_of(found[2]))
    return used, used_by_verbs


def main(arguments):
    problems = check(pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parent.parent)
    print("\n".join(problems) or "layers ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
