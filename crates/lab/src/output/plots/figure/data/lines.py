
here = pathlib.Path(__file__).resolve().parent
sizes = {"axes.titlesize": LETTERS, "figure.titlesize": LETTERS, "legend.fontsize": LETTERS}
plt.rcParams.update({"font.size": LETTERS, **sizes})

series = {}
with open(here / (NAME + ".csv"), newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        look = (row["style"], row["colour"], row["symbol"])
        key = (int(row["panel"]), int(row["series"]), row["name"], *look)
        series.setdefault(key, []).append((float(row["x"]), float(row["y"])))

# two columns from four panels on, if there is room
columns = 2 if len(PANELS) > 3 and WIDTH > 5 else 1
rows = max(1, -(-len(PANELS) // columns))
height = HEIGHT or rows * max(1.6, 0.5 * WIDTH / columns) + 0.4
figure, panels = plt.subplots(
    rows, columns, figsize=(WIDTH, height), squeeze=False, layout="constrained"
)
panels = list(panels.flat)
for panel, (title, x, y, log_x, log_y) in zip(panels, PANELS):
    panel.set(title=title, xlabel=x, ylabel=y)
    panel.set_xscale("log" if log_x else "linear")
    panel.set_yscale("log" if log_y else "linear")
for panel in panels[len(PANELS) :]:
    panel.set_axis_off()

# open symbols of unequal size, and dashes, that can be told apart without colours
SYMBOLS = {
    "circle": ("o", 4, "-"),
    "square": ("s", 5, "--"),
    "triangle": ("^", 6, ":"),
    "diamond": ("D", 6, "-."),
    "cross": ("+", 7, (0, (7, 3))),
    "triangle below": ("v", 8, (0, (3, 1, 1, 1, 1, 1))),
    "hexagon": ("h", 9, "-"),
}

for (number, _, name, style, colour, symbol), points in series.items():
    panel, (x, y) = panels[number], zip(*points)
    look = {"color": colour, "label": name or None}
    marker, size, dashes = SYMBOLS.get(symbol, ("o", 3, "-"))
    if style == "bars":
        middle = [p for p in points[1::3]]
        reach = [h[1] - m[1] for h, m in zip(points[2::3], middle)]
        panel.errorbar(
            *zip(*middle), yerr=reach, fmt="none", ecolor=colour, capsize=3, elinewidth=0.7
        )
    elif style == "thin":
        panel.plot(x, y, color=colour, linestyle=dashes, linewidth=0.7, label=name or None)
    elif symbol:
        line = "none" if style == "points" else dashes
        open_one = {"markersize": size, "markerfacecolor": "none"}
        panel.plot(x, y, marker=marker, linestyle=line, **open_one, **look)
    elif style == "band":
        panel.fill(x, y, color=colour, alpha=0.2, linewidth=0)
    elif style == "intervals":
        middle = points[1::3]
        reach = [[m[1] - l[1] for l, m in zip(points[::3], middle)],
                 [h[1] - m[1] for h, m in zip(points[2::3], middle)]]
        panel.errorbar(*zip(*middle), yerr=reach, fmt="o", capsize=3, **look)
    elif style in ("points", "crosses"):
        panel.plot(x, y, "x" if style == "crosses" else ".", **look)
    else:
        panel.plot(x, y, {"dashed": "--", "marked": "o-"}.get(style, "-"), markersize=3, **look)
for panel in panels[: len(PANELS)]:
    if any(panel.get_legend_handles_labels()):
        # beside the axes, where no points are
        panel.legend(loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
figure.suptitle(TITLE, wrap=True)
figure.savefig(here / (DRAWN + ".pdf"))
