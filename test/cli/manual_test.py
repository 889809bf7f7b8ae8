"""The manual pages are read by groff without a warning, and bash completes what they tell.

usage: manual_test.py FOLDER     with the files that motet_manual wrote
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


def complete(*words):
    """What bash offers for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    script = (f"source '{FOLDER / 'motet'}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _motet; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


class Manual(unittest.TestCase):
    def pages(self):
        return sorted(FOLDER.glob("*.1"))

    def test_a_page_for_the_program_and_each_task(self):
        self.assertEqual([page.name for page in self.pages()],
                         ["motet-audio.1", "motet-discover.1", "motet-judges.1", "motet-multilabel.1", "motet-roles.1",
                          "motet-superset.1", "motet-temporal.1", "motet.1"])

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_groff_has_nothing_to_say(self):
        for page in self.pages():
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-rLL=100n", str(page)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("SYNOPSIS", re.sub(".\x08", "", done.stdout))

    def test_every_option_of_a_page_is_completed(self):
        text = (FOLDER / "motet-judges.1").read_text().replace("\\-", "-")
        sections = re.split(r"^\.SS judges ", text, flags=re.MULTILINE)[1:]
        self.assertGreater(len(sections), 3)
        for section in sections:
            verb = section.split("\n", 1)[0]
            told = re.findall(r"^\\fB(--[a-z-]+)\\fP", section, flags=re.MULTILINE)
            self.assertEqual(sorted(complete("motet", "judges", verb, "--")), sorted(told + ["--help"]), verb)

    def test_bash_completes_tasks_verbs_and_choices(self):
        self.assertEqual(complete("motet", "jud"), ["judges"])
        self.assertIn("estimate", complete("motet", "judges", ""))
        self.assertEqual(complete("motet", "judges", "estimate", "v.csv", "--noise", "sym"), ["symmetric"])
        self.assertEqual(complete("motet", "demo", "--quie"), ["--quiet"])

    def test_other_shells(self):
        for shell, name, options in (("zsh", "_motet", ["-n"]), ("fish", "motet.fish", ["--no-execute"])):
            text = (FOLDER / name).read_text()
            self.assertIn("estimate", text)
            if shutil.which(shell):
                subprocess.run([shell, *options, str(FOLDER / name)], check=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
