"""``python -m cliquerag.cli``."""

from . import main

main()
