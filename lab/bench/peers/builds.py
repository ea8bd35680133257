"""How each peer is built, and which version of what it is. What is missing is a Missing, with words for people."""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent
ROOT = BENCH.parent.parent
BUILT = BENCH / "target" / "peers"

PCAP4J = "1.8.2"
PKTS = "3.0.18"
DPKT = "1.9.8"
SCAPY = "2.6.1"


class Missing(Exception):
    """A peer cannot be built here; the message says what it lacks."""


def sh(*command, cwd=None):
    """What a command prints; Missing, with what it said of its error, when there is no such program or it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace")
    except OSError as e:
        raise Missing(f"no {command[0]}: {e.strerror}") from e
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines() or [f"exit code {done.returncode}"]
        telling = next((line.strip() for line in said if "error" in line.lower()), said[-1])
        raise Missing(f"{pathlib.Path(command[0]).name} failed: {telling}")
    return done.stdout


def first_line(*command):
    """What a command says of itself first, on whichever stream; "unknown" without it."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError:
        return "unknown"
    return (done.stdout or done.stderr or "unknown").splitlines()[0].strip()


def jdk25():
    """The bin folder of a JDK 25: of OFFHOOK_JAVA_HOME, JAVA_HOME, PATH or the usual folder."""
    homes = [os.environ.get("OFFHOOK_JAVA_HOME"), os.environ.get("JAVA_HOME")]
    javac = shutil.which("javac")
    if javac:
        homes.append(str(pathlib.Path(javac).resolve().parent.parent))
    homes += sorted(map(str, pathlib.Path("/usr/lib/jvm").glob("*25*")))
    for home in homes:
        release = pathlib.Path(home or "/nowhere", "release")
        if release.is_file() and re.search(r'JAVA_VERSION="25', release.read_text()):
            return pathlib.Path(home, "bin")
    raise Missing("no JDK 25 in OFFHOOK_JAVA_HOME, JAVA_HOME, PATH or /usr/lib/jvm")


def offhook_path():
    """The class path of the benchmarks, which ./offhook builds if they are not, or if a source is newer."""
    sh(str(ROOT / "offhook"), "bench", "--help")
    return f"{BENCH / 'target' / 'classes'}{os.pathsep}{BENCH / 'target' / 'lib'}/*"


def library_jars():
    """pcap4j and pkts, of the pom beside the peers."""
    jars = BUILT / "jars"
    if not (jars / "complete").exists():
        sh("mvn", "-B", "-q", "-f", str(HERE / "java" / "pom.xml"),
           "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:copy-dependencies", f"-DoutputDirectory={jars}")
        (jars / "complete").touch()
    return f"{jars}/*"


# the same for all: one thread that allocates or does not; the collector without barriers of its own
JAVA_OPTIONS = ("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC")


def java(name, path, *arguments):
    """A class of the folder java, compiled against what path returns."""
    def build():
        jdk = jdk25()
        libraries = path()
        classes = BUILT / name
        sh(str(jdk / "javac"), "-nowarn", "-d", str(classes), "-cp", libraries, str(HERE / "java" / f"{name}.java"))
        words = [str(jdk / "java"), *JAVA_OPTIONS, "-cp", f"{classes}{os.pathsep}{libraries}", name]
        return words, list(arguments)
    return build


def offhook_class(name, *arguments):
    """A class of the benchmarks themselves."""
    def build():
        return [str(jdk25() / "java"), *JAVA_OPTIONS, "-cp", offhook_path(), name], list(arguments)
    return build


def c(name, *libraries):
    def build():
        program = BUILT / name
        sh("cc", "-O3", "-march=native", "-o", str(program), str(HERE / "c" / f"{name}.c"), *libraries)
        return [str(program)], []
    return build


def go(name, *arguments):
    def build():
        program = BUILT / name
        sh("go", "build", "-o", str(program), ".", cwd=HERE / name)
        return [str(program)], list(arguments)
    return build


def python(name, package):
    def build():
        home = BUILT / "python"
        if not (home / "bin" / "pip").exists():
            sh(sys.executable, "-m", "venv", str(home))
        sh(str(home / "bin" / "pip"), "install", "-q", package)
        return [str(home / "bin" / "python"), str(HERE / "python" / f"{name}.py")], []
    return build


def pcapplusplus_flags():
    """What a compiler needs to be told: of an installed PcapPlusPlus, or of one that cargo and cmake build."""
    try:
        return sh("pkg-config", "--cflags", "--libs", "PcapPlusPlus").split()
    except Missing as no_package:
        if not (shutil.which("cargo") and shutil.which("cmake")):
            raise Missing(f"no PcapPlusPlus by pkg-config ({no_package}), and not both cargo and cmake to build it") \
                from no_package
    crate = BUILT / "pcapplusplus-crate"
    crate.mkdir(parents=True, exist_ok=True)
    for file in ("Cargo.toml", "nothing.rs"):
        shutil.copy(HERE / "pcapplusplus" / file, crate)
    sh("cargo", "build", "--release", "-q", cwd=crate)
    for include in crate.glob("target/release/build/pcapplusplus-sys-*/out/include/pcapplusplus"):
        out = include.parent.parent
        for library in out.glob("lib*/libPacket++.a"):
            return [f"-I{include}", f"-L{library.parent}", "-lPcap++", "-lPacket++", "-lCommon++", "-lpcap", "-lpthread"]
    raise Missing("cargo built PcapPlusPlus, and left no headers and libraries of it behind")


def pcapplusplus():
    flags = pcapplusplus_flags()
    program = BUILT / "pcapplusplus"
    source = str(HERE / "pcapplusplus" / "peer.cpp")
    sh("c++", "-O3", "-march=native", "-std=c++17", "-o", str(program), source, *flags)
    return [str(program)], []


def pcapplusplus_version():
    """As its own header says it, where cargo built it; else as its package does."""
    built = BUILT / "pcapplusplus-crate" / "target" / "release" / "build"
    for header in built.glob("pcapplusplus-sys-*/out/include/*/PcapPlusPlusVersion.h"):
        found = re.search(r'PCAPPLUSPLUS_VERSION\s+"v?([^"]+)"', header.read_text())
        if found:
            return found[1]
    try:
        return sh("pkg-config", "--modversion", "PcapPlusPlus").strip()
    except Missing:
        return "of unknown version"


def java_version():
    return first_line(str(jdk25() / "java"), "--version")


def python_version():
    return "Python " + platform.python_version()


def compiler_version():
    return first_line("cc", "--version")


def libpcap_version():
    return first_line("pcap-config", "--version") if shutil.which("pcap-config") else "of the system"


def gopacket_version():
    found = re.search(r"gopacket v(\S+)", (HERE / "gopacket" / "go.mod").read_text())
    go_says = first_line("go", "version")
    return f"{found[1] if found else 'of unknown version'}, {go_says.removeprefix('go version ')}"
