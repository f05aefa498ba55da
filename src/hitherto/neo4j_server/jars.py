"""Neo4j's jars: resolved once by Maven into the user's cache, afterwards read from the cached list."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from ..temporal.errors import Fault, Unavailable
from .folder import locked
from .java import Java
from .machine import Machine

# The page at /browser/. This artifact connects over Bolt to both server lines.
_BROWSER = "5.24.0"
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hitherto</groupId>
  <artifactId>neo4j-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>{browser}</version></dependency>
  </dependencies>
</project>
"""
_MAIN = "META-INF/services/org.neo4j.server.startup.EntryPoint"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Jars:
    """The class path of one Neo4j version, in Maven's order, and the class that starts the server."""

    version: str
    paths: tuple[Path, ...]

    @property
    def classpath(self) -> str:
        return ":".join(map(str, self.paths))

    def main_class(self) -> str:
        """Named by the main jar itself, since it differs between versions."""
        name = f"neo4j-{self.version}.jar"
        for path in self.paths:
            if path.name == name:
                with zipfile.ZipFile(path) as jar:
                    return jar.read(_MAIN).decode().strip()
        raise Fault(f"{name} is not among the jars of Neo4j {self.version}")


def cached_jars(cache: Path, version: str) -> Jars | None:
    """What an earlier call resolved, if every file of it is still there."""
    try:
        names = _list_file(cache, version).read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    paths = tuple(cache / name for name in names)
    return Jars(version, paths) if paths and all(path.is_file() for path in paths) else None


def find_maven(machine: Machine) -> Path:
    """Raises Unavailable where there is no ``mvn`` on the search path."""
    found = shutil.which("mvn", path=machine.path)
    if found is None:
        raise Unavailable(
            "Maven (mvn) is not on the search path and is needed to fetch Neo4j once; install it",
            code="neo4j_not_found",
        )
    return Path(found)


def resolve_jars(machine: Machine, java: Java, version: str, timeout_s: float = 900) -> Jars:
    """The cached jars, else about 170 MB fetched by Maven. Raises Unavailable with the end of what Maven said."""
    jars = cached_jars(machine.cache, version)
    if jars is not None:
        return jars
    maven = find_maven(machine)
    with locked(machine.cache / "lock", timeout_s):
        return cached_jars(machine.cache, version) or _download(machine.cache, maven, java, version, timeout_s)


def _download(cache: Path, maven: Path, java: Java, version: str, timeout_s: float) -> Jars:
    repository = cache / "maven"
    with tempfile.TemporaryDirectory(prefix="hitherto-neo4j-") as scratch:
        pom, told = Path(scratch) / "pom.xml", Path(scratch) / "classpath"
        pom.write_text(_POM.format(version=version, browser=_BROWSER), encoding="utf-8")
        command = ["env", f"JAVA_HOME={java.home}", str(maven), "-q", "-B", "-Dstyle.color=never"]
        command += ["-f", str(pom), f"-Dmaven.repo.local={repository}", f"{_PLUGIN}:build-classpath"]
        command += ["-DincludeScope=runtime", f"-Dmdep.outputFile={told}", "-Dmdep.pathSeparator=:"]
        try:
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _no_download(version, f"no end after {timeout_s:.0f} s") from None
        if done.returncode != 0 or not told.exists():
            raise _no_download(version, last_lines(done.stdout))
        paths = [Path(path) for path in told.read_text(encoding="utf-8").strip().split(":")]
    listed = _list_file(cache, version)
    partial = listed.with_suffix(".partial")
    partial.write_text("".join(f"{path.relative_to(cache)}\n" for path in paths), encoding="utf-8")
    partial.replace(listed)
    return Jars(version, tuple(paths))


def _list_file(cache: Path, version: str) -> Path:
    return cache / f"{version}.classpath"


def _no_download(version: str, why: str) -> Unavailable:
    return Unavailable(f"Maven could not fetch Neo4j {version}: {why}", code="neo4j_download")


def last_lines(text: str, count: int = 3, width: int = 300) -> str:
    """The end of a program's output on one line."""
    lines = [line.strip() for line in _COLOUR.sub("", text).splitlines()]
    return " | ".join(line[:width] for line in [line for line in lines if line][-count:]) or "it said nothing"
