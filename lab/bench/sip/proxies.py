"""The proxies and registrars that are measured: how each is built and started, and what ends it."""
import json
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


START_SECONDS = 90
"""that a proxy may take to open its port, on a busy machine"""


MOST_WARM_UP_RATE = 1000
JAIN_WARM_UP_RATE = 100
"""calls a second; at a thousand, JAIN SIP has filled its memory before it is warm, and answers nothing any more"""


class Proxy:
    """One of them: its command with {port}, {folder} and {config} in it, or a command whose port is known."""
    def __init__(self, key, name, version, command, port=None, cores=None, warm_up=0, config=None, environment=None, enter=()):
        self.key, self.name, self.version = key, name, version
        self.command, self.fixed_port, self.cores = command, port, cores
        self.warm_up, self.warm_up_rate = warm_up, MOST_WARM_UP_RATE
        self.config, self.environment, self.enter = config, environment or {}, enter
        self.port = self.process = self.log = self.folder = None

    def start(self, folder):
        self.port = self.fixed_port or free_port()
        self.folder = folder
        pathlib.Path(folder).chmod(0o700)  # or Offhook makes no control socket in it
        if not self.enter and is_bound(self.port):
            raise Missing(f"UDP port {self.port} of {self.name} is taken: end what has it, or name another port")
        places = {"{port}": str(self.port), "{folder}": str(folder), "{config}": f"{folder}/{self.key}.yaml"}
        if self.config:
            pathlib.Path(places["{config}"]).write_text(filled(self.config, places))
        words = [filled(word, places) for word in self.command]
        if self.cores:
            words = ["taskset", "-c", self.cores, *words]
        self.log = pathlib.Path(folder, f"{self.key}.log")
        with self.log.open("ab") as out:
            self.process = subprocess.Popen([*self.enter, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                            start_new_session=True, env=os.environ | self.environment)
        until = time.monotonic() + START_SECONDS
        while self.process.poll() is None and not is_bound(self.port, self.process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        # with its port open, it may still have failed on what it opens after that
        if self.process.poll() is not None or not is_bound(self.port, self.process.pid):
            said = self.said()
            self.stop()
            raise Missing(f"{self.name} did not open UDP port {self.port}, or ended: {said}")

    def statistics(self):
        """What Offhook's control socket says: the object of `proxy stats`."""
        words = [*self.command[:self.command.index("proxy")], "proxy", "stats", "--socket", f"{self.folder}/control",
                 "--format", "json"]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"proxy stats failed: {done.stderr.strip() or done.returncode}")
        return json.loads(done.stdout)["statistics"]

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
        while not self.enter and is_bound(self.port) and time.monotonic() < until:
            time.sleep(0.05)
        self.process = None


def filled(text, places):
    for name, value in places.items():
        text = text.replace(name, value)
    return text


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
    command = [str(jdk / "java"), "-Xms1g", "-Xmx4g", "-cp", f"{classes}{os.pathsep}{path}", "JainProxy", "127.0.0.1",
               "{port}", str(threads)]
    proxy = Proxy("jain", f"JAIN SIP RI, {threads} threads", JAIN, command, cores=cores, warm_up=warm_up)
    proxy.warm_up_rate = JAIN_WARM_UP_RATE
    return proxy


def relay_threads(kind, key, name, log="off", options="", buffer_bytes=4 << 20):
    """The small relay of threads/RelayThreads.java: kind is loops, threads or virtual."""
    jdk = builds.jdk25()
    classes = builds.BUILT / "RelayThreads"
    builds.sh(str(jdk / "javac"), "-nowarn", "-d", str(classes), str(HERE / "threads" / "RelayThreads.java"))
    command = [str(jdk / "java"), *options.split(), "-cp", str(classes), "RelayThreads", kind, "{port}", "2", log,
               str(buffer_bytes), "{folder}/relay-written.log"]
    return Proxy(key, name, "threads/RelayThreads.java", command)


OFFHOOKS = {
    "offhook": ("Offhook", {}),
    "offhook-unprotected": ("Offhook, overload.enabled: false", {"OFFHOOK_PROXY_OVERLOAD_ENABLED": "false"}),
    "offhook-nio": ("Offhook, datagrams: nio", {"OFFHOOK_PROXY_DATAGRAMS": "nio"}),
}
"""what differs from the configuration that is measured"""


def offhook(key, command, port, cores, warm_up):
    """Offhook, or one of its variants."""
    words = shlex.split(command)
    name, environment = OFFHOOKS[key]
    return Proxy(key, name, commit_of(words[0]), words, port=port, cores=cores, environment=environment, warm_up=warm_up)


def commit_of(program):
    """The commit that is measured; Missing without the program."""
    if not (pathlib.Path(ROOT, program).exists() or shutil.which(program)):
        raise Missing(f"there is no program {program}")
    return builds.first_line("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")


def configured(program, config, key="offhook", name="Offhook", options="", **more):
    """Offhook with a configuration of its own, in which {port} and {folder} are filled in; options are those of Java."""
    words = [*shlex.split(program), "proxy", "--config", "{config}"]
    environment = {"OFFHOOK_JAVA_OPTIONS": options} if options else {}
    return Proxy(key, name, commit_of(words[0]), words, config=config, environment=environment, **more)


RELAY = """\
listeners:
  - {name: udp, address: {address}, port: {port}, receive-buffer: {buffer}}
lanes: {lanes}
relay: {allow: [127.0.0.0/8, 10.0.0.0/8], from: [127.0.0.0/8, 10.0.0.0/8]}
log: {log}
control: {socket: {folder}/control}
"""


def relay_config(address="127.0.0.1", lanes=2, buffer="4MiB", log="{level: off}"):
    """The proxy of samples/proxy-relay.yaml, with a port and a control socket of its own."""
    return filled(RELAY, {"{address}": address, "{lanes}": str(lanes), "{buffer}": buffer, "{log}": log})
