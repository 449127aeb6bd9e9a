"""Progress of what takes long: a bar of tqdm where it is installed, else lines of text."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

__all__ = ["Progress", "progress_of"]

Report = Callable[[int, int, str], None]


class Progress:
    """Shows ``(done, total, label)``. In a notebook tqdm draws a widget."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._said = 0.0
        self._label = ""
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped]
        except ImportError:
            self._tqdm = None
        else:
            self._tqdm = tqdm

    def __call__(self, done: int, total: int, label: str) -> None:
        if self._tqdm is None:
            self._tell(done, total, label)
            return
        if self._bar is None:
            self._bar = self._tqdm(total=total or None, desc=label, leave=False)
        if total and self._bar.total != total:
            self._bar.reset(total=total)
        if label != self._label:
            self._label = label
            self._bar.set_description(label, refresh=False)
        self._bar.update(done - self._bar.n)

    def _tell(self, done: int, total: int, label: str) -> None:
        now = time.monotonic()
        if now - self._said < 2.0 and done != total:
            return
        self._said = now
        share = f"{100 * done // total} %" if total else str(done)
        print(f"{label}: {share}", file=sys.stderr)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()


class _Shown:
    def __init__(self, asked: bool | Report | None) -> None:
        self._own = Progress() if asked is True else None
        self.report: Report | None = self._own if asked is True else (asked or None)

    def __enter__(self) -> Report | None:
        return self.report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own is not None:
            self._own.close()


def progress_of(asked: bool | Report | None) -> _Shown:
    """``True``: a bar; a function ``(done, total, label)``: that; ``None`` or ``False``: nothing."""
    return _Shown(asked)
