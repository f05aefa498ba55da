"""Maven is asked once, and its refusals are told."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from hitherto.neo4j_server import Machine
from hitherto.neo4j_server.jars import cached_jars, find_maven, last_lines, resolve_jars
from hitherto.neo4j_server.java import Java
from hitherto.temporal.errors import Fault, Unavailable

JAVA = Java(Path("/nowhere"), 25, vector=True)
# Stands in for Maven: one jar in the repository it is told to use, and a line for every call.
MAVEN = r"""#!/bin/sh
echo "$JAVA_HOME" >> "{calls}"
for word in "$@"; do case $word in
  -Dmaven.repo.local=*) repo=${{word#*=}} ;;
  -Dmdep.outputFile=*) list=${{word#*=}} ;;
  -f) next=1 ;;
  *) [ -n "$next" ] && pom=$word; next= ;;
esac; done
grep -q '<version>2026.08.1</version>' "$pom" || exit 9
mkdir -p "$repo/a b" && echo jar > "$repo/a b/one.jar" && echo jar > "$repo/two.jar"
printf '%s:%s' "$repo/a b/one.jar" "$repo/two.jar" > "$list"
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "bin").mkdir()
    return Machine(
        user_home=tmp_path, path=f"{tmp_path}/bin:/usr/bin:/bin", cache=tmp_path / "the cache", data=tmp_path
    )


def put_maven(tmp_path: Path, script: str) -> Path:
    calls = tmp_path / "calls"
    calls.touch()
    maven = tmp_path / "bin" / "mvn"
    maven.write_text(script.format(calls=calls))
    maven.chmod(0o755)
    return calls


def test_maven_runs_once_with_the_found_java(tmp_path: Path, machine: Machine) -> None:
    calls = put_maven(tmp_path, MAVEN)
    first = resolve_jars(machine, JAVA, "2026.08.1")
    assert [path.name for path in first.paths] == ["one.jar", "two.jar"]
    assert resolve_jars(machine, JAVA, "2026.08.1") == first == cached_jars(machine.cache, "2026.08.1")
    assert calls.read_text() == "/nowhere\n"


def test_a_lost_jar_is_fetched_again(tmp_path: Path, machine: Machine) -> None:
    calls = put_maven(tmp_path, MAVEN)
    resolve_jars(machine, JAVA, "2026.08.1").paths[0].unlink()
    assert cached_jars(machine.cache, "2026.08.1") is None
    assert all(path.is_file() for path in resolve_jars(machine, JAVA, "2026.08.1").paths)
    assert len(calls.read_text().splitlines()) == 2


def test_a_moved_cache_is_still_good(tmp_path: Path, machine: Machine) -> None:
    put_maven(tmp_path, MAVEN)
    resolve_jars(machine, JAVA, "2026.08.1")
    machine.cache.rename(tmp_path / "moved")
    assert cached_jars(tmp_path / "moved", "2026.08.1") is not None


def test_a_failed_download_tells_the_end_of_mavens_output_and_leaves_no_list(
    tmp_path: Path, machine: Machine
) -> None:
    put_maven(tmp_path, "#!/bin/sh\nprintf '\\033[1mone\\033[0m\\n\\n[ERROR] Unknown host\\nlast\\n'; exit 1\n")
    with pytest.raises(Unavailable) as told:
        resolve_jars(machine, JAVA, "2026.08.1")
    assert told.value.code == "neo4j_download"
    assert str(told.value) == "Maven could not fetch Neo4j 2026.08.1: one | [ERROR] Unknown host | last"
    assert cached_jars(machine.cache, "2026.08.1") is None


def test_a_download_that_hangs_is_ended(tmp_path: Path, machine: Machine) -> None:
    put_maven(tmp_path, "#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(Unavailable, match="no end after 0 s"):
        resolve_jars(machine, JAVA, "2026.08.1", timeout_s=0.3)


def test_no_maven(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="mvn") as told:
        find_maven(Machine(user_home=tmp_path, path=str(tmp_path), cache=tmp_path, data=tmp_path))
    assert told.value.code == "neo4j_not_found"


def test_the_main_class_is_read_from_the_main_jar(tmp_path: Path, machine: Machine) -> None:
    put_maven(tmp_path, MAVEN)
    jars = resolve_jars(machine, JAVA, "2026.08.1")
    with pytest.raises(Fault, match=r"neo4j-2026\.08\.1\.jar"):
        jars.main_class()
    main = tmp_path / "neo4j-2026.08.1.jar"
    with zipfile.ZipFile(main, "w") as jar:
        jar.writestr("META-INF/services/org.neo4j.server.startup.EntryPoint", "org.neo4j.Main\n")
    assert type(jars)(jars.version, (*jars.paths, main)).main_class() == "org.neo4j.Main"


def test_last_lines() -> None:
    assert last_lines("a\nb\n\n c \nd\n") == "b | c | d"
    assert last_lines("\n") == "it said nothing"
