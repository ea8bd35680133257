"""Programs that see packets of UDP to one port at the interface `right`, from the kernel to a count or a file."""
import json
import subprocess
import sys

import builds
from builds import BUILT, HERE, ROOT

PORT = 9009
FILTER = f"udp dst port {PORT}"
WRITTEN = BUILT / "sniffed.pcapng"


def capture():
    builds.sh(str(ROOT / "offhook"), "--version")
    return [str(ROOT / "offhook"), "capture", "-i", "right", "--filter", FILTER, "-w", str(WRITTEN)]


def ip_sniffer():
    builds.sh(str(ROOT / "offhook"), "--version")
    words, _ = builds.java("SnifferPeer", lambda: f"{ROOT / 'apps' / 'cli' / 'target' / 'lib'}/*")()
    java, *options = [word for word in words if word not in builds.JAVA_OPTIONS]
    return [java, "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", *options, "right", FILTER]


def tcpdump(*options):
    builds.first_line("tcpdump", "--version")
    return ["tcpdump", "-Z", "root", "-i", "right", *options, "-w", str(WRITTEN), FILTER]


def python(name, package=None):
    if package is None:
        return [sys.executable, str(HERE / "python" / f"{name}.py"), "right", str(PORT)]
    words, _ = builds.python(name, package)()
    return [*words, "right", str(PORT)]


def raw_socket_in_c():
    program = BUILT / "raw_socket"
    builds.sh("cc", "-O2", "-o", str(program), str(HERE / "c" / "raw_socket.c"))
    return [str(program), "right", str(PORT)]


SNIFFERS = {
    "ip-sniffer": ("Offhook, `IpSniffer`, a handler that counts", ip_sniffer),
    "capture": ("Offhook, `offhook capture -w`", capture),
    "tcpdump": ("`tcpdump -w`", tcpdump),
    "raw-socket-c": ("C, raw socket, `recv` a packet", raw_socket_in_c),
    "raw-socket": ("Python, raw socket", lambda: python("raw_socket")),
    "scapy": ("Scapy, `sniff(prn=...)`", lambda: python("scapy_sniff", f"scapy=={builds.SCAPY}")),
}


def count_of(key, output):
    """Frames that a program says it saw; -1 where it says nothing."""
    if key.startswith("tcpdump"):
        return next((int(line.split()[0]) for line in output.splitlines() if "packets captured" in line), -1)
    if key == "capture":
        done = subprocess.run([str(ROOT / "offhook"), "info", "--format", "json", str(WRITTEN)],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["files"][0]["packets"]
    return int((output.split() or ["-1"])[-1])
