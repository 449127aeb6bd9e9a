"""One engine a file; `Adapter` is its class."""
