"""Python values as TOML: what a scene file would say."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import UsageError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def key(name: str) -> str:
    """A key, in quotation marks where it needs them."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: str) -> str:
    """A text in quotation marks."""
    characters = (_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 else c) for c in value)
    return '"' + "".join(characters) + '"'


def value(of: Any) -> str:
    """A value on one line."""
    if hasattr(of, "tolist"):  # of NumPy
        of = of.tolist()
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, int):
        return str(of)
    if isinstance(of, float):
        if not math.isfinite(of):
            raise UsageError(f"a scene has finite numbers only, not {of}")
        return repr(of)
    if isinstance(of, str):
        return text(of)
    if isinstance(of, Mapping):
        return "{ " + ", ".join(f"{key(name)} = {value(inner)}" for name, inner in of.items()) + " }"
    if isinstance(of, (list, tuple)):
        return "[" + ", ".join(value(item) for item in of) + "]"
    raise UsageError(f"a scene cannot have a value of type {type(of).__name__}: {of!r}")


def document(scene: Mapping[str, Any]) -> str:
    """A scene file of nested dicts: the tables of docs/scenes.md."""
    plain, tables = [], []
    for name, of in scene.items():
        if isinstance(of, Mapping):
            tables.append((f"[{key(name)}]", of))
        elif isinstance(of, (list, tuple)) and of and all(isinstance(item, Mapping) for item in of):
            tables.extend((f"[[{key(name)}]]", item) for item in of)
        else:
            plain.append(f"{key(name)} = {value(of)}")
    lines = plain
    for header, table in tables:
        lines += ["", header, *(f"{key(name)} = {value(of)}" for name, of in table.items())]
    return "\n".join(lines) + "\n"


def settings(given: Mapping[str, Any] | Iterable[str] | None, more: Mapping[str, Any] | None = None) -> list[str]:
    """``key=value`` texts as ``--set`` takes them, of a dict or of texts."""
    if given is None:
        texts: list[str] = []
    elif isinstance(given, str):
        texts = [given]
    elif isinstance(given, Mapping):
        texts = [f"{name}={value(of)}" for name, of in given.items()]
    else:
        texts = [str(one) for one in given]
    texts += [f"{name}={value(of)}" for name, of in (more or {}).items() if of is not None]
    return texts
