"""The layer check finds what is planted and nothing else."""
import pathlib
import tempfile
import unittest

import planted_tree  # finds the tools
import check_layers


def with_company(files):
    """The same with an empty header and an empty test for each source that has none."""
    company = {}
    for name in files:
        place = name.removeprefix("src/motet/")
        if place != name and name.endswith(".cpp"):
            company |= {path: "" for path in (check_layers.header_of(place), check_layers.test_of(place)) if path}
    return company | files


def problems(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_layers.check(pathlib.Path(folder))


class CheckLayers(unittest.TestCase):
    def expect(self, name, text, *expected):
        self.assertEqual(problems(with_company({name: text})), list(expected))

    def test_allowed_code_passes(self):
        self.expect("src/motet/judges/a.cpp",
                    '#include "motet/judges/a.h"\n#include "motet/engine/em.h"\n#include <Eigen/Dense>\n'
                    "// std::cout, exit( and std::thread in a comment\n/* rand() */\n"
                    'auto text = "printf( std::thread";\nauto raw = R"(exit(1) ")";\nauto n = 1\'000\'000;\n'
                    "outcome.exit(); snprintf(a, b); std::this_thread::yield(); on_exit(1);\n")
        self.expect("src/motet/cli/main.cpp", "#include <iostream>\nint main() { std::cout << 1; std::exit(2); }\n")
        self.expect("src/motet/base/parallel.cpp", "#include <thread>\nstd::jthread worker;\n")
        self.expect("src/motet/roles/a.cpp", "Rng own = stream(run.seed, Stream::roles_growth).child(3);\n"
                    "Rng rng{Seed{1}};\nRng of(const Items& items, Seed seed);\n")
        self.expect("src/motet/base/streams.cpp", "Rng stream(Seed seed) { return Rng(seed).child(1); }\n")
        self.expect("experiments/judges/a.cpp", "Rng rng = Rng(run.seed).child(3);\n")
        self.expect("src/motet/base/rng_test_only.cpp", "#include <random>\nstd::mt19937 g;\n")
        self.expect("experiments/judges/table.cpp", '#include "motet/app/jobs.h"\n#include "experiments/list.h"\n')

    def test_bindings_see_public_headers_only(self):
        self.expect("python/src/roles.cpp", '#include "motet/roles.h"\n\n#include "binding.h"\n')
        self.expect("python/src/binding.h", "#include <pybind11/numpy.h>\n")
        self.expect("python/src/binding.cpp", "std::thread worker;\n")
        self.expect("python/src/roles.cpp", '#include "motet/roles/mine.h"\nstd::thread worker;\n',
                    "python/src/roles.cpp:1: python/ may not include roles/",
                    "python/src/roles.cpp:2: threads belong in base/parallel.cpp; use its functions")

    def test_hidden_names_of_a_folder_meet(self):
        hidden = 'namespace {\n\nconstexpr int most = 3;\n\nstruct State {\n};\n\nint f() {\n}\n\nclass Walk {\n};\n\n}  // namespace\n\nstruct Shown {\n};\n'
        files = with_company({"src/motet/roles/mac/a.cpp": hidden, "src/motet/roles/b.cpp": hidden,
                              "src/motet/judges/c.cpp": hidden})
        self.assertEqual(problems(files), [
            f"src/motet/roles/mac/a.cpp: {name} is hidden in src/motet/roles/b.cpp as well; give it another name"
            for name in ("State", "Walk", "most")])

    def test_types_of_tests_and_experiments_meet(self):
        text = "#pragma once\nnamespace motet::roles {\nstruct Drawn {\n};\n}\n"
        self.assertEqual(problems({"experiments/roles/a.h": text, "test/roles/b.h": text}),
                         ["test/roles/b.h: Drawn is defined in experiments/roles/a.h as well; give it another name"])

    def test_wrong_direction(self):
        self.expect("src/motet/data/a.h", '#pragma once\n#include "motet/io/csv.h"\n',
                    "src/motet/data/a.h:2: data/ may not include io/")
        self.expect("src/motet/judges/a.cpp", '#include "motet/io/csv.h"\n',
                    "src/motet/judges/a.cpp:1: judges/ may not include io/")
        self.expect("src/motet/judges/a.cpp", '#  include <motet/report/html.h>\n',
                    "src/motet/judges/a.cpp:1: judges/ may not include report/")
        self.expect("src/motet/report/a.cpp", '#include "motet/app/jobs.h"\n',
                    "src/motet/report/a.cpp:1: report/ may not include app/")
        self.expect("experiments/a.cpp", '#include "motet/cli/cli.h"\n',
                    "experiments/a.cpp:1: experiments/ may not include cli/")

    def test_tasks_do_not_know_each_other(self):
        for task in check_layers.TASKS - {"judges"}:
            self.expect("src/motet/judges/a.cpp", f'#include "motet/{task}/a.h"\n',
                        f"src/motet/judges/a.cpp:1: judges/ may not include {task}/")

    def test_report_knows_no_task(self):
        for folder in check_layers.TASKS | {"sources", "measure", "engine"}:
            self.expect("src/motet/report/a.cpp", f'#include "motet/{folder}/a.h"\n',
                        f"src/motet/report/a.cpp:1: report/ may not include {folder}/")
        self.expect("src/motet/report/a.cpp", '#include "motet/base/error.h"\n#include "motet/data/table.h"\n'
                                              '#include "motet/io/json.h"\n')

    def test_public_headers_need_nothing_but_each_other(self):
        self.expect("include/motet/judges.h", '#pragma once\n#include <vector>\n#include "motet/run.h"\n')
        self.expect("include/motet/judges.h", '#include "motet/data/votes.h"\n',
                    "include/motet/judges.h:1: include/ may not include data/")
        self.expect("include/motet/judges.h", "#include <fmt/format.h>\n",
                    "include/motet/judges.h:1: <fmt/format.h> is not of the standard library: a public header needs "
                    "nothing else")
        self.expect("src/motet/judges/a.cpp", '#include "motet/judges.h"\n',
                    "src/motet/judges/a.cpp:1: judges/ may not include include/")

    def test_a_door_leads_to_one_task(self):
        self.expect("src/motet/door/judges.cpp", '#include "motet/judges.h"\n#include "motet/judges/confusion/fit.h"\n')
        self.expect("src/motet/door/judges.cpp", '#include "motet/roles/mine.h"\n',
                    "src/motet/door/judges.cpp:1: the door of judges may not include roles/")

    def test_verbs_of_a_task_know_their_own_task(self):
        self.expect("src/motet/app/judges/a.cpp", '#include "motet/judges/a.h"\n#include "motet/app/judges/b.h"\n'
                                                  '#include "motet/app/files.h"\n#include "motet/engine/em.h"\n')
        for header in ("motet/roles/mine.h", "motet/app/roles/mine.h"):
            self.expect("src/motet/app/judges/a.cpp", f'#include "{header}"\n',
                        "src/motet/app/judges/a.cpp:1: app/judges/ may not include what belongs to roles/")
            self.expect("src/motet/app/jobs.cpp", f'#include "{header}"\n',
                        "src/motet/app/jobs.cpp:1: app/ may not include what belongs to roles/: only app/roles/ does")
            self.expect("src/motet/app/registry.cpp", f'#include "{header}"\n')
        self.expect("src/motet/app/superset/a.cpp", '#include "motet/judges/combine.h"\n')

    def test_what_nobody_includes_is_not_allowed(self):
        used, used_by_verbs = check_layers.used_folders(pathlib.Path(check_layers.__file__).parent.parent)
        used["discover"].add("engine")  # kept for the guarantee, which is being moved onto it
        for folder, allowed in check_layers.MAY_INCLUDE.items():
            self.assertEqual(allowed - used[folder], set(), folder)
        for task, allowed in check_layers.APP_MAY_INCLUDE.items():
            self.assertEqual(allowed - used_by_verbs[task], set(), f"app/{task}")

    def test_examples_print_and_see_public_headers_only(self):
        self.expect("examples/judges.cpp", '#include <motet/judges.h>\n#include <cstdio>\nint main() { printf("1"); }\n')
        self.expect("examples/judges.cpp", "#include <motet/judges/fit.h>\n",
                    "examples/judges.cpp:1: examples/ may not include judges/")

    def test_unknown_folder(self):
        self.expect("src/motet/extra/a.h", "\n",
                    "src/motet/extra/a.h: folder extra/ has no row in MAY_INCLUDE of tools/check_layers.py")

    def test_relative_include(self):
        self.expect("src/motet/data/a.cpp", '#include "../io/csv.h"\n',
                    'src/motet/data/a.cpp:1: "../io/csv.h" is not written from its root; write "motet/FOLDER/csv.h"')

    def test_heavy_header_in_a_header(self):
        for header in ("nlohmann/json.hpp", "boost/math/special_functions.hpp", "CLI/CLI.hpp", "Eigen/Dense", "regex"):
            self.expect("src/motet/data/a.h", f"#include <{header}>\n",
                        f"src/motet/data/a.h:1: <{header}> is slow to compile: include it in a .cpp file only")

    def test_one_name_for_two_types(self):
        options = "#pragma once\nstruct Options {\n};\nstruct Later;\n"
        again = "Options is defined in src/motet/judges/a.h as well; give it another name"
        self.assertEqual(problems({"src/motet/judges/a.h": options,
                                   "src/motet/judges/b.h": "#pragma once\nenum class Options { a };\nstruct Later;\n"}),
                         [f"src/motet/judges/b.h: {again}"])
        self.assertEqual(problems({"src/motet/judges/a.h": options, "include/motet/judges.h": options}),
                         [f"include/motet/judges.h: {again}"])
        self.assertEqual(problems({"src/motet/judges/a.h": options, "src/motet/app/judges/a.h": options}),
                         ["src/motet/judges/a.h: Options is defined in src/motet/app/judges/a.h as well; "
                          "give it another name"])
        self.assertEqual(problems({"src/motet/judges/a.h": options, "src/motet/roles/a.h": options}), [])

    def test_namespaces_follow_folders(self):
        for path in ("src/motet/judges/confusion/a.cpp", "src/motet/app/judges/a.cpp", "src/motet/door/judges.cpp",
                     "experiments/judges/a.cpp"):
            self.expect(path, "namespace motet::judges {\nnamespace motet::judges::parts {\n")
            for wrong in ("motet", "motet::roles", "motet::judges_too"):
                self.expect(path, f"namespace {wrong} {{\n",
                            f"{path}: namespace {wrong} is not that of its folder, motet::judges")
        self.expect("src/motet/data/a.cpp", "namespace motet {\nnamespace motet::parts {\n")
        self.expect("src/motet/data/a.cpp", "namespace motet::judges {\n",
                    "src/motet/data/a.cpp: namespace motet::judges is that of a task")

    def test_a_source_has_its_header_and_its_test_under_its_path(self):
        source = {"src/motet/judges/tied/a.cpp": "\n"}
        header = {"src/motet/judges/tied/a.h": "\n"}
        test = {"test/judges/tied/a_test.cpp": "\n"}
        no_header = "src/motet/judges/tied/a.cpp: has no header; src/motet/judges/tied/a.h is missing"
        no_test = "src/motet/judges/tied/a.cpp: has no test; test/judges/tied/a_test.cpp is missing"
        self.assertEqual(problems(source | header | test), [])
        self.assertEqual(problems(source), [no_header, no_test])
        self.assertEqual(problems(source | {"src/motet/judges/a.h": "\n"} | test), [no_header])
        self.assertEqual(problems(source | header | {"test/judges/a_test.cpp": "\n"}), [no_test])
        self.assertEqual(problems(header), [])

    def test_sources_whose_header_stands_elsewhere(self):
        def missing(name, *files):
            return [problem.split("; ")[1] for problem in problems({name: "\n"} | {file: "\n" for file in files})]

        self.assertEqual(missing("src/motet/cli/main.cpp"), [])
        self.assertEqual(missing("src/motet/cli/other/main.cpp", "src/motet/cli/other/main.h"),
                         ["test/cli/other/main_test.cpp is missing"])
        self.assertEqual(missing("src/motet/door/roles.cpp", "src/motet/door/roles.h"),
                         ["include/motet/roles.h is missing", "test/door/roles_test.cpp is missing"])
        self.assertEqual(missing("src/motet/door/inside.cpp", "include/motet/inside.h", "test/door/inside_test.cpp"),
                         ["src/motet/door/inside.h is missing"])
        self.assertEqual(missing("src/motet/sources/families/gamma.cpp", "src/motet/sources/families/gamma.h"),
                         ["src/motet/sources/families.h is missing", "test/sources/families/gamma_test.cpp is missing"])

    def test_length(self):
        self.expect("src/motet/data/a.h", "\n" * 200)
        self.expect("src/motet/data/a.h", "\n" * 201,
                    "src/motet/data/a.h: 201 lines, the limit is 200: it wants to be two things")
        self.expect("src/motet/data/a.cpp", "\n" * 501,
                    "src/motet/data/a.cpp: 501 lines, the limit is 500: it wants to be two things")

    def test_forbidden_code(self):
        printing, streams, threads, random, names, seeds = (rule.message for rule in check_layers.RULES)
        for code, message in [
                ("std::cerr << 1;", printing), ("printf(\"a\");", printing), ("std::fputs(a, stderr);", printing),
                ("  exit(1);", printing), ("std::abort();", printing), ('fmt::print("a");', printing),
                ("#include <iostream>", streams),
                ("std::thread t;", threads), ("auto f = std::async(g);", threads), ("std::jthread t;", threads),
                ("#pragma omp parallel for", threads),
                ("#include <random>", random), ("std::mt19937_64 g;", random), ("int a = rand();", random),
                ("std::normal_distribution<double> d;", random),
                ("using namespace judges;", names),
                ("Rng rng = Rng(run.seed).child(7);", seeds), ("const Rng rng(run_.seed);", seeds),
                ("draw(Rng{Seed{context.common.seed}});", seeds), ("Rng rng(seed);", seeds)]:
            with self.subTest(code):
                self.expect("src/motet/engine/a.cpp", f"\n{code}\n", f"src/motet/engine/a.cpp:2: {message}")


if __name__ == "__main__":
    unittest.main()
