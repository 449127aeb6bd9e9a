"""Figures of a campaign in docs/verdict.md, between the marks of its script."""
import pathlib

PAGE = pathlib.Path(__file__).parents[2] / "docs/verdict.md"


def write(marks, text):
    """Puts figures between two marks of the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split(marks[0])
    after = rest.split(marks[1])[1]
    PAGE.write_text(f"{before}{marks[0]}\n{text}\n{marks[1]}{after}", encoding="utf-8")
