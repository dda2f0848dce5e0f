"""Headless Chromium over its debugging pipe: no driver and no package in between.

Messages are JSON, each ended by a zero byte; the browser reads from file 3 and writes to file 4. Debian has
the browser as the package ``chromium``.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-ipc-flooding-protection",  # of many addresses in a moment
    "--remote-debugging-pipe",
)
UNFOLD = """
document.querySelectorAll('main details').forEach((d) => { d.open = true; })
"""
_PATIENCE = 60.0  # seconds that a loaded machine may take for one answer


class Browser:
    """A browser process; ``open`` gives pages."""

    def __init__(self, program: str, home: Path) -> None:
        self.home = home
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = [*_FLAGS, f"--user-data-dir={home / 'profile'}", "about:blank"]
        redirect = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", redirect, "bash", program, *flags],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(self._in, False)
        self._buffer, self._last = b"", 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> Any:
        """Send a command and wait for its answer; events on the way are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            for found in self._messages():
                if found.get("id") == self._last:
                    assert "error" not in found, (method, found["error"])
                    return found["result"]
                self.events.append(found)
        raise TimeoutError(method)

    def _messages(self) -> list[dict[str, Any]]:
        try:
            self._buffer += os.read(self._in, 1 << 20)
        except BlockingIOError:
            time.sleep(0.01)
        *whole, self._buffer = self._buffer.split(b"\0")
        return [json.loads(text) for text in whole]

    def open(self, address: str, *, folded: bool = False, **screen: Any) -> Page:
        """Load an address in a fresh tab, and unfold all of it unless ``folded``."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, session["sessionId"], address, **screen)
        if not folded:
            page.js(UNFOLD)
        return page

    def close(self) -> None:
        """End the process."""
        self.call("Browser.close")
        self._process.wait(timeout=30)
        os.close(self._in)
        os.close(self._out)


class Page:
    """A tab: its console, its requests, and what it answers."""

    def __init__(
        self,
        browser: Browser,
        session: str,
        address: str,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        ready: str = "document.documentElement?.dataset.ready === '1'",
    ) -> None:
        self._browser, self._session = browser, session
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Page.navigate", url=address)
        self.until(ready)

    def _call(self, method: str, **params: Any) -> Any:
        return self._browser.call(method, self._session, **params)

    def js(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self._call(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,  # a second download without one is held back
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression holds, in whatever page there is then."""
        self._wait(lambda: self._holds(condition), condition)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.js(condition))
        except AssertionError as error:
            if "navigated" in str(error):  # on its way to another page
                return False
            raise

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + _PATIENCE
        while not holds():
            assert time.monotonic() < end, what
            time.sleep(0.02)

    def medium(self, name: str) -> None:
        """Apply the styles for ``print`` or ``screen``."""
        self._call("Emulation.setEmulatedMedia", media=name)

    def enter(self, selector: str, value: str) -> None:
        """Type into a field, as its own events tell the page."""
        self.js(
            f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
            f"field.value = {json.dumps(value)};"
            "field.dispatchEvent(new Event('input', {bubbles: true}));"
            "field.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.js(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def download(self, selector: str) -> tuple[str, str]:
        """Click on something that saves a file: its name and text."""
        folder = self._browser.home / f"saved-{time.monotonic_ns()}"
        folder.mkdir()
        where = {"behavior": "allow", "downloadPath": str(folder)}
        self._browser.call("Browser.setDownloadBehavior", **where)
        self.click(selector)

        def complete() -> bool:
            self.js("1")  # lets the browser work
            names = [p.name for p in folder.iterdir()]
            return bool(names) and not any(n.endswith(".crdownload") for n in names)

        self._wait(complete, "a download")
        (file,) = folder.iterdir()
        return file.name, file.read_text()

    def picture(self, to: Path, *, of: str | None = None) -> None:
        """A screenshot of what the window shows, or of an element; PNG or WebP."""
        import base64

        part: dict[str, Any] = {}
        if of is not None:
            box = self.js(
                f"(() => {{ const r = document.querySelector({json.dumps(of)})"
                ".getBoundingClientRect(); return {x: r.x + scrollX, y: r.y + scrollY,"
                " width: r.width, height: r.height, scale: 1}; })()"
            )
            part = {"clip": box}
        form = to.suffix.removeprefix(".")
        shot = self._call("Page.captureScreenshot", format=form, **part)
        to.write_bytes(base64.b64decode(shot["data"]))

    def seen(self, kind: str) -> list[dict[str, Any]]:
        """Events of this page of a kind such as ``Log.entryAdded``."""
        mine = (e for e in self._browser.events if e.get("sessionId") == self._session)
        return [e["params"] for e in mine if e.get("method") == kind]

    @property
    def requests(self) -> list[str]:
        """What the page asked for, but itself."""
        found = [e["request"]["url"] for e in self.seen("Network.requestWillBeSent")]
        return found[1:]

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings in the console, exceptions and refusals of the policy."""
        logged = [e["entry"]["text"] for e in self.seen("Log.entryAdded")]
        thrown = [str(e["exceptionDetails"]) for e in self.seen("Runtime.exceptionThrown")]
        said = [
            str(e["args"])
            for e in self.seen("Runtime.consoleAPICalled")
            if e["type"] in {"error", "warning", "assert"}
        ]
        return [*logged, *thrown, *said]
