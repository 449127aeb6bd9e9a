"""The table of last figures in docs/maintainers/testing.md."""

import datetime
import re
from dataclasses import dataclass

from runs import ROOT

PAGE = ROOT / "docs/maintainers/testing.md"
MARKS = "<!-- crash: begin -->", "<!-- crash: end -->"
HEAD = "| campaign | trials | wrong | s | date |\n| --- | ---: | ---: | ---: | --- |\n"


@dataclass
class Row:
    name: str
    number: int
    wrong: int
    seconds: float

    def line(self):
        today = datetime.date.today().isoformat()
        return f"| `{self.name}` | {self.number:,} | {self.wrong} | {self.seconds:.0f} | {today} |"


def write(rows):
    """Puts rows into the table; the others stay as they are, in the order of the first writing."""
    text = PAGE.read_text()
    before, rest = text.split(MARKS[0])
    old, after = rest.split(MARKS[1])
    lines = {re.match(r"\| `(\w+)`", line)[1]: line for line in old.splitlines() if line.startswith("| `")}
    lines |= {row.name: row.line() for row in rows}
    body = "\n".join(lines.values())
    PAGE.write_text(f"{before}{MARKS[0]}\n{HEAD}{body}\n{MARKS[1]}{after}")
