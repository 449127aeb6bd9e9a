
here = pathlib.Path(__file__).resolve().parent
plt.rcParams.update({"font.size": LETTERS, "axes.titlesize": LETTERS, "figure.titlesize": LETTERS})

maps, shaded = {}, {}
with open(here / (NAME + ".csv"), newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        number, place = int(row["map"]), (float(row["y"]), float(row["x"]))
        title, samples = maps.setdefault(number, (row["title"].replace("$", r"\$"), {}))
        samples[place] = float(row["value"])
        if row["shaded"]:
            shaded.setdefault(number, set()).add(place)


def in_lines(text):
    """A text in lines that fit the width."""
    return "\n".join(textwrap.wrap(text, max(20, int(WIDTH * 72 / (0.58 * LETTERS)))))


columns = max(1, int(WIDTH * 72 / (13 * LETTERS)))
columns = min(columns, max(count for _, count in GROUPS))
rows = [-(-count // columns) for _, count in GROUPS]
side = WIDTH / columns
figure = plt.figure(figsize=(WIDTH, sum(rows) * side * 1.1 + 0.5 * len(GROUPS)), layout="constrained")
figure.get_layout_engine().set(w_pad=0.08)
groups = figure.subfigures(len(GROUPS), 1, height_ratios=rows, squeeze=False)
number = 0
for (heading, count), own, part in zip(GROUPS, rows, groups.flat):
    part.suptitle(in_lines(heading), fontweight="bold")
    panels = list(part.subplots(own, columns, squeeze=False).flat)
    for panel in panels[:count]:
        title, samples = maps[number]
        ys, xs = (sorted({place[k] for place in samples}) for k in (0, 1))
        # the cell right of and above a sample
        dark = shaded.get(number, set())
        cells = [[1.0 if (y, x) in dark else float("nan") for x in xs[:-1]] for y in ys[:-1]]
        panel.pcolormesh(xs, ys, cells, cmap=matplotlib.colors.ListedColormap(["#f6c8be"]))
        values = [[samples[y, x] for x in xs] for y in ys]
        lines = panel.contour(xs, ys, values, levels=LEVELS)
        panel.clabel(lines, fontsize=LETTERS)
        for x, y in DOTS.get(number, []):
            panel.plot(x, y, "o", color="#c82814", markersize=0.6 * LETTERS, clip_on=False, zorder=3)
        panel.set(title=title, xlabel=X, ylabel=Y, aspect="equal")
        number += 1
    for panel in panels[count:]:
        panel.set_axis_off()
figure.suptitle(in_lines(TITLE))
figure.savefig(here / (DRAWN + ".pdf"))
