"""``python -m aslib_eval``: the command line."""

from aslib_eval.cli import main

if __name__ == "__main__":
    main(prog_name="aslib-eval")
