"""The code in docs/library.md is that of examples/, which the install test builds and runs."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class LibraryDocs(unittest.TestCase):
    def test_code_is_taken_from_the_examples(self):
        text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
        sources = {"cpp": "".join(path.read_text() for path in sorted((ROOT / "examples").glob("*.cpp"))),
                   "cmake": (ROOT / "examples" / "CMakeLists.txt").read_text()}
        found = re.findall(r"^```(\w+)([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(found), 4)
        for language, _, code in found:
            if language in sources:
                self.assertIn(code, sources[language])
            else:
                self.assertEqual(language, "sh")

    def test_every_header_is_named(self):
        text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
        for header in (ROOT / "include" / "motet").iterdir():
            self.assertIn(header.name + "`", text)


if __name__ == "__main__":
    unittest.main()
