"""The proxies and registrars that are measured: how each is built and started, and what ends it."""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
import builds  # noqa: E402
from builds import Missing  # noqa: E402
from processes import tree  # noqa: E402
from sipp import free_port, is_bound  # noqa: E402

ROOT = builds.ROOT
JAIN = "1.3.0-91"
KAMAILIO_SHARED_MB = 2048
"""transactions stay for seconds after their call: with the usual 64 MB, it is memory that ends the run"""


class Proxy:
    """One of them: its command with {port} in it, or a command whose port is known."""
    def __init__(self, key, name, version, command, port=None, cores=None, warm_up=0):
        self.key, self.name, self.version = key, name, version
        self.command, self.fixed_port, self.cores = command, port, cores
        self.warm_up = warm_up
        self.port = self.process = self.log = None

    def start(self, folder):
        self.port = self.fixed_port or free_port()
        if is_bound(self.port):
            raise Missing(f"UDP port {self.port} of {self.name} is taken: end what has it, or name another port")
        words = [word.replace("{port}", str(self.port)).replace("{folder}", str(folder)) for word in self.command]
        if self.cores:
            words = ["taskset", "-c", self.cores, *words]
        self.log = pathlib.Path(folder, f"{self.key}.log")
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                            start_new_session=True)
        until = time.monotonic() + 30
        while not is_bound(self.port):
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise Missing(f"{self.name} did not open UDP port {self.port}: {self.said()}")
            time.sleep(0.05)
        time.sleep(0.5)

    def said(self):
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else "it said nothing"

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Ends it and what it started: by SIGTERM, and after some seconds by SIGKILL."""
        if self.process is None:
            return
        everything = tree(self.process.pid)
        for sign in (signal.SIGTERM, signal.SIGKILL):
            for pid in everything:
                try:
                    os.kill(pid, sign)
                except ProcessLookupError:
                    pass
            try:
                self.process.wait(timeout=10)
                break
            except subprocess.TimeoutExpired:
                pass
        until = time.monotonic() + 10
        while is_bound(self.port) and time.monotonic() < until:
            time.sleep(0.05)
        self.process = None


def kamailio(script, cores, children):
    if not shutil.which("kamailio"):
        raise Missing("kamailio is not installed")
    version = next((word for word in builds.first_line("kamailio", "-v").split() if word[0].isdigit()), "of unknown version")
    command = ["kamailio", "-f", str(HERE / script), "-l", "udp:127.0.0.1:{port}", "-n", str(children),
               "-m", str(KAMAILIO_SHARED_MB), "-M", "16", "-DD", "-E", "-Y", "{folder}", "-P", "{folder}/kamailio.pid"]
    return Proxy("kamailio", f"Kamailio, {children} children", version, command, cores=cores)


def jain(cores, threads, warm_up):
    jdk = builds.jdk25()
    jars = builds.BUILT / "jain-jars"
    if not (jars / "complete").exists():
        builds.sh("mvn", "-B", "-q", "-f", str(HERE / "jain" / "pom.xml"),
                  "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:copy-dependencies", f"-DoutputDirectory={jars}")
        (jars / "complete").touch()
    classes = builds.BUILT / "JainProxy"
    path = f"{jars}/*"
    builds.sh(str(jdk / "javac"), "-nowarn", "-d", str(classes), "-cp", path, str(HERE / "jain" / "JainProxy.java"))
    command = [str(jdk / "java"), "-Xms1g", "-Xmx2g", "-cp", f"{classes}{os.pathsep}{path}", "JainProxy", "127.0.0.1",
               "{port}", str(threads)]
    return Proxy("jain", f"JAIN SIP RI, {threads} threads", JAIN, command, cores=cores, warm_up=warm_up)


def offhook(command, port, cores, warm_up, is_protected=True):
    """Offhook; unless it is protected, without its overload control."""
    words = shlex.split(command)
    program = pathlib.Path(ROOT, words[0])
    if not (program.exists() or shutil.which(words[0])):
        raise Missing(f"there is no program {words[0]}")
    commit = builds.first_line("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    if is_protected:
        return Proxy("offhook", "Offhook", commit, words, port=port, cores=cores, warm_up=warm_up)
    words = ["env", "OFFHOOK_PROXY_OVERLOAD_ENABLED=false", *words]
    return Proxy("offhook-unprotected", "Offhook, overload.enabled: false", commit, words, port=port, cores=cores,
                 warm_up=warm_up)
