#!/usr/bin/env python3
"""Small files that ask for much: refused before memory is taken. And degenerate runs, which print no nan.

Usage: limits_test.py PATH_OF_MOTET
"""
import gzip
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MOTET = ""
MEMORY = 400 << 20
NO_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[-+]?(?:nan|inf)(?![A-Za-z0-9_])", re.IGNORECASE)


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def sparse_mat(rows, columns):
    """A .mat of level 5 with a sparse matrix `data` in which one number is given."""
    starts = [0] + [1] * columns
    body = (element(6, struct.pack("<II", 5, 1)) + element(5, struct.pack("<ii", rows, columns)) + element(1, b"data")
            + element(5, struct.pack("<i", 3)) + element(5, struct.pack(f"<{len(starts)}i", *starts))
            + element(9, struct.pack("<d", 5)))
    return b"MATLAB 5.0".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + struct.pack("<II", 14, len(body)) + body


def wav(rate, promised):
    return (b"RIFF" + struct.pack("<I", promised + 36) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8)
            + b"data" + struct.pack("<I", promised) + b"\1\2" * 8000)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        if isinstance(content, str):
            (self.folder / name).write_text(content)
        else:
            (self.folder / name).write_bytes(content)
        return name

    def motet(self, *words, **more):
        return subprocess.run([MOTET, *words, "--quiet"], cwd=self.folder, capture_output=True, text=True, check=False,
                              **more)


@unittest.skipIf("MOTET_NO_MEMORY_LIMIT" in os.environ, "sanitizers need all addresses")
class Bombs(InFolder):
    def refused(self, code, *words):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        ran = self.motet(*words, preexec_fn=limit, timeout=60)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stderr

    def train(self, code, name):
        return self.refused(code, "superset", "train", name, "--model", "m.json")

    def test_sparse_tables(self):
        self.write("x.mat", sparse_mat(400_000_000, 1))
        self.assertEqual(self.train(3, "x.mat"),
                         "motet: error: x.mat: 400000000 x 1 is too large a table for the 1 number in it; at least one in "
                         "10000 must be given\n")
        self.write("x.svm", "1 1:1\n2 10000000:1\n")
        self.assertEqual(self.train(3, "x.svm"),
                         "motet: error: x.svm: 2 x 10000000 is too large a table for the 2 numbers in it; at least one in "
                         "10000 must be given\n")

    def test_sparse_rows_of_many_columns(self):
        header = "".join(f"@attribute a{i} numeric\n" for i in range(20000))
        self.write("x.arff", f"@relation 'r: -C 1'\n@attribute l {{0,1}}\n{header}@data\n" + "{0 1}\n" * 5000)
        told = self.refused(5, "multilabel", "train", "x.arff", "--model", "m.json")
        self.assertRegex(told, r"^motet: error: x\.arff: what is read of it would take .* of memory are free; ")

    def test_packed_tables_and_texts(self):
        for name, head, verb in (("x.csv.gz", b"x,y\n", ("temporal", "fit", "x.csv.gz", "--components", "2")),
                                 ("m.json", b'{"a":"', ("temporal", "apply", "v.csv", "--model", "m.json", "--assignments", "-"))):
            self.write("v.csv", "x\n1\n")
            with gzip.open(self.folder / name, "wb", 1) as file:
                file.write(head)
                for _ in range(300):
                    file.write(b"1,2\n" * 262144)
            told = self.refused(5, *verb)
            self.assertRegex(told, rf"^motet: error: {re.escape(name)}: .* of memory are free; ")

    def test_promises_of_headers(self):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (200000, 1000), }".ljust(117) + b"\n"
        self.write("x.npy", b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + b"\0" * 1_000_000)
        self.refused(3, "temporal", "fit", "x.npy", "--components", "2")
        self.write("x.wav", wav(2**31 - 1, 2**31))
        self.refused(3, "audio", "features", "x.wav", "--out", "f.csv")
        self.write("y.wav", wav(100, 2**32 - 40))
        self.refused(0, "audio", "features", "y.wav", "--out", "f.csv")

    def test_depth(self):
        self.write("x.xml", "<labels>" + "".join(f"<label name='{i}'>" for i in range(40000)) + "</label>" * 40000
                   + "</labels>")
        self.write("x.arff", "@relation r\n@attribute x numeric\n@attribute y {0,1}\n@data\n1,1\n")
        told = self.refused(3, "multilabel", "train", "x.arff", "--labels", "x.xml", "--model", "m.json")
        self.assertEqual(told, "motet: error: x.xml:1: labels are nested deeper than 200\n")
        self.write("x.json", '{"a":' * 1_000_000)
        self.refused(3, "temporal", "apply", "x.arff", "--model", "x.json", "--assignments", "-")

    def test_a_model_with_a_huge_radius(self):
        self.write("x.csv", "x\n" + "".join(f"{i % 7}\n" for i in range(40)))
        self.assertEqual(self.motet("temporal", "fit", "x.csv", "--components", "2", "--radius", "1", "--model",
                                    "m.json").returncode, 0)
        text = (self.folder / "m.json").read_text()
        edited = re.sub(r'"radius": 1\b', '"radius": 400000000', text)
        self.assertNotEqual(edited, text)
        self.write("m.json", edited)
        self.refused(3, "temporal", "apply", "x.csv", "--model", "m.json", "--assignments", "-")


