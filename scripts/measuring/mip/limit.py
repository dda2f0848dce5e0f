"""A limit of CPU time that is exact, unlike RLIMIT_CPU, which counts whole seconds."""

from __future__ import annotations

import ctypes
import os
import signal

_PROCESS_CPU = 2  # CLOCK_PROCESS_CPUTIME_ID
_BY_SIGNAL = 0  # SIGEV_SIGNAL
_BILLION = 1_000_000_000


class _Event(ctypes.Structure):
    """``struct sigevent`` of Linux: 64 bytes, of which three fields matter here."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("padding", ctypes.c_char * 48),
    )


class _Times(ctypes.Structure):
    """``struct itimerspec``: every so often, and first after so long."""

    _fields_ = (
        ("every_s", ctypes.c_long),
        ("every_ns", ctypes.c_long),
        ("first_s", ctypes.c_long),
        ("first_ns", ctypes.c_long),
    )


def end_after(seconds: float) -> None:
    """Have the kernel end this process after so much more CPU time of it.

    By SIGXCPU, as at the limit of the harness; other processes that it starts do not count. Raises OSError
    if the kernel refuses.
    """
    library = ctypes.CDLL(None, use_errno=True)
    event = _Event(None, signal.SIGXCPU, _BY_SIGNAL, b"")
    timer = ctypes.c_void_p()
    whole = int(seconds)
    times = _Times(0, 0, whole, int((seconds - whole) * _BILLION))
    if library.timer_create(
        _PROCESS_CPU, ctypes.byref(event), ctypes.byref(timer)
    ) or library.timer_settime(timer, 0, ctypes.byref(times), None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
