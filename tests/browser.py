"""Neo4j Browser's page in a real Chromium, as a person uses it."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # The page asks outside hosts for news and images; no test reaches the network.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
_WAIT_MS = 60_000


@dataclass(frozen=True)
class BrowserPage:
    page: Page

    async def log_in(self, address: str, password: str) -> None:
        await self.page.goto(address)
        await self.page.fill("[data-testid=password]", password)
        await self.page.click("[data-testid=connect]")
        await self.page.wait_for_selector("text=You are connected")

    async def enter(self, text: str) -> None:
        """Type into the line at the top and press Ctrl+Enter."""
        await self.page.click("[data-testid=activeEditor] .monaco-editor")
        await self.page.keyboard.insert_text(text)
        await self.page.keyboard.press("Control+Enter")

    async def draw(self, query: str) -> None:
        """Run a query and wait until its graph has come to rest."""
        await self.enter(query)
        await self.page.wait_for_selector("svg .node")
        before = ""
        while (now := await self.page.inner_html("svg .layer")) != before:
            before = now
            await self.page.wait_for_timeout(700)

    async def captions(self, what: str) -> list[str]:
        """What is written on each ``node`` or ``relationship``."""
        return [" ".join(text.split()) for text in await self.page.locator(f"svg .{what}").all_text_contents()]

    async def colours(self) -> set[str]:
        fills = await self.page.locator("svg .node circle").evaluate_all(
            "all => all.map(c => c.getAttribute('fill'))"
        )
        return {fill.upper() for fill in fills if fill}

    async def legend(self, what: str) -> set[str]:
        """The labels (``node-label``) or types (``relationship-type``) that the panel beside the graph lists."""
        start = f"property-details-overview-{what}-"
        found = self.page.locator(f"[data-testid^={start}]")
        names = await found.evaluate_all("all => all.map(e => e.getAttribute('data-testid'))")
        return {name.removeprefix(start) for name in names} - {"*"}

    async def photograph(self) -> bytes:
        """The newest frame with its query, as PNG."""
        return await self.page.locator("[data-testid=frame]").first.screenshot()


@asynccontextmanager
async def open_browser(profile: Path) -> AsyncIterator[BrowserPage]:
    """A Chromium with a new profile; skips the test where there is none, or fails it where one is required."""
    if CHROMIUM is None:
        if os.environ.get("HITHERTO_NEO4J_REQUIRED", "") not in ("", "0"):
            pytest.fail(
                "no chromium here, and HITHERTO_NEO4J_REQUIRED is set; apt-get install chromium", pytrace=False
            )
        pytest.skip("no chromium here to open Neo4j Browser with; apt-get install chromium")
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            args=list(_FLAGS),
            viewport={"width": 1360, "height": 800},
            device_scale_factor=1.2,
        )
        context.set_default_timeout(_WAIT_MS)
        try:
            yield BrowserPage(context.pages[0])
        finally:
            await context.close()
