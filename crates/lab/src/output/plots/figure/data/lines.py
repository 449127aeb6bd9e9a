
here = pathlib.Path(__file__).resolve().parent
sizes = {"axes.titlesize": LETTERS, "figure.titlesize": LETTERS, "legend.fontsize": LETTERS}
plt.rcParams.update({"font.size": LETTERS, **sizes})

series, errors = {}, {}
with open(here / (NAME + ".csv"), newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        look = (row["style"], row["colour"], row["symbol"])
        key = (int(row["panel"]), int(row["series"]), row["name"].replace("$", r"\$"), *look)
        series.setdefault(key, []).append((float(row["x"]), float(row["y"])))
        errors.setdefault(key, []).append(float(row.get("error") or "nan"))

rows = max(1, -(-len(PANELS) // COLUMNS))
height = HEIGHT or rows * max(1.6, 0.5 * WIDTH / COLUMNS) + 0.4
shared = {"sharex": SHARED, "sharey": SHARED}
figure, panels = plt.subplots(
    rows, COLUMNS, figsize=(WIDTH, height), squeeze=False, layout="constrained", **shared
)
panels = list(panels.flat)
for panel, (title, x, y, log_x, log_y) in zip(panels, PANELS):
    panel.set(title=title, xlabel=x, ylabel=y)
    panel.set_xscale("log" if log_x else "linear")
    panel.set_yscale("log" if log_y else "linear")
    panel.tick_params(labelbottom=True, labelleft=True)
for panel in panels[len(PANELS) :]:
    panel.set_axis_off()

# open symbols of equal area, and dashes, that can be told apart without colours
SYMBOLS = {
    "circle": ("o", 5.6, "-"),
    "square": ("s", 5, "--"),
    "triangle": ("^", 7, ":"),
    "diamond": ("D", 5, "-."),
    "cross": ("+", 7, (0, (7, 3))),
    "triangle below": ("v", 7, (0, (3, 1, 1, 1, 1, 1))),
    "hexagon": ("h", 6.2, "-"),
}

for key, points in series.items():
    number, _, name, style, colour, symbol = key
    panel, (x, y) = panels[number], zip(*points)
    look = {"color": colour, "label": name or None}
    marker, size, dashes = SYMBOLS.get(symbol, ("o", 3, "-"))
    bars = [(*at, error) for at, error in zip(points, errors[key]) if math.isfinite(error)]
    if bars:
        at_x, at_y, reach = zip(*bars)
        thin = {"fmt": "none", "ecolor": colour, "capsize": 3, "elinewidth": 0.7}
        panel.errorbar(at_x, at_y, yerr=reach, **thin)
    if style == "thin":
        panel.plot(x, y, color=colour, linestyle=dashes, linewidth=0.7, label=name or None)
    elif style == "line":
        panel.plot(x, y, linestyle=dashes, **look)
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


def in_lines(text, inches=WIDTH):
    """A text in lines that fit a width; a name without a space is broken."""
    most = max(8, int(inches * 72 / (0.58 * LETTERS)))
    return "\n".join(textwrap.wrap(text, most, break_on_hyphens=False))


def above(owner, named, room, **place):
    """A legend in as many columns as have room."""
    for columns in range(max(1, len(named)), 0, -1):
        look = {"ncols": columns, "frameon": False, "borderaxespad": 0.2, **place}
        names = [in_lines(name, room / figure.dpi - 3 * LETTERS / 72) for name in named]
        legend = owner.legend(named.values(), names, **look)
        if columns == 1 or legend.get_window_extent().width <= room:
            return legend.get_window_extent().height / figure.dpi
        legend.remove()


def entries(panel):
    handles, names = panel.get_legend_handles_labels()
    return dict(zip(names, handles))


def appearance(handle):
    """Colour, dashes and symbol of an entry."""
    line = handle if hasattr(handle, "get_linestyle") else handle[0]
    return str(line.get_color()), str(line.get_linestyle()), str(line.get_marker())


def numbers(axis, logarithmic, low, high):
    """Numbers of an axis that do not touch, with their power of ten in the unit."""
    if logarithmic:
        first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
        axis.set_minor_formatter(ticker.NullFormatter())
        if last > first + 1:
            return
        marks = [k * 10.0**power for power in range(first - 1, last + 1) for k in (1, 2, 5)]
        if sum(low <= mark <= high for mark in marks) > 2:
            axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5), numticks=20))
            axis.set_minor_locator(ticker.LogLocator(subs=(3, 4, 6, 7, 8, 9), numticks=20))
        else:
            axis.set_major_locator(ticker.MaxNLocator(4))
            axis.set_minor_locator(ticker.NullLocator())
        axis.set_major_formatter(ticker.ScalarFormatter())
    power = axis.get_major_formatter()
    power.set_powerlimits((-3, 4))
    figure.canvas.draw()
    factor = power.get_offset()
    if factor and "+" not in factor:
        name = axis.get_label_text()
        name = name.replace("[", f"[{factor} ") if "[" in name else f"{name} [{factor}]"
        axis.set_label_text(name)
        axis.get_offset_text().set_visible(False)


for panel, (_, _, _, log_x, log_y) in zip(panels, PANELS):
    numbers(panel.xaxis, log_x, *panel.get_xlim())
    numbers(panel.yaxis, log_y, *panel.get_ylim())
for panel in panels[: len(PANELS)]:
    panel.set_title(in_lines(panel.get_title(), 0.8 * WIDTH / COLUMNS))
    panel.set_xlabel(in_lines(panel.get_xlabel(), 0.8 * WIDTH / COLUMNS))
legends = [entries(panel) for panel in panels[: len(PANELS)]]
common = {name: handle for named in legends for name, handle in named.items()}
title, high = in_lines(TITLE), 0
# one legend for all panels, where no two of its entries look alike
if len({appearance(handle) for handle in common.values()}) == len(common) > 0:
    place = {"loc": "outside upper center", "title": title or None}
    high = above(figure, common, figure.bbox.width, **place)
else:
    figure.suptitle(title)
    for panel, named in zip(panels, legends):
        # a single line has the name of the panel
        if len(named) > 1:
            place = {"title": panel.get_title() or None, "alignment": "left"}
            panel.set_title("")
            place = {"loc": "lower left", "bbox_to_anchor": (0, 1), **place}
            own = above(panel, named, 0.8 * figure.bbox.width / COLUMNS, **place)
            high = max(high, own * rows)
if HEIGHT is None:
    figure.set_figheight(height + high)
figure.canvas.draw()
for panel in panels[: len(PANELS)]:
    # a name no longer than its axis, with its unit in one piece
    name, bracket, unit = panel.get_ylabel().partition("[")
    room = panel.get_window_extent().height / figure.dpi * 72 / (0.58 * LETTERS)
    name += bracket + unit.replace(" ", "\u00a0")
    panel.set_ylabel("\n".join(textwrap.wrap(name, max(8, int(room)), break_on_hyphens=False)))
figure.savefig(here / (DRAWN + ".pdf"))
