"""Figures of a campaign on a page of docs, between the marks of its script."""
import pathlib

PAGE = pathlib.Path(__file__).parents[2] / "docs/verdict.md"


def options_of(parser, *parts):
    """The options; one of `parts`, of which the page would have a part of the campaign, is refused beside --write."""
    options = parser.parse_args()
    given = [f"--{part}" for part in parts if getattr(options, part) != parser.get_default(part)]
    if options.write and given:
        parser.error(f"--write is of the whole campaign: leave out {', '.join(given)}")
    return options


def write(marks, text, page=PAGE):
    """Puts figures between two marks of the page."""
    before, rest = page.read_text(encoding="utf-8").split(marks[0])
    after = rest.split(marks[1])[1]
    page.write_text(f"{before}{marks[0]}\n{text}\n{marks[1]}{after}", encoding="utf-8")
