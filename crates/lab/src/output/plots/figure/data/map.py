
here = pathlib.Path(__file__).resolve().parent
plt.rcParams.update({"font.size": LETTERS, "figure.titlesize": LETTERS})

with open(here / (NAME + ".csv"), newline="", encoding="utf-8") as file:
    cells = list(csv.DictReader(file))
columns = {int(cell["column"]): cell["x"].replace("$", r"\$") for cell in cells}
rows = {int(cell["row"]): cell["y"].replace("$", r"\$") for cell in cells}
values = [[float("nan")] * len(columns) for _ in rows]
for cell in cells:
    if cell["value"] and cell["mark"] != "failed":
        values[int(cell["row"])][int(cell["column"])] = float(cell["value"])

figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT or max(0.6 * WIDTH, 2.8)), layout="constrained")
scale = "log" if LOG else "linear"
mesh = axes.pcolormesh(values, cmap="viridis", norm=scale)
for cell in cells:
    corner = (int(cell["column"]), int(cell["row"]))
    if cell["mark"]:
        hatch = "xx" if cell["mark"] == "failed" else "//"
        axes.add_patch(plt.Rectangle(corner, 1, 1, fill=False, hatch=hatch, linewidth=0))


def in_lines(text):
    """A text in lines that fit the width; a name without a space is broken."""
    return "\n".join(textwrap.wrap(text, max(8, int(0.8 * WIDTH * 72 / (0.58 * LETTERS)))))


axes.set(xlabel=in_lines(X), ylabel=in_lines(Y))
axes.set_title(in_lines(TITLE))
turned = 90 if sum(len(name) for name in columns.values()) > 10 * WIDTH else 0
axes.set_xticks([k + 0.5 for k in columns], columns.values(), rotation=turned)
axes.set_yticks([k + 0.5 for k in rows], rows.values())
figure.colorbar(mesh, label=VALUE)
figure.savefig(here / (DRAWN + ".pdf"))