class Degenerate(InFolder):
    """Valid data of which little can be said."""

    def check(self, *words, page=False, outputs=()):
        for name in ("o.json", "o.html", *outputs):
            (self.folder / name).unlink(missing_ok=True)
        ran = self.motet(*words, "--json", "o.json", *(("--report", "o.html") if page else ()))
        self.assertIn(ran.returncode, (0, 3, 4), f"{words}: {ran.stderr}")
        if ran.returncode != 0:
            return False
        texts = {"standard output": ran.stdout}
        for name in ("o.json", *outputs):
            texts[name] = (self.folder / name).read_text()
        if page:
            text = (self.folder / "o.html").read_text()
            text = re.sub(r"<script\b[^>]*>(?!\s*[\[{]).*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
            texts["page"] = text
        for name, text in texts.items():
            found = NO_NUMBER.search(text)
            self.assertIsNone(found, f"{words}: {name}: {text[max(0, found.start() - 80):found.end() + 20] if found else ''}")
        return True

    def test_judges(self):
        votes = {
            "one item": [(1, j, l) for j, l in zip("abc", "xyx")],
            "all agree": [(i, j, "xy"[i % 2]) for i in range(10) for j in "abc"],
            "one judge": [(i, "a", "xy"[i % 2]) for i in range(6)],
            "an item per class": [(i, j, "wxyz"[i]) for i in range(4) for j in "abc"],
        }
        for rows in votes.values():
            self.write("v.csv", "item,judge,label\n" + "".join(f"{i},{j},{l}\n" for i, j, l in rows))
            for more in ((), ("--smoothing", "0"), ("--noise", "symmetric"), ("--bootstrap", "1")):
                if self.check("judges", "estimate", "v.csv", *more, "--model", "m.json", "--combined", "c.csv", page=True,
                              outputs=("m.json", "c.csv")):
                    self.check("judges", "combine", "v.csv", "--model", "m.json", "--combined", "c.csv",
                               outputs=("c.csv",))

    def test_numbers_whose_squares_are_beyond_all_numbers(self):
        for power in (20, 100, 150, 300):
            self.write("p.csv", "item,a,b,c\n" + "".join(
                f"{i},{i}e{power},{1.1 * i + 0.3 * (i % 2)}e{power},{0.9 * i + 0.2 * (i % 3)}e{power}\n" for i in range(1, 7)))
            for noise in ("channel", "proportional", "deterministic"):
                self.check("judges", "regression", "p.csv", "--noise", noise, "--mean", "0", "--variance", "1",
                           "--noise-variance", "0.5", "--combined", "c.csv", page=True, outputs=("c.csv",))

    def test_roles(self):
        access = {"one user": [("u", "p"), ("u", "q")], "one permission": [("u", "p"), ("v", "p")],
                  "all hold all": [(f"u{i}", f"p{j}") for i in range(6) for j in range(4)]}
        for rows in access.values():
            self.write("a.csv", "user,permission\n" + "".join(f"{u},{p}\n" for u, p in rows))
            for more in ((), ("--noise", "none"), ("--method", "sac")):
                if self.check("roles", "mine", "a.csv", "--roles", "1", "--starts", "1", *more, "--model", "r.json",
                              page=True, outputs=("r.json",)):
                    self.check("roles", "evaluate", "a.csv", "--model", "r.json", "--repeats", "1", page=True)
            self.check("roles", "select", "a.csv", "--roles", "1..2", "--repeats", "1", page=True)

    def test_multilabel(self):
        items = {"two": [(1, 2, 1, 0), (2, 1, 0, 1)], "constant": [(1, 1, i % 2, 1 - i % 2) for i in range(8)],
                 "one set": [(i, i * i % 5, 1, 1) for i in range(8)],
                 "some": [(i % 3 + 0.1 * i, i * i % 5, i % 2, (i // 2) % 2 or 1 - i % 2) for i in range(12)]}
        self.write("far.csv", "x,y,a,b\n1e9,1e9,1,0\n1e200,1,0,1\n")
        for rows in items.values():
            self.write("m.csv", "x,y,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
            for more in ((), ("--method", "cross"), ("--covariance", "full")):
                if self.check("multilabel", "train", "m.csv", "--label-count", "2", *more, "--model", "ml.json", page=True,
                              outputs=("ml.json",)):
                    for name in ("m.csv", "far.csv"):
                        self.check("multilabel", "predict", name, "--label-count", "2", "--model", "ml.json", "--out",
                                   "p.csv", outputs=("p.csv",))
                        self.check("multilabel", "evaluate", name, "--label-count", "2", "--model", "ml.json", page=True)
                    self.check("multilabel", "analyze", "m.csv", "--label-count", "2", "--model", "ml.json", page=True)

    def test_superset(self):
        for power in (0, -150, -154, -155, -300, 150):
            self.write("s.csv", "x,y,candidates,truth\n" + "".join(
                f"{i + 1}e{power},{0.3 * i},{'ab'[i % 2] + ('|' + 'ab'[1 - i % 2] if i % 3 == 0 else '')},{'ab'[i % 2]}\n"
                for i in range(8)))
            for method in ("ipal", "knn", "naive", "logistic-em"):
                self.check("superset", "train", "s.csv", "--truth-column", "truth", "--folds", "2", "--method", method,
                           "--no-standardize", "--model", "s.json", page=True, outputs=("s.json",))

    def test_temporal_and_discover(self):
        tables = {"one row": "x,y\n1,2\n", "constant": "x,y\n" + "1,1\n" * 6,
                  "sequences of a row": "sequence,x\n" + "".join(f"s{i},{i}\n" for i in range(5))}
        for text in tables.values():
            self.write("t.csv", text)
            for more in ((), ("--covariance", "tied"), ("--floor", "0"), ("--max-iterations", "0")):
                self.check("temporal", "fit", "t.csv", "--components", "1", *more, "--assignments", "a.csv", page=True,
                           outputs=("a.csv",))
            for left in self.folder.glob("p.motet*"):
                left.unlink()
            if self.check("discover", "start", "p.motet", "t.csv", page=True):
                self.check("discover", "status", "p.motet", page=True)
        self.write("d.csv", "x,k\n1,a\n2,b\n1,a\n")
        for strategy in ("temporal", "literal", "nndm", "random"):
            self.check("discover", "simulate", "d.csv", "--truth-column", "k", "--repeats", "1", "--strategy", strategy,
                       page=True)


class ReadOnlyMedium(InFolder):
    def run_read_only(self, *words):
        """On a mount that cannot be written as root, in a folder that cannot be written as anybody else."""
        if os.geteuid() == 0:
            script = 'mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && exec "$@"'
            words = ["unshare", "-m", "sh", "-c", script, "sh", MOTET, *words, "--quiet"]
            return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        os.chmod(self.folder, 0o555)
        try:
            return self.motet(*words)
        finally:
            os.chmod(self.folder, 0o755)

    def test_a_project_is_read_there(self):
        if os.geteuid() == 0 and subprocess.run(
                ["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no mounts of its own can be had here")
        self.write("d.csv", "x\n" + "".join(f"{i * 7 % 11}\n" for i in range(60)))
        self.assertEqual(self.motet("discover", "start", "p.motet", "d.csv", "--radius", "3", "--components", "1").returncode, 0)
        for words in (("status",), ("next",), ("export",)):
            expected = self.motet("discover", words[0], "p.motet").stdout
            ran = self.run_read_only("discover", words[0], "p.motet")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), words)
            self.assertEqual(ran.stdout, expected)
        ran = self.run_read_only("discover", "label", "p.motet", "3", "owl")
        self.assertEqual((ran.returncode, ran.stderr),
                         (5, "motet: error: p.motet: cannot be written; a project and its folder must be writable\n"))


if __name__ == "__main__":
    MOTET = os.path.abspath(sys.argv.pop(1))
    unittest.main()
