"""The documentation runner: planted right and wrong pages."""
import contextlib
import io
import textwrap
import unittest

from planted_tree import PlantedTree  # finds the tools
import run_docs


class RunDocs(PlantedTree):
    def setUp(self):
        super().setUp()
        (self.root / "samples").mkdir()
        (self.root / "samples" / "votes.csv").write_text("item,judge,label\n")
        program = self.root / "build" / "develop" / "motet"
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho "motet $*"\n[ "$1" != fail ] || exit "$2"\n')
        program.chmod(0o755)

    def run_docs(self, page, *options):
        (self.root / "README.md").write_text(textwrap.dedent(page), encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = run_docs.main(["--root", str(self.root), "--timeout", "20", *options])
        return code, out.getvalue()

    def expect_right(self, page, commands):
        code, out = self.run_docs(page)
        self.assertEqual((code, out), (0, f"1 pages, {commands} commands, 0 problems\n"))

    def test_right_blocks(self):
        self.expect_right("""\
            ```sh
            $ motet demo
            motet demo
            $ ./motet one \\
                two
            motet one two
            $ cat samples/votes.csv
            item,judge,label
            $ head -n 1 "$MOTET_SAMPLES/votes.csv"
            item,judge,label
            ```
            """, 4)

    def test_state_lasts_through_the_page(self):
        self.expect_right("""\
            ```sh
            $ mkdir deep && cd deep && name=x && echo 1 >kept
            ```
            Text.
            ```sh
            $ cat kept; echo $name
            1
            x
            ```
            """, 2)

    def test_here_document_and_stderr(self):
        self.expect_right("""\
            ```sh
            $ cat >a.txt <<'END'
            $ not a command
            END
            $ cat a.txt; echo problem >&2
            …not a command
            problem
            ```
            """, 2)

    def test_wildcards(self):
        self.expect_right("""\
            ```sh
            $ seq 1 100
            1
            ...
            99
            100
            $ echo took 1.25 s, 3 items
            took … s, 3 items
            $ echo
            $ true
            ...
            ```
            """, 4)

    def test_other_blocks_are_not_run(self):
        self.expect_right("""\
            ```sh skip
            $ false
            ```
            ```
            $ false
            ```
            ````md
            ```sh
            $ false
            ```
            ````
            """, 0)

    def test_indented_block(self):
        self.expect_right("""\
            1. First:
               ```sh
               $ motet a
               motet a
               ```
            """, 1)

    def test_wrong_output_names_file_line_and_difference(self):
        code, out = self.run_docs("""\
            Text.

            ```sh
            $ motet a
            motet a
            $ echo 1.0 ms; motet b
            … ms
            motet c
            ```
            """)
        self.assertEqual(code, 1)
        self.assertEqual(out, textwrap.dedent("""\
            README.md:6: $ echo 1.0 ms; motet b
              the page says (-), the program says (+):
                @@ -1,2 +1,2 @@
                 … ms
                -motet c
                +motet b
            1 pages, 2 commands, 1 problems
            """))

    def test_missing_and_extra_output_are_wrong(self):
        for printed, shown in [("true", "a"), ("echo a", ""), ("seq 3", "1\n2"), ("seq 2", "1\n...\n3"), ("echo ab", "a…c")]:
            with self.subTest(printed):
                self.assertEqual(self.run_docs(f"```sh\n$ {printed}\n{shown}\n```\n")[0], 1)

    def test_failing_command_must_be_announced(self):
        code, out = self.run_docs("```sh\n$ motet fail 3\nmotet fail 3\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("README.md:2: $ motet fail 3\n  exits 3; if that is meant, end the command with '# exits 3'\n", out)
        self.expect_right("```sh\n$ motet fail 3  # exits 3\nmotet fail 3\n```\n", 1)
        self.expect_right("```sh\n$ motet fail 3\nmotet fail 3\n$ echo $?\n3\n```\n", 2)
        code, out = self.run_docs("```sh\n$ true # exits 3\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("exits 0, the page says 3", out)

    def test_syntax_error_does_not_hide_the_rest(self):
        code, out = self.run_docs("```sh\n$ if\n$ echo a\nb\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("README.md:2:", out)
        self.assertIn("README.md:3:", out)

    def test_block_without_command(self):
        self.assertEqual(self.run_docs("```sh\nmake\n```\n"), (1, textwrap.dedent("""\
            README.md:2: a sh block starts with '$ COMMAND'; or mark it 'sh skip'
            1 pages, 0 commands, 1 problems
            """)))

    def test_command_that_never_ends(self):
        code, out = self.run_docs("```sh\n$ sleep 60\n$ echo a\na\n```\n", "--timeout", "0.2")
        self.assertEqual(code, 1)
        self.assertIn("README.md:2: $ sleep 60\n  did not end in time, or ended the shell\n", out)

    def test_pages_do_not_share_a_folder(self):
        (self.root / "docs" / "deep").mkdir(parents=True)
        (self.root / "docs" / "deep" / "a.md").write_text("```sh\n$ ls\nmotet\nsamples\n```\n")
        code, out = self.run_docs("```sh\n$ touch left\n```\n")
        self.assertEqual((code, out), (0, "2 pages, 2 commands, 0 problems\n"))

    def test_update_rewrites_only_what_differs(self):
        page = textwrap.dedent("""\
            - A list:
              ```sh
              $ echo took 5 ms; echo b
              took … ms
              a

              $ seq 9
              1
              ...
              ```
            """)
        code, out = self.run_docs(page, "--update")
        self.assertEqual((code, out), (0, "1 pages, 2 commands, 0 problems, 1 outputs rewritten\n"))
        self.assertEqual((self.root / "README.md").read_text(encoding="utf-8"), page.replace("\n  a\n", "\n  b\n"))


if __name__ == "__main__":
    unittest.main()
