"""./motet on a pretended machine: its package manager, compiler and user are small scripts."""
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REAL_TOOLS = ("bash cat chmod cp dirname env find flock grep ln md5sum mkdir mv nproc readlink rm sh sleep sort stat tail "
              "touch").split()
STUBS = {
    "dpkg-query": 'for name; do :; done; if [ -e "$MACHINE/installed/$name" ]; then echo "install ok installed"; fi',
    # The names of the packages are what follows --no-install-recommends.
    "apt-get": 'echo "apt-get $*" >>"$MACHINE/log"; [ ! -e "$MACHINE/offline" ] || { echo "no network"; exit 100; }\n'
               'wanted=; for word; do [ -z "$wanted" ] || touch "$MACHINE/installed/$word"\n'
               '[ "$word" != --no-install-recommends ] || wanted=1; [ "$word" != nodejs ] || { sleep "${NODE_SECONDS:-0}"; [ -n "$NODE_FAILS" ] ||\n'
               'for tool in node npm; do printf "#!/bin/sh\\necho v18.20.4\\n" >"$MACHINE/bin/$tool"\n'
               'chmod +x "$MACHINE/bin/$tool"; done; }; done\n'
               'echo "apt chatter"; [ -z "$wanted" ] || echo "installed $word" >>"$MACHINE/log"\n'
               '[ "$word$NODE_FAILS" != ca-certificatesyes ] || exit 100',
    "id": 'echo "$USER_ID"',
    "cmake": 'echo "cmake $*" >>"$MACHINE/log"; echo "cmake chatter"\n'
             'if [ "$1" = --preset ]; then mkdir -p build/release\n'
             'echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt; exit; fi\n'
             'echo "[30/120] Building"; sleep "${BUILD_SECONDS:-0}"\n'
             '[ ! -e "$MACHINE/trouble" ] || { cat "$MACHINE/trouble"; exit 1; }\n'
             '[ ! -e src/broken ] || { echo "broken.cpp:1: error"; exit 1; }\n'
             'cp src/program build/release/motet',
}
PROGRAM = """#!/bin/sh
case $1 in
  exit) exit "$2" ;;
  wait) echo ready; exec sleep 60 ;;
  *) echo "$PWD: $*" ;;
esac
"""


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = pathlib.Path(folder.name).resolve()
        self.clone = self.machine / "a clone"
        for name in ("bin", "installed", "a clone/src", "a clone/tools", "a clone/web"):
            (self.machine / name).mkdir(parents=True)
        shutil.copy(ROOT / "motet", self.clone)
        shutil.copy(ROOT / "tools" / "packages.sh", self.clone / "tools")
        for name in ("CMakeLists.txt", "CMakePresets.json"):
            (self.clone / name).touch()
        self.script(self.clone / "src" / "program", PROGRAM)
        for tool in REAL_TOOLS:
            (self.machine / "bin" / tool).symlink_to(shutil.which(tool))
        for name, text in STUBS.items():
            self.script(self.machine / "bin" / name, "#!/bin/sh\n" + text + "\n")
        self.environment = {"PATH": str(self.machine / "bin"), "MACHINE": str(self.machine), "USER_ID": "0",
                            "MOTET_JOBS": "1"}

    def script(self, path, text):
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *arguments, program=None, cwd=None):
        return subprocess.Popen([program or self.clone / "motet", *arguments], cwd=cwd or self.clone, text=True,
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_motet(self, *arguments, **where):
        process = self.start(*arguments, **where)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def log(self):
        path = self.machine / "log"
        return path.read_text().splitlines() if path.exists() else []

    def builds(self):
        return sum(line.startswith("cmake --build build/release --target motet ") for line in self.log())

    def test_first_run_installs_and_builds(self):
        code, out, err = self.run_motet("a", "b")
        self.assertEqual((code, out), (0, f"{self.clone}: a b\n"))
        lines = err.splitlines()
        self.assertIn("installing libfmt-dev: text formatting", lines)
        self.assertIn("installing nodejs: builds the plots of the reports", lines)
        lines.remove("building motet (some minutes the first time, later only what has changed)")
        self.assertTrue(all(line.startswith("installing ") for line in lines), err)
        self.assertIn(" update", self.log()[0])
        self.assertIn(" install -y --no-install-recommends g++ cmake ", self.log()[1])

    def test_compiles_while_node_is_installed(self):
        self.environment["NODE_SECONDS"] = "1"
        self.assertEqual(self.run_motet("a")[0], 0)
        log = self.log()
        built, installed = log.index("cmake --build build/release --target motet_without_web -j 1"), log.index(
            "installed ca-certificates")
        self.assertLess(built, installed)
        self.assertEqual(log[installed + 1:], ["cmake --build build/release --target motet -j 1"])
        self.assertTrue(any(line.startswith("cmake --preset release") and "-DMOTET_NPM=npm" in line for line in log))

    def test_node_that_cannot_be_installed_is_told(self):
        self.environment["NODE_FAILS"] = "yes"
        code, out, err = self.run_motet("a")
        self.assertEqual((code, out), (5, ""))
        self.assertTrue(err.endswith("motet: error: packages could not be installed; the lines above are the end of "
                                     f"{self.clone}/build/packages_of_node.log\n"), err)
        self.assertNotIn("the build failed", err)

    def test_second_run_only_runs(self):
        self.run_motet()
        before = self.log()
        self.assertEqual(self.run_motet("again"), (0, f"{self.clone}: again\n", ""))
        self.assertEqual(self.log(), before)

    def test_builds_when_a_source_changed_or_came_or_went(self):
        self.run_motet()
        extra = self.clone / "src" / "extra"
        for change in (extra.touch, extra.unlink, (self.clone / "CMakeLists.txt").touch,
                       (self.clone / "web" / "package.json").touch):
            before = self.builds()
            time.sleep(0.02)  # the clock of file times ticks every few milliseconds
            change()
            self.run_motet()
            self.assertEqual(self.builds(), before + 1)
        (self.clone / "web" / "node_modules").mkdir()
        (self.clone / "web" / "node_modules" / "a.js").touch()
        self.run_motet()
        self.assertEqual(self.builds(), before + 1)

    def test_a_file_of_tomorrow_is_built_once(self):
        tomorrow = time.time() + 86400
        for name in ("CMakeLists.txt", "src/program"):
            os.utime(self.clone / name, (tomorrow, tomorrow))
        self.run_motet()
        self.assertEqual(self.builds(), 1)
        self.assertLess((self.clone / "CMakeLists.txt").stat().st_mtime, tomorrow)  # ninja compares with its outputs
        (self.machine / "bin" / "touch").unlink()  # as if the file were not ours
        os.utime(self.clone / "src" / "program", (tomorrow, tomorrow))
        self.run_motet()
        self.assertEqual(self.run_motet("x"), (0, f"{self.clone}: x\n", ""))
        self.assertEqual(self.builds(), 2)

    def test_a_file_of_long_ago_is_built(self):
        self.run_motet()
        os.utime(self.clone / "src" / "program", (1, 1))  # an old version checked out with its time
        self.run_motet()
        self.assertEqual(self.builds(), 2)

    def test_tells_how_far_the_build_is(self):
        self.environment.update(BUILD_SECONDS="1.5", MOTET_PROGRESS_EVERY="0.4")
        lines = [line for line in self.run_motet()[2].splitlines() if line.startswith("building motet: ")]
        self.assertGreaterEqual(len(lines), 2)
        for line in lines:
            self.assertRegex(line, r"^building motet: 30 of 120 steps in [0-3] s, about \d s left$")

    def test_a_terminal_gets_one_line_that_changes(self):
        self.run_motet()
        (self.clone / "src" / "extra").touch()
        self.environment["BUILD_SECONDS"] = "1.5"
        ours, theirs = pty.openpty()
        subprocess.run([self.clone / "motet"], env=self.environment, stdout=subprocess.DEVNULL, stderr=theirs, timeout=60,
                       check=True)
        os.close(theirs)
        shown = os.read(ours, 10000).decode()
        os.close(ours)
        self.assertRegex(shown, r"\r\x1b\[Kbuilding motet: 30 of 120 steps in \d s, about \d s left\r\x1b\[K$")

    def test_builds_afresh_when_the_clone_was_moved(self):
        self.run_motet()
        moved = self.clone.rename(self.machine / "moved")
        code, out, _ = self.run_motet("x", program=moved / "motet", cwd=moved)
        self.assertEqual((code, out), (0, f"{moved}: x\n"))
        self.assertIn("cmake --preset release --fresh", self.log()[-2])

    def test_uses_the_callers_folder_and_a_link(self):
        link = self.machine / "link"
        link.symlink_to("a clone/motet")
        code, out, _ = self.run_motet("votes.csv", "two words", program=link, cwd=self.machine)
        self.assertEqual((code, out), (0, f"{self.machine}: votes.csv two words\n"))

    def test_passes_exit_codes_and_signals(self):
        self.run_motet()
        self.assertEqual(self.run_motet("exit", "4"), (4, "", ""))
        process = self.start("wait")
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_failed_build_shows_its_output_and_is_tried_again(self):
        (self.clone / "src" / "broken").touch()
        code, out, err = self.run_motet()
        self.assertEqual((code, out), (1, ""))
        self.assertIn("[30/120] Building\nbroken.cpp:1: error\nmotet: error: the build failed; ", err)
        (self.clone / "src" / "broken").unlink()
        self.assertEqual(self.run_motet()[0], 0)

    def test_two_first_runs_build_once(self):
        self.environment["BUILD_SECONDS"] = "0.5"
        first, second = self.start("1"), self.start("2")
        results = [process.communicate(timeout=60)[0] for process in (first, second)]
        self.assertEqual(results, [f"{self.clone}: 1\n", f"{self.clone}: 2\n"])
        self.assertEqual(self.builds(), 1)

    def test_the_second_of_two_first_runs_says_that_it_waits(self):
        self.environment.update(BUILD_SECONDS="1.5", MOTET_PROGRESS_EVERY="0.4")
        first = self.start("1")
        while not self.builds():
            time.sleep(0.01)
        code, out, err = self.run_motet("2")
        first.communicate(timeout=60)
        self.assertEqual((code, out), (0, f"{self.clone}: 2\n"))
        lines = err.splitlines()
        self.assertEqual(lines[0], "motet: another ./motet is building here; waiting until it is done")
        self.assertRegex(lines[1], r"^motet: waiting for the other build: 30 of 120 steps in \d s, about \d s left$")
        self.assertEqual(self.builds(), 1)

    def trouble(self, text):
        (self.machine / "trouble").write_text(text)
        code, out, err = self.run_motet()
        self.assertEqual(out, "")
        self.assertIn(text, err)
        return code, err.splitlines()[-1]

    def test_npm_without_a_network_is_no_defect(self):
        for word in ("ERR!", "error"):
            code, last = self.trouble(f"npm {word} code EAI_AGAIN\n")
            self.assertEqual(code, 5)
            self.assertTrue(last.startswith("motet: error: npm could not fetch the plotting library of the reports, "
                                            "which web/package-lock.json names; connect to the network, "), last)

    def test_limits_of_the_machine_are_no_defects(self):
        self.assertEqual(self.trouble("x.o: No space left on device\n"),
                         (5, "motet: error: the disk is full; make room and start again"))
        self.assertEqual(self.trouble("g++: fatal error: Killed signal terminated program cc1plus\n"),
                         (5, "motet: error: a compiler ran out of memory; start again with MOTET_JOBS=1 in the "
                             "environment"))

    def test_a_build_folder_of_someone_else(self):
        (self.clone / "build" / ".lock").mkdir(parents=True)  # what even root cannot write
        code, out, err = self.run_motet()
        self.assertEqual((code, out), (5, ""))
        self.assertRegex(err, rf"^motet: error: {self.clone}/build cannot be written; it must be built by \w+, to whom "
                              r"the folder belongs \(others can then run it\), or in a copy of your own\n$")
        self.assertEqual(self.log(), [])

    def test_node_from_elsewhere_is_enough(self):
        self.script(self.machine / "bin" / "node", "#!/bin/sh\necho v18.20.4\n")
        self.script(self.machine / "bin" / "npm", "#!/bin/sh\necho 9.2.0\n")
        self.assertNotIn("installing nodejs", self.run_motet()[2])

    def test_old_node_is_not_enough(self):
        self.script(self.machine / "bin" / "node", "#!/bin/sh\necho v12.22.12\n")
        self.script(self.machine / "bin" / "npm", "#!/bin/sh\necho 7.5.2\n")
        self.assertIn("installing nodejs", self.run_motet()[2])

    def with_python(self):
        """A Python that makes the environment, whose own tells what it is given."""
        (self.clone / "python").mkdir()
        (self.clone / "python" / "module.py").touch()
        self.environment["MOTET_PYTHON"] = str(self.machine / "python3")
        self.script(self.machine / "python3",
                    '#!/bin/sh\necho "python $*" >>"$MACHINE/log"\n[ ! -e "$MACHINE/trouble" ] || { cat "$MACHINE/trouble"; '
                    'exit 1; }\nmkdir -p "$2/bin"; printf \'#!/bin/sh\\necho "in $0: $*"\\n\' >"$2/bin/python"\n'
                    'chmod +x "$2/bin/python"\n')
        return self.clone / "build" / "venv"

    def test_python_installs_the_package_and_starts(self):
        folder = self.with_python()
        code, out, err = self.run_motet("python", "a.py", "b")
        self.assertEqual((code, out), (0, f"in {folder}/bin/python: a.py b\n"), err)
        self.assertIn("installing python3-numpy: arrays", err.splitlines())
        self.assertTrue(err.endswith("building the Python package (some minutes the first time, later only what has changed)\n"))
        made = f"python {self.clone}/python/environment.py {folder}"
        self.assertEqual(self.log().count(made), 1)
        self.assertEqual(self.run_motet("python", "c"), (0, f"in {folder}/bin/python: c\n", ""))
        self.assertEqual(self.log().count(made), 1)
        (self.clone / "python" / "module.py").write_text("new")
        self.assertEqual(self.run_motet("python")[:2], (0, f"in {folder}/bin/python: \n"))
        self.assertEqual(self.log().count(made), 2)
        self.assertEqual(self.builds(), 0)

    def test_a_package_that_cannot_be_built_is_told(self):
        self.with_python()
        (self.machine / "trouble").write_text("x.cpp:1: error\n")
        code, out, err = self.run_motet("python")
        self.assertEqual((code, out), (1, ""))
        self.assertTrue(err.endswith(f"x.cpp:1: error\nmotet: error: the build failed; the lines above are the end of "
                                     f"{self.clone}/build/release.log\n"), err)

    def test_ordinary_user_with_sudo(self):
        self.environment["USER_ID"] = "1000"
        self.script(self.machine / "bin" / "sudo", '#!/bin/sh\necho "sudo $*" >>"$MACHINE/log"\nexec "$@"\n')
        code, _, err = self.run_motet()
        self.assertEqual(code, 0)
        self.assertEqual(err.splitlines()[0], "motet: using sudo to install packages")
        self.assertTrue(self.log()[0].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get"))

    def test_ordinary_user_without_sudo(self):
        self.environment["USER_ID"] = "1000"
        for name in ("g++", "cmake", "ninja-build", "libeigen3-dev", "libfmt-dev", "nlohmann-json3-dev", "libcli11-dev",
                     "libboost-dev", "libsndfile1-dev", "libsoxr-dev", "libsqlite3-dev", "libpugixml-dev",
                     "libsvm-dev", "libxgboost-dev", "libmatio-dev", "nodejs", "npm", "ca-certificates"):
            (self.machine / "installed" / name).touch()
        self.assertEqual(self.run_motet(), (5, "", (
            "motet: error: packages are missing and there is neither root nor sudo to install them; run as root: "
            "apt-get update && apt-get install -y --no-install-recommends zlib1g-dev\n")))

    def test_failed_installation_shows_its_output(self):
        (self.machine / "offline").touch()
        code, out, err = self.run_motet()
        self.assertEqual((code, out), (5, ""))
        self.assertTrue(err.endswith("no network\nmotet: error: packages could not be installed; the lines above are "
                                     f"the end of {self.clone}/build/packages.log\n"), err)


if __name__ == "__main__":
    unittest.main()
