#!/usr/bin/env python3
"""What only a real process can show: signals, limits and closed streams.

Usage: process_test.py PATH_OF_MOTET
"""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MOTET = ""
SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "judges" / "votes.csv"
ACCESS = SAMPLE.parent.parent / "roles" / "access.csv"
LONG_FIT = ["judges", "estimate", str(SAMPLE), "--tolerance", "0", "--plain-em", "--max-iterations", "3000"]


class ProcessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def motet(self, *words, **more):
        return subprocess.run([MOTET, *words], cwd=self.folder, capture_output=True, text=True, check=False, **more)

    def stop(self, with_signal, *words):
        """Starts a long fit and stops it once its checkpoint is there."""
        checkpoint = self.folder / "ck"
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        process = subprocess.Popen([MOTET, *LONG_FIT, "--checkpoint", "ck", "--checkpoint-every", "0", *words],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            pass
        process.send_signal(with_signal)
        return process.wait(), process.communicate()[1]

    def test_goes_on_after_signals_and_a_sudden_death(self):
        whole = self.motet(*LONG_FIT, "--json", "whole.json", "--model", "whole.model")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        how = "; the checkpoint is in ck; the same command with --resume goes on from it\n"
        code, err = self.stop(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertTrue(err.endswith(how), err)
        code, err = self.stop(signal.SIGTERM, "--resume")
        self.assertEqual(code, 143, err)
        self.assertTrue(err.endswith(how), err)
        code, _ = self.stop(signal.SIGKILL, "--resume")
        self.assertEqual(code, -signal.SIGKILL)
        last = self.motet(*LONG_FIT, "--checkpoint", "ck", "--resume", "--json", "last.json", "--model", "last.model")
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertEqual(last.stdout, whole.stdout)
        for kind in ("json", "model"):
            self.assertEqual((self.folder / f"last.{kind}").read_bytes(), (self.folder / f"whole.{kind}").read_bytes())
        self.assertFalse((self.folder / "ck").exists())

    def test_reads_standard_input(self):
        piped = self.motet("judges", "estimate", "-", input=SAMPLE.read_text())
        self.assertEqual(piped.stdout, self.motet("judges", "estimate", str(SAMPLE)).stdout)
        self.assertEqual(piped.returncode, 0)

    def test_roles_read_standard_input(self):
        mine = ("--roles", "6", "--starts", "1", "--threads", "1", "--quiet")
        piped = self.motet("roles", "mine", "-", *mine, input=ACCESS.read_text())
        self.assertEqual(piped.stdout, self.motet("roles", "mine", str(ACCESS), *mine).stdout)
        self.assertEqual(piped.returncode, 0)

    def test_a_closed_pipe_is_the_end_and_no_error(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        ran = subprocess.run([MOTET, "judges", "simulate"], stdout=write_end, stderr=subprocess.PIPE, text=True,
                             check=False)
        os.close(write_end)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_who_reads_the_first_line_only_makes_no_failure(self):
        ran = self.shell("set -o pipefail; motet judges simulate --items 100000 | head -1")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "item,judge,label\n", ""))

    def shell(self, line):
        """Runs LINE with `motet` standing for the program; the shell makes the streams."""
        return subprocess.run(["bash", "-c", f"motet() {{ '{MOTET}' \"$@\"; }}; {line}"], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def test_a_log_that_is_added_to_keeps_what_it_had(self):
        self.motet("judges", "estimate", str(SAMPLE), "--combined", "labels.csv", "--json", "r.json", "--model", "m.json",
                   "--report", "r.html")
        told = self.motet("judges", "estimate", str(SAMPLE)).stdout
        warnings = "".join(line + "\n" for line in told.splitlines() if line.startswith("warning: "))
        self.assertNotEqual(warnings, "")  # what standard output has no place for goes to standard error
        log = self.folder / "log.txt"
        for option, wanted in (("--combined", "labels.csv"), ("--json", "r.json"), ("--model", "m.json"),
                               ("--report", "r.html")):
            for name in ("-", "/dev/stdout", "/dev/fd/1"):
                log.write_text("before\n")
                ran = self.shell(f"motet judges estimate '{SAMPLE}' {option} {name} >> log.txt")
                self.assertEqual((ran.returncode, ran.stderr), (0, "" if option == "--json" else warnings), (option, name))
                self.assertEqual(log.read_text(), "before\n" + (self.folder / wanted).read_text(), (option, name))

    def test_outputs_go_to_pipes_and_other_streams(self):
        self.motet("judges", "estimate", str(SAMPLE), "--combined", "labels.csv", "--model", "m.json")
        labels = (self.folder / "labels.csv").read_text()
        model = (self.folder / "m.json").read_text()
        estimate = f"motet judges estimate '{SAMPLE}'"
        self.assertEqual(self.shell(f"{estimate} --combined /dev/stdout | cat").stdout, labels)
        self.assertEqual(self.shell(f"{estimate} --combined /dev/stderr > /dev/null").stderr, labels)
        ran = self.shell(f"{estimate} --combined >(cat > a) --model >(cat > b) > /dev/null; wait $!; sleep 0.2; cat a b")
        self.assertEqual((ran.stdout, ran.stderr), (labels + model, ""))
        ran = self.shell(f"mkfifo f; cat f > c & {estimate} --combined f > /dev/null; wait; cat c")
        self.assertEqual(ran.stdout, labels)
        ran = self.shell(f"echo first > d; {estimate} --combined /dev/fd/3 3>> d > /dev/null; cat d")
        self.assertEqual(ran.stdout, "first\n" + labels)
        full = self.shell(f"{estimate} --model - > /dev/full")
        self.assertEqual((full.returncode, full.stderr),
                         (5, "motet: error: standard output cannot be written: No space left on device\n"))

    def test_an_output_does_not_replace_the_file_of_standard_output(self):
        ran = self.shell(f"echo first > r; motet judges estimate '{SAMPLE}' --json r >> r; cat r")
        self.assertEqual(ran.stdout, "first\n")
        self.assertEqual(ran.stderr, "motet: error: r: standard output goes to this file too; choose another name\n")

    def test_a_device_is_no_checkpoint_to_be_removed(self):
        os.mkfifo(self.folder / "pipe")
        ran = self.shell(f"cat pipe > /dev/null & motet judges estimate '{SAMPLE}' --checkpoint pipe "
                         "--checkpoint-every 1000000 > /dev/null; status=$?; exec 3<>pipe; exec 3>&-; wait; exit $status")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue((self.folder / "pipe").exists())

    def test_closed_streams_do_not_spoil_outputs(self):
        command = f"'{MOTET}' judges estimate '{SAMPLE}' --json {{}} {{}}"
        for name, closed in (("a", ""), ("b", "<&- 2>&-"), ("c", "<&- >&- 2>&-")):
            subprocess.run(command.format(name, closed), shell=True, cwd=self.folder, stdout=subprocess.DEVNULL,
                           check=False)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "c").read_bytes())

    def test_a_limit_of_file_size_is_an_error_and_leaves_nothing(self):
        ran = self.motet("judges", "simulate", "--items", "1000", "--out", "v.csv",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertEqual((ran.returncode, ran.stderr), (5, "motet: error: v.csv: cannot be written: File too large\n"))
        self.assertEqual(list(self.folder.iterdir()), [])

    @unittest.skipIf("MOTET_NO_MEMORY_LIMIT" in os.environ, "sanitizers need all addresses")
    def test_a_limit_of_memory_is_an_error(self):
        limit = 200 << 20
        ran = self.motet("judges", "simulate", "--items", "5000000", "--judges", "20", "--out", "v.csv",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual((ran.returncode, ran.stderr), (5, "motet: error: not enough memory\n"))
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    MOTET = os.path.abspath(sys.argv.pop(1))
    unittest.main()
