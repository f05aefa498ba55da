"""Which Java is found, on made-up machines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hitherto.neo4j_server import Machine
from hitherto.neo4j_server.java import Java, candidate_homes, choose_java, find_java, read_java
from hitherto.temporal.errors import Unavailable


def install(home: Path, version: str | None, *, modules: str = "java.base", prints: str = "") -> Path:
    """A folder that looks like a Java; without ``version`` it has no release file and must be asked."""
    (home / "bin").mkdir(parents=True)
    java = home / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho '{prints}' >&2\n")
    java.chmod(0o755)
    if version is not None:
        (home / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return home


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(user_home=tmp_path / "ann", path="", cache=tmp_path / "cache", data=tmp_path / "data")


def test_every_usual_place_is_looked_at(tmp_path: Path, machine: Machine) -> None:
    root = tmp_path / "root"
    places = [
        root / "usr/lib/jvm/temurin-25-jdk-amd64",
        root / "opt/java/openjdk",
        root / "opt/jdk-21",
        root / "Library/Java/JavaVirtualMachines/temurin-21.jdk/Contents/Home",
        root / "opt/homebrew/opt/openjdk@21/libexec/openjdk.jdk/Contents/Home",
        tmp_path / "ann/.sdkman/candidates/java/21.0.4-tem",
        tmp_path / "ann/.jdks/temurin-21",
    ]
    for place in places:
        install(place, "21.0.1")
    (root / "usr/lib/jvm/openjdk-17").mkdir()  # Debian leaves folders without a Java in them
    assert [home for home in candidate_homes(machine, root) if tmp_path in home.parents] == places


def test_java_home_and_the_search_path_come_first_and_links_count_once(tmp_path: Path, machine: Machine) -> None:
    root = tmp_path / "root"
    installed = install(root / "usr/lib/jvm/java-17", "17.0.1")
    (root / "usr/lib/jvm/default").symlink_to(installed)
    mine = install(tmp_path / "mine", "21.0.1")
    onpath = install(tmp_path / "onpath", "21.0.1")
    machine = replace(machine, java_home=mine, path=str(onpath / "bin"))
    assert candidate_homes(machine, root)[:3] == [mine, onpath, installed]


@pytest.mark.parametrize(
    ("release", "prints", "major"),
    [
        ("25.0.3", "", 25),
        ("1.8.0_402", "", 8),
        (None, 'openjdk version "21.0.5" 2024-10-15', 21),
        (None, 'java version "1.8.0_202"', 8),
    ],
)
def test_versions_are_read(tmp_path: Path, release: str | None, prints: str, major: int) -> None:
    java = read_java(install(tmp_path / "jdk", release, prints=prints))
    assert java is not None and java.major == major


def test_a_java_that_says_nothing_or_cannot_run_is_none(tmp_path: Path) -> None:
    assert read_java(install(tmp_path / "silent", None)) is None
    broken = install(tmp_path / "broken", None)
    (broken / "bin/java").chmod(0o644)
    assert read_java(broken) is None


def test_the_vector_module_is_seen(tmp_path: Path) -> None:
    full = read_java(install(tmp_path / "full", "25", modules="java.base jdk.incubator.vector"))
    trimmed = read_java(install(tmp_path / "trimmed", "25"))
    assert full is not None and full.vector
    assert trimmed is not None and not trimmed.vector


@pytest.mark.parametrize(
    ("version", "majors", "chosen"),
    [
        ("2026.08.1", [17, 21, 25], 25),
        ("2026.08.1", [17, 21], 21),
        ("2026.08.1", [27, 26, 17], 26),
        ("2026.08.1", [17, 11], None),
        ("5.26.30", [25, 17], 17),
        ("5.26.30", [17, 21, 25], 21),
        ("5.26.30", [25], 25),
        ("5.26.30", [11, 8], None),
        ("5.26.30", [], None),
    ],
)
def test_the_java_that_suits_the_version(version: str, majors: list[int], chosen: int | None) -> None:
    java = choose_java([Java(Path(str(major)), major, vector=False) for major in majors], version)
    assert (java.major if java else None) == chosen


def test_no_java_says_what_is_needed_and_what_was_seen(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = install(tmp_path / "old", "17.0.1")
    monkeypatch.setattr("hitherto.neo4j_server.java._SYSTEM", ())
    monkeypatch.setattr("hitherto.neo4j_server.java.find_spec", lambda name: None)
    with pytest.raises(Unavailable) as told:
        find_java(replace(machine, java_home=old), "2026.08.1")
    assert "needs Java 21 or newer" in str(told.value) and f"{old} is 17" in str(told.value)
    with pytest.raises(Unavailable, match="no Java in any usual place"):
        find_java(machine, "5.26.30")
