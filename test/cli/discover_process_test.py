#!/usr/bin/env python3
"""A project under fire: processes killed while they label, two at once, a disk that is full.

Usage: discover_process_test.py PATH_OF_MOTET [--rounds N] [--seed S]
"""
import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

MOTET = ""
ROUNDS = 40
SEED = 1
ROUNDS_A_PROJECT = 50


def option(name, default):
    """Takes `--name N` out of the arguments."""
    if f"--{name}" not in sys.argv:
        return default
    at = sys.argv.index(f"--{name}")
    value = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    return value


def with_no_leak_check(environment):
    return ":".join(filter(None, (environment.get("ASAN_OPTIONS"), "detect_leaks=0")))


class DiscoverProcessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.run_ok("generate", "--rows", "300", "--dimensions", "3", "--classes", "2", "--event-length", "11",
                    "--out", "data.csv")

    def run_motet(self, *words):
        return subprocess.run([MOTET, "discover", *words, "--quiet"], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def run_ok(self, *words):
        ran = self.run_motet(*words)
        self.assertEqual(ran.returncode, 0, f"{words}: {ran.stderr}")
        return ran.stdout

    def start(self, name, folder="."):
        self.run_ok("start", f"{folder}/{name}", "data.csv", "--leave-out", "y", "--radius", "5", "--components", "2",
                    "--threads", "1")

    def history(self, name):
        """(number, item, class, is undone) of all answers."""
        answers = json.loads(self.run_ok("export", name, "--format", "json"))["answers"]
        return [(one["number"], one["item"], one.get("class"), one["undone"]) for one in answers]

    def next_items(self, name):
        return json.loads(self.run_ok("next", name, "--json", "-"))["items"]

    def check_file(self, name):
        with contextlib.closing(sqlite3.connect(self.folder / name)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])

    def killed(self, delay, *words):
        """What a process said that was killed after `delay` seconds, if it still ran.

        Leaks are not looked for: a leak check that is killed midway says so on the process's standard error.
        """
        process = subprocess.Popen([MOTET, "discover", *words, "--quiet"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "ASAN_OPTIONS": with_no_leak_check(os.environ)})
        time.sleep(delay)
        was_running = process.poll() is None
        process.kill()
        out, err = process.communicate()
        self.assertEqual(err, "")
        return out, was_running

    def test_a_killed_process_loses_nothing_that_was_acknowledged(self):
        lot = random.Random(SEED)
        kills = in_time = unacknowledged = 0
        usual = 0.05
        for round_number in range(ROUNDS):
            if round_number % ROUNDS_A_PROJECT == 0:
                for name in ("p.motet", "twin.motet", "scratch.motet"):
                    (self.folder / name).unlink(missing_ok=True)
                    self.start(name)
                held = []
                count = 0
                began = time.monotonic()
                self.run_ok("label", "scratch.motet", "7", "--nothing")
                usual = time.monotonic() - began
            questions = self.next_items("twin.motet")
            item = questions[0]["item"] if questions else str(lot.randrange(1, 301))
            undoes = held and lot.random() < 0.15
            answer = lot.choice((["frog"], ["owl"], ["--nothing"], ["--not-sure"]))
            words = ("undo", "{}") if undoes else ("label", "{}", item, *answer)
            out, was_running = self.killed(lot.random() * 1.3 * usual, *(word.format("p.motet") for word in words))
            kills += was_running
            acknowledged = " is undone: " in out if undoes else " is on the disk: " in out

            history = self.history("p.motet")
            live = [one for one in history if not one[3]]
            self.assertEqual([one[0] for one in history], list(range(1, len(history) + 1)))
            if undoes:
                happened = len(live) == len(held) - 1
                expected = held[:-1] if happened else held
            else:
                happened = len(history) == count + 1
                expected = held + [(count + 1, item, None if answer[0].startswith("-") else answer[0], False)]
                expected = expected if happened else held
            self.assertEqual(live, expected)
            self.assertTrue(happened or not acknowledged, f"round {round_number}: an acknowledged answer is gone")
            unacknowledged += happened and not acknowledged
            in_time += happened
            if happened:
                self.run_ok(*(word.format("twin.motet") for word in words))
            held, count = live, len(history)
            self.assertEqual(self.next_items("p.motet"), self.next_items("twin.motet"), f"round {round_number}")
            if round_number % 10 == 9:
                self.check_file("p.motet")
        print(f"{ROUNDS} rounds: {kills} processes killed while they ran, {in_time} answers or undos made it to the "
              f"disk, {unacknowledged} of them not yet acknowledged")

    def test_two_that_label_at_once_lose_nothing(self):
        self.start("p.motet")
        self.start("twin.motet")
        count = 12
        script = "for i in $(seq {0} {1}); do \"$MOTET\" discover label p.motet $i {2} --by {3} --quiet || exit 1; done"
        runs = [subprocess.Popen(["bash", "-c", script.format(first, first + count - 1, name, by)], cwd=self.folder,
                                 env={**os.environ, "MOTET": MOTET}, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
                for first, name, by in ((1, "frog", "Ada"), (101, "owl", "Bo"))]
        while any(run.poll() is None for run in runs):
            self.next_items("p.motet")  # a reader is never in the way
        for run in runs:
            self.assertEqual(run.returncode, 0, run.communicate()[1])
            run.stderr.close()
        history = self.history("p.motet")
        self.assertEqual([one[0] for one in history], list(range(1, 2 * count + 1)))
        self.assertEqual(sorted(int(one[1]) for one in history), [*range(1, 1 + count), *range(101, 101 + count)])
        for _, item, name, _ in history:
            self.run_ok("label", "twin.motet", item, name)
        self.assertEqual(self.next_items("p.motet"), self.next_items("twin.motet"))
        self.check_file("p.motet")

    def test_people_who_ask_under_their_names_never_get_the_same_question(self):
        self.start("p.motet")
        script = ("for i in $(seq 8); do item=$(\"$MOTET\" discover next p.motet --by {0} --json - --quiet | "
                  "sed -n 's/.*\"item\": \"\\([0-9]*\\)\".*/\\1/p') && echo $item && "
                  "\"$MOTET\" discover label p.motet $item --nothing --by {0} --count 0 --quiet > label.{0} || exit 1; done")
        runs = [subprocess.Popen(["bash", "-c", script.format(name)], cwd=self.folder,
                                 env={**os.environ, "MOTET": MOTET}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
                for name in ("Ada", "Bo", "Cem")]
        items = []
        for run in runs:
            out, err = run.communicate()
            self.assertEqual((run.returncode, err), (0, ""))
            items += out.split()
        self.assertEqual(len(items), 24)
        self.assertEqual(len(set(items)), 24, items)
        self.check_file("p.motet")

    def test_a_killed_rename_or_reservation_is_whole_or_not_there(self):
        lot = random.Random(SEED)
        self.start("p.motet")
        self.start("twin.motet")
        for name in ("p.motet", "twin.motet"):
            self.run_ok("label", name, "7", "class 0")
        began = time.monotonic()
        self.run_ok("rename", "twin.motet", "class 0", "other")
        usual = time.monotonic() - began
        self.run_ok("undo", "twin.motet")
        current = 0
        for _ in range(ROUNDS):
            self.killed(lot.random() * 1.3 * usual, "next", "p.motet", "--by", lot.choice(("Ada", "Bo")), "--count", "3")
            words = ("rename", "{}", f"class {current}", f"class {current + 1}")
            out, _ = self.killed(lot.random() * 1.3 * usual, *(word.format("p.motet") for word in words))
            classes = [one["class"] for one in json.loads(self.run_ok("status", "p.motet", "--json", "-"))["classes"]]
            happened = classes == ["background", f"class {current + 1}"]
            self.assertTrue(happened or classes == ["background", f"class {current}"], classes)
            self.assertTrue(happened or " is on the disk: " not in out, "an acknowledged change is gone")
            if happened:
                current += 1
                self.run_ok(*(word.format("twin.motet") for word in words))
            self.assertEqual(self.next_items("p.motet"), self.next_items("twin.motet"))
        self.check_file("p.motet")
        print(f"{ROUNDS} rounds: {current} changes made it to the disk")

    def test_a_full_disk_is_told_and_nothing_is_lost(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=False)
        self.start("p.motet", "small")
        self.start("twin.motet")
        told = ("motet: error: small/p.motet: cannot be written: No space left on device; all that was acknowledged "
                "before is safe\n")
        acknowledged = 0
        (small / "ballast").write_bytes(bytes(os.statvfs(small).f_bavail * os.statvfs(small).f_bsize - 65536))
        for item in range(1, 300):
            ran = self.run_motet("label", "small/p.motet", str(item), "--nothing")
            if ran.returncode != 0:
                self.assertEqual((ran.returncode, ran.stderr, ran.stdout), (5, told, ""))
                break
            acknowledged += 1
        else:
            self.fail("the disk was never full")
        (small / "ballast").unlink()
        self.assertEqual(len(self.history("small/p.motet")), acknowledged)
        for item in range(1, acknowledged + 1):
            self.run_ok("label", "twin.motet", str(item), "--nothing")
        self.assertEqual(self.next_items("small/p.motet"), self.next_items("twin.motet"))
        self.run_ok("label", "small/p.motet", "200", "frog")
        self.check_file("small/p.motet")


if __name__ == "__main__":
    ROUNDS = option("rounds", ROUNDS)
    SEED = option("seed", SEED)
    MOTET = os.path.abspath(sys.argv.pop(1))
    unittest.main()
