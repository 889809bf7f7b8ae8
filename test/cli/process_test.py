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

    def test_a_closed_pipe_is_an_error_and_no_death(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        ran = subprocess.run([MOTET, "judges", "simulate"], stdout=write_end, stderr=subprocess.PIPE, text=True,
                             check=False)
        os.close(write_end)
        self.assertEqual((ran.returncode, ran.stderr),
                         (5, "motet: error: standard output cannot be written: Broken pipe\n"))

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
