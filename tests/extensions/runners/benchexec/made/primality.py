"""Tool-info module for BenchExec, and the tiny solver itself: is a number prime?

``trial`` divides, and is too slow for large numbers. ``fermat`` is fast, and wrong on pseudoprimes to base
2. ``sieve`` needs a table as long as the number. A task names a number; the property of the run says what
is asked of it.
"""

from __future__ import annotations

import sys
from pathlib import Path

SQUAREFREE = "squarefree"


def trial(number: int) -> bool:
    """Whether no number up to the root divides it."""
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return number > 1


def fermat(number: int) -> bool:
    """Whether 2 to the number leaves 2: of every prime, and of pseudoprimes too."""
    return number == 2 or pow(2, number, number) == 2


def sieve(number: int) -> bool:
    """Whether Eratosthenes' table says so, with a byte for each number."""
    table = bytearray(b"\1") * (number + 1)
    for divisor in range(2, int(number**0.5) + 1):
        if table[divisor]:
            table[divisor * divisor :: divisor] = bytes(len(range(divisor * divisor, number + 1, divisor)))
    return bool(table[number])


def squarefree(number: int) -> bool:
    """Whether no square above 1 divides it."""
    divisor = 2
    while divisor * divisor <= number:
        if number % (divisor * divisor) == 0:
            return False
        divisor += 1
    return True


def main(method: str, question: str, file: str) -> None:
    """Answer one task."""
    number = int(Path(file).read_text().split()[0])
    if number == 0:
        sys.exit("zero is neither")
    if question == SQUAREFREE:
        if method == "fermat":
            print("unknown")  # noqa: T201
            return
        print("true" if squarefree(number) else "false(square)")  # noqa: T201
        return
    methods = {"trial": trial, "fermat": fermat, "sieve": sieve}
    print("true" if methods[method](number) else "false")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
else:
    from benchexec import result
    from benchexec.tools.template import BaseTool2

    class Tool(BaseTool2):
        """How BenchExec calls the solver and reads its answer."""

        def executable(self, tool_locator):  # noqa: ANN001, ANN201
            return tool_locator.find_executable("python3")

        def version(self, executable):  # noqa: ANN001, ANN201, ARG002
            return "1.0"

        def name(self):  # noqa: ANN201
            return "Primality"

        def cmdline(self, executable, options, task, rlimits):  # noqa: ANN001, ANN201, ARG002
            question = Path(task.property_file).stem
            return [executable, __file__, *options, question, task.single_input_file]

        def determine_result(self, run):  # noqa: ANN001, ANN201
            for line in run.output:
                if line in ("true", "false", "false(square)"):
                    return line
                if line == "unknown":
                    return result.RESULT_UNKNOWN
                if "MemoryError" in line:
                    return "OUT OF MEMORY"
            return result.RESULT_ERROR
