"""A made-up Java whose "server" is a small Python program, to try what a real one does seldom."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from hitherto.neo4j_server import CURRENT_VERSION, Machine

JAVA = """#!{python} -ISE
import http.server, json, pathlib, signal, sys, time
mode = pathlib.Path({mode!r})
words = dict(w[2:].split("=", 1) for w in sys.argv if w.startswith("--") and "=" in w)
told = next((w[1:] for w in sys.argv if w.startswith("@")), None)
if told:
    pathlib.Path({mode!r} + ".told").write_text(" ".join(sys.argv) + "\\n" + pathlib.Path(told).read_text())
    sys.exit("no password today" if mode.read_text() == "refuses" else 0)
home = pathlib.Path(words["home-dir"])
log = home / "logs" / "neo4j.log"
conf = dict(line.split("=", 1) for line in (home / "conf" / "neo4j.conf").read_text().splitlines())
bolt, web = (int(conf[f"server.{{kind}}.listen_address"].split(":")[1]) for kind in ("bolt", "http"))
with open({mode!r} + ".starts", "a") as file:
    file.write(f"{{bolt}} {{web}}\\n")
what = mode.read_text()
if what == "dies":
    sys.exit("Error: no room on this machine")
if what == "port taken once":
    mode.write_text("good")
    log.write_text("starting\\nPortBindException: Address already in use\\n")
    sys.exit(1)
if what == "silent":
    log.write_text("starting up\\nstill at it\\n")
    time.sleep(60)
if what == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
(home / "data" / "databases").mkdir(parents=True, exist_ok=True)
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({{"bolt_direct": f"bolt://127.0.0.1:{{bolt}}", "neo4j_version": "2026.08.1"}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
http.server.HTTPServer(("127.0.0.1", web), Page).serve_forever()
"""


def made_up_machine(tmp_path: Path, mode: str = "good") -> Machine:
    """No Docker, no Maven, the jars of the current version in the cache, and a Java that is the program above."""
    (tmp_path / "mode").write_text(mode)
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(JAVA.format(python=sys.executable, mode=str(tmp_path / "mode")))
    java.chmod(0o755)
    (tmp_path / "jdk" / "release").write_text('JAVA_VERSION="25.0.1"\n')
    cache = tmp_path / "cache"
    cache.mkdir()
    with zipfile.ZipFile(cache / f"neo4j-{CURRENT_VERSION}.jar", "w") as jar:
        jar.writestr("META-INF/services/org.neo4j.server.startup.EntryPoint", "org.neo4j.Main\n")
    (cache / f"{CURRENT_VERSION}.classpath").write_text(f"neo4j-{CURRENT_VERSION}.jar\n")
    return Machine(user_home=tmp_path, path="", cache=cache, data=tmp_path / "home", java_home=tmp_path / "jdk")


def starts(tmp_path: Path) -> list[list[int]]:
    """The Bolt and HTTP port of every start so far."""
    lines = Path(f"{tmp_path}/mode.starts").read_text().splitlines()
    return [[int(port) for port in line.split()] for line in lines]
