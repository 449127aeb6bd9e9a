"""Where the program is, for the adapter of stiction."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("STICTION_PROGRAM", str(ROOT / "target/release/stiction"))
