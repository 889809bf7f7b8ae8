#!/usr/bin/env python3
"""Peak memory of the main verb of each task, as a multiple of its data.

The data are made here and are large enough that a second copy of them shows. A bound is a multiple of the data as the
program holds them plus what it needs without any (PROGRAM). Multiples are those measured, given with each test, and
half of the data more: enough for another allocator, too little for another copy.

Usage: memory_test.py PATH_OF_MOTET
"""
import os
import random
import struct
import sys
import tempfile
import unittest
from pathlib import Path

MOTET = ""
PROGRAM = 30 << 20  # `motet --version` has 24 MB: code, libraries (6 MB for XGBoost alone), allocator
NUMBER = 8  # bytes of a feature
THREADS = "2"  # each has room of its own


def peak(folder, *words):
    """Bytes that `motet WORDS` had in memory at most."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.execv(MOTET, [MOTET, *words, "--threads", THREADS, "--quiet"])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise AssertionError(f"motet {' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss * 1024


class PeakMemory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def simulate(self, task, *words):
        peak(self.folder, task, "simulate", *words)

    def expect_below(self, multiple, data, *words):
        found = peak(self.folder, *words)
        self.assertLess(found, multiple * data + PROGRAM,
                        f"{found >> 20} MB for {data / 2**20:.0f} MB of data: {(found - PROGRAM) / data:.2f} times")

    def rows_in_time(self, rows, columns):
        """A background with a rare event, from a few hundred random lines that come again."""
        rng = random.Random(1)
        lines = [[",".join(f"{rng.gauss(mean, 1.0):.3f}" for _ in range(columns)) for _ in range(499)]
                 for mean in (0.0, 4.0)]
        with open(self.folder / "rows.csv", "w") as file:
            file.write(",".join(f"x{i}" for i in range(columns)) + "\n")
            for n in range(rows):
                file.write(lines[1 if n % 2000 >= 1950 else 0][n * 7 % 499] + "\n")
        return rows * columns * NUMBER

    def multilabel(self, *options):
        self.simulate("multilabel", "--items", "50000", "--features", "100", "--out", "items.csv")
        return 50000 * 100 * NUMBER, ("multilabel", "train", "items.csv", "--label-count", "4", "--model", "m.json",
                                      *options)

    def test_multilabel_train(self):
        data, words = self.multilabel()
        # Measured: 1.2. Items, and what is known of each when it was held out; folds copy nothing.
        self.expect_below(1.6, data, *words)

    def test_multilabel_train_with_prepared_features(self):
        data, words = self.multilabel("--standardize")
        # Measured: 2.1. Items, and beside them those of one fold at a time as the preparation of that fold leaves them.
        self.expect_below(2.5, data, *words)

    def test_audio_features_of_a_day(self):
        rate, seconds = 8000, 24 * 3600
        size = rate * seconds  # bytes: one channel of 8 bits
        with open(self.folder / "day.wav", "wb") as file:
            file.write(struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVEfmt ", 16, 1, 1, rate, rate, 1, 8, b"data", size))
            file.truncate(file.tell() + size)  # takes no place on the disk
        for out in ("day.csv", "day.npy"):
            found = peak(self.folder, "audio", "features", "day.wav", "--precision", "single", "--out", out)
            self.assertLess(found, 60 << 20, f"{found >> 20} MB")  # measured: 20
            os.remove(self.folder / out)

    def test_judges_estimate(self):
        self.simulate("judges", "--items", "300000", "--judges", "10", "--classes", "3", "--out", "votes.csv")
        # A vote is an item, a judge and a label in 8 bytes. Measured: 1.9, names of items among it.
        self.expect_below(2.4, 300000 * 10 * 8, "judges", "estimate", "votes.csv")

    def test_roles_mine(self):
        self.simulate("roles", "--users", "20000", "--permissions", "800", "--roles", "4", "--role-density", "0.05",
                      "--noise-fraction", "0.02", "--out", "access.csv")
        with open(self.folder / "access.csv") as file:
            held = sum(1 for _ in file) - 1
        # What is held is read as pairs of numbers in 8 bytes. Measured: 2.2, the room of the search among it.
        self.expect_below(2.7, held * 8, "roles", "mine", "access.csv", "--roles", "4", "--model", "m.json")

    def test_roles_mine_many_roles(self):
        self.simulate("roles", "--users", "20000", "--permissions", "8000", "--roles", "100", "--role-density", "0.002",
                      "--max-roles-per-user", "3", "--noise-fraction", "0.05", "--set-probability", "0.004",
                      "--out", "access.csv")
        # A bit for each user and permission: numbers for users times sets or permissions would be many times that.
        # Measured: 4.3, what is held by user and by permission and the probabilities of the roles among it.
        self.expect_below(5.0, 20000 * 8000 / 8, "roles", "mine", "access.csv", "--roles", "100")

    def test_superset_train(self):
        self.simulate("superset", "--items", "20000", "--dimensions", "200", "--classes", "4", "--out", "items.csv")
        # Measured: 1.8. Items, and those of the other parts beside them while a part is held out.
        self.expect_below(2.3, 20000 * 200 * NUMBER, "superset", "train", "items.csv", "--truth-column", "truth",
                          "--method", "logistic-em", "--model", "m.json")

    def test_temporal_fit(self):
        data = self.rows_in_time(60000, 40)
        # Measured: 1.7. Rows, and what is computed for each of them.
        self.expect_below(2.2, data, "temporal", "fit", "rows.csv", "--components", "2", "--model", "m.json")

    def test_discover_start(self):
        data = self.rows_in_time(60000, 40)
        # Measured: 1.9. Rows, what is computed for each of them, and those on the way to the file.
        self.expect_below(2.4, data, "discover", "start", "search.motet", "rows.csv")


if __name__ == "__main__":
    MOTET = os.path.abspath(sys.argv.pop(1))
    unittest.main()
