"""The figure of tests/verdict/cenic.py at the width of a column: error against what was asked, CPU time against error."""
import math
import statistics

WIDTH, LEFT, RIGHT, HIGH = 237.6, 46.0, 228.0, 150.0
INK, SOFT, GRID = "#1F2A37", "#66717F", "#E2E6EB"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# errors below this are drawn at it
LEAST = 1e-14


def words(x, y, text, anchor="start", more=""):
    return f'<text{more} x="{x:.2f}" y="{y:.2f}" font-size="8" text-anchor="{anchor}" fill="{INK}">{text}</text>'


def line(points, colour, width, dashes=""):
    dashes = f' stroke-dasharray="{dashes}"' if dashes else ""
    places = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="{width}"{dashes} points="{places}"/>'


def symbol(x, y, ours, delivered=True):
    """A filled circle is ours, an open square CENIC's, a cross what was said not to be delivered."""
    if not delivered:
        return line([(x - 2, y - 2), (x + 2, y + 2)], INK, 1) + line([(x - 2, y + 2), (x + 2, y - 2)], INK, 1)
    if ours:
        return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.9" fill="{INK}"/>'
    return f'<rect x="{x - 1.8:.2f}" y="{y - 1.8:.2f}" width="3.6" height="3.6" fill="none" stroke="{SOFT}" stroke-width="0.9"/>'


class Panel:
    """Two logarithmic axes, by their first and last power of ten and the powers between two numbers."""

    def __init__(self, top, across, upwards, titles):
        self.top, self.across, self.upwards = top, across, upwards
        self.drawn = ['<g class="panel">', words(4.8, top - 6, titles[1])]
        bottom = top + HIGH
        for power in range(across[0], across[1] + 1, across[2]):
            x = self.place(10.0**power, 1)[0]
            self.drawn += [line([(x, top), (x, bottom)], GRID, 0.64), self.number(x, bottom + 11, power, "middle", "x")]
        for power in range(upwards[0], upwards[1] + 1, upwards[2]):
            y = self.place(1, 10.0**power)[1]
            self.drawn += [line([(LEFT, y), (RIGHT, y)], GRID, 0.64), self.number(LEFT - 4, y + 2.9, power, "end", "y")]
        self.drawn += [line([(LEFT, top), (LEFT, bottom), (RIGHT, bottom)], SOFT, 0.64)]
        self.drawn += [words((LEFT + RIGHT) / 2, bottom + 22, titles[0], "middle")]

    def number(self, x, y, power, anchor, axis):
        return words(x, y, "1" if power == 0 else "10" + str(power).translate(SUPERSCRIPT), anchor, f' class="{axis}"')

    def place(self, x, y):
        def share(value, axis):
            return min(max((math.log10(value) - axis[0]) / (axis[1] - axis[0]), 0.0), 1.0)

        return LEFT + share(x, self.across) * (RIGHT - LEFT), self.top + HIGH * (1 - share(y, self.upwards))

    def lines(self):
        return self.drawn + ["</g>"]


def figure(rows):
    """`rows` have the fields of `Row` in cenic.py."""
    asked = sorted({float(row.asked) for row in rows})
    first = Panel(50, (-8, 0, 1), (-14, 2, 2), ("accuracy asked", "delivered error, as a share of the size"))
    first.drawn.append(line([first.place(1e-8, 1e-8), first.place(1, 1)], INK, 0.8))
    second = Panel(250, (-14, 2, 4), (-4, 2, 1), ("delivered error, as a share of the size", "CPU time [s]"))
    for ours in (False, True):
        medians = []
        for accuracy in asked:
            own = [row for row in rows if float(row.asked) == accuracy]
            errors = [max(row.ours if ours else row.cenic, LEAST) for row in own]
            costs = [row.ours_cpu if ours else row.cenic_cpu for row in own]
            for row, error, cost in zip(own, errors, costs):
                delivered = row.delivered or not ours
                x, y = first.place(accuracy, error)
                first.drawn.append(symbol(x + (3 if ours else -3), y, ours, delivered))
                second.drawn.append(symbol(*second.place(error, cost), ours, delivered))
            medians.append((accuracy, statistics.median(errors), statistics.median(costs)))
        style = (INK, 1.2) if ours else (SOFT, 1.2, "4 2")
        shift = 3 if ours else -3
        places = [first.place(accuracy, error) for accuracy, error, _ in medians]
        first.drawn.append(line([(x + shift, y) for x, y in places], *style))
        second.drawn.append(line([second.place(error, cost) for _, error, cost in medians], *style))
    legend = [
        symbol(12, 9, False), line([(5, 9), (19, 9)], SOFT, 1.2, "4 2"), words(24, 12, "CENIC, Drake 1.51.1, and its median"),
        line([(178, 9), (190, 9)], INK, 0.8), words(194, 12, "as asked"),
        symbol(12, 20, True), line([(5, 20), (19, 20)], INK, 1.2), words(24, 23, "stiction, and its median"),
        symbol(146, 20, True, False), words(152, 23, "not delivered, said"),
    ]  # fmt: skip
    high = 432
    head = f'<svg width="3.3in" height="{high / 72:g}in" viewBox="0 0 {WIDTH} {high}" font-family="sans-serif" xmlns="http://www.w3.org/2000/svg">'
    paper = f'<rect width="{WIDTH}" height="{high}" fill="#FFFFFF"/>'
    return "\n".join([head, paper, *legend, *first.lines(), *second.lines(), "</svg>", ""])
