"""pandas, which frames alone need: Railyard works without it."""


def pandas():
    """The module, or an error that says where it comes from."""
    try:
        import pandas as found
    except ModuleNotFoundError as missing:
        if missing.name != "pandas":
            raise
        raise ModuleNotFoundError(
            'frames need pandas: apt install python3-pandas (results.dict and results["path"] do not)',
            name="pandas",
        ) from None
    return found
