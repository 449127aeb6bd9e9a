
here = pathlib.Path(__file__).resolve().parent
plt.rcParams.update({"font.size": LETTERS, "axes.titlesize": LETTERS, "figure.titlesize": LETTERS})

maps = {}
with open(here / (NAME + ".csv"), newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        key = (int(row["map"]), row["title"])
        place = (float(row["y"]), float(row["x"]))
        maps.setdefault(key, {})[place] = float(row["value"])

columns = max(1, int(WIDTH * 72 / (13 * LETTERS)))
rows = -(-len(maps) // columns)
side = WIDTH / columns
figure, panels = plt.subplots(
    rows, columns, figsize=(WIDTH, rows * side * 1.1), squeeze=False, layout="constrained"
)
panels = list(panels.flat)
for panel, ((_, title), samples) in zip(panels, maps.items()):
    ys, xs = (sorted({place[k] for place in samples}) for k in (0, 1))
    values = [[samples[y, x] for x in xs] for y in ys]
    lines = panel.contour(xs, ys, values, levels=LEVELS)
    panel.clabel(lines, fontsize=LETTERS)
    panel.set(title=title, xlabel=X, ylabel=Y, aspect="equal")
for panel in panels[len(maps) :]:
    panel.set_axis_off()
figure.suptitle(TITLE, wrap=True)
figure.savefig(here / (DRAWN + ".pdf"))
