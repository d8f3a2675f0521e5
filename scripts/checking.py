"""What checks of the tree share: which tree they look at, and how they end."""
import pathlib
import sys


def run(name, mistakes):
    """Prints what `mistakes` finds in the tree that the command line names (default: the repository) and exits."""
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(mistakes(root))
    print("\n".join(found) if found else f"{name}: fine")
    sys.exit(1 if found else 0)
