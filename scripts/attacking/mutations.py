"""What can happen to a file."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path

Mutation = Callable[[bytes, random.Random], bytes]
_NUMBERS = (
    *(b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"1e999", b"0", b"-1", b"1e-320"),
    *(b"9" * 400, b"9223372036854775808", b"0x10", b"1_000", b"1,5", b"010", b""),
)
_WORDS = (b"?", b"''", b'"', b"'", b"{", b"}", b"%", b"@DATA", b"null", b"~", b"../x")
_NESTED = (b"[", b"{", b"(", b'{"a":', b"- ", b"[[", b"'")
_TOKEN = re.compile(rb"[^\s,;:=\[\]{}()]+")
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?")


def _at(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


def flip_bit(content: bytes, rng: random.Random) -> bytes:
    """One bit of one byte."""
    changed = bytearray(content or b" ")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def flip_bytes(content: bytes, rng: random.Random) -> bytes:
    """Some bytes become any others."""
    changed = bytearray(content or b" ")
    for _ in range(rng.randrange(1, 9)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def cut(content: bytes, rng: random.Random) -> bytes:
    """The end is missing."""
    return content[: _at(content, rng)]


def cut_out(content: bytes, rng: random.Random) -> bytes:
    """A piece is missing."""
    begin = _at(content, rng)
    return content[:begin] + content[begin + rng.randrange(1, 200) :]


def repeat(content: bytes, rng: random.Random) -> bytes:
    """A piece is there twice, the second time anywhere."""
    begin, to = _at(content, rng), _at(content, rng)
    return content[:to] + content[begin : begin + rng.randrange(1, 200)] + content[to:]


def _lines(change: Callable[[list[bytes], int, random.Random], None]) -> Mutation:
    def mutate(content: bytes, rng: random.Random) -> bytes:
        lines = content.splitlines(keepends=True) or [b""]
        change(lines, rng.randrange(len(lines)), rng)
        return b"".join(lines)

    return mutate


def _delete(lines: list[bytes], at: int, _: random.Random) -> None:
    del lines[at]


def _double(lines: list[bytes], at: int, _: random.Random) -> None:
    lines.insert(at, lines[at])


def _swap(lines: list[bytes], at: int, rng: random.Random) -> None:
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _indent(lines: list[bytes], at: int, rng: random.Random) -> None:
    lines[at] = rng.choice([b" ", b"\t", b"    ", b"- "]) + lines[at]


def swap_tokens(content: bytes, rng: random.Random) -> bytes:
    """Two words change places."""
    found = list(_TOKEN.finditer(content))
    if len(found) < 2:  # noqa: PLR2004
        return content[::-1]
    a, b = sorted(rng.sample(found, 2), key=lambda match: match.start())
    middle = content[a.end() : b.start()]
    return content[: a.start()] + b[0] + middle + a[0] + content[b.end() :]


def _put(pattern: re.Pattern[bytes], words: tuple[bytes, ...]) -> Mutation:
    def mutate(content: bytes, rng: random.Random) -> bytes:
        found = list(pattern.finditer(content))
        if not found:
            return content + rng.choice(words)
        match = rng.choice(found)
        return content[: match.start()] + rng.choice(words) + content[match.end() :]

    return mutate


def _insert(*pieces: bytes) -> Mutation:
    def mutate(content: bytes, rng: random.Random) -> bytes:
        at = _at(content, rng)
        return content[:at] + rng.choice(pieces) + content[at:]

    return mutate


def nest(content: bytes, rng: random.Random) -> bytes:
    """Ten thousand brackets, in the middle or instead of all."""
    deep = rng.choice(_NESTED) * 10_000
    at = _at(content, rng)
    return deep if rng.random() < 0.3 else content[:at] + deep + content[at:]  # noqa: PLR2004


def long_line(content: bytes, rng: random.Random) -> bytes:
    """A word of a megabyte."""
    at = _at(content, rng)
    return content[:at] + rng.choice([b"a", b"1", b",", b" ", b"\\"]) * 2**20 + content[at:]


def empty(content: bytes, rng: random.Random) -> bytes:  # noqa: ARG001
    """Nothing, a blank, a line end, zeros."""
    return rng.choice([b"", b" ", b"\n", b"\0" * 512, b"\xef\xbb\xbf", b"null"])


MUTATIONS: Mapping[str, Mutation] = {
    "flip-bit": flip_bit,
    "flip-bytes": flip_bytes,
    "cut": cut,
    "cut-out": cut_out,
    "repeat": repeat,
    "delete-line": _lines(_delete),
    "double-line": _lines(_double),
    "swap-lines": _lines(_swap),
    "indent": _lines(_indent),
    "swap-tokens": swap_tokens,
    "number": _put(_NUMBER, _NUMBERS),
    "word": _put(_TOKEN, _WORDS),
    "nul": _insert(b"\0"),
    "not-utf8": _insert(b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\x80"),
    "strange": _insert(b"\x1b[2J", b"\xe2\x80\xae", b"\r", b"\xef\xbb\xbf", b"\x7f"),
    "nest": nest,
    "long-line": long_line,
    "empty": empty,
}


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere"))


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


# What a file becomes that is none any more.
REPLACEMENTS: Mapping[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "folder": _folder,
    "dangling": _dangling,
    "loop": _loop,
    "pipe": _pipe,
    "device": _device,
}


def damage(path: Path, rng: random.Random) -> str:
    """Damage one file, once or a few times; says how."""
    if rng.random() < 0.08:  # noqa: PLR2004
        name = rng.choice(list(REPLACEMENTS))
        REPLACEMENTS[name](path)
        return name
    names = rng.choices(list(MUTATIONS), k=rng.choice([1, 1, 1, 2, 3]))
    content = path.read_bytes()
    for name in names:
        content = MUTATIONS[name](content, rng)
    path.write_bytes(content)
    return "+".join(names)
