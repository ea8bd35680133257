package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rules on the kernel, and on the limits and capabilities of this process, which a capture started in the same way
 * would have.
 */
final class HostRules {
    private static final long LOCKED_BYTES = 64 << 20;
    private static final long FILES = 4096;
    /** 1 GiB in kB, as a capture by DPDK requests. */
    private static final long DPDK_KB = 1 << 20;

    private HostRules() {}

    static void examine(Diagnosis diagnosis) {
        kernel(diagnosis);
        capabilities(diagnosis);
        limits(diagnosis);
        quota(diagnosis);
        hugePages(diagnosis);
    }

    private static void kernel(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        String missing = "";
        if (!machine.isKernel(3, 2)) {
            missing = "capturing by a ring (TPACKET_V3) needs 3.2, AF_XDP 5.11";
        } else if (!machine.isKernel(5, 11)) {
            missing = "AF_XDP needs 5.11";
        }
        if (machine.kernel().isEmpty()) {
            return;
        }
        if (missing.isEmpty()) {
            diagnosis.fine("kernel", "", "Linux " + machine.kernel() + " has all that the backends need");
        } else {
            diagnosis
                    .add(Severity.ADVICE, "kernel", "", "Linux " + machine.kernel() + ": " + missing)
                    .because(
                            "AF_XDP is the fastest capture without DPDK; AF_PACKET works without it",
                            "Documentation/networking/af_xdp.rst, packet_mmap.rst");
        }
    }

    private static void capabilities(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        if (machine.capabilities() == -1) {
            return;
        }
        List<String> has = new ArrayList<>();
        List<String> lacks = new ArrayList<>();
        Map.of(
                        Machine.CAP_NET_RAW, "CAP_NET_RAW (AF_PACKET, libpcap)",
                        Machine.CAP_NET_ADMIN, "CAP_NET_ADMIN (AF_XDP)",
                        Machine.CAP_BPF, "CAP_BPF (AF_XDP)",
                        Machine.CAP_PERFMON, "CAP_PERFMON (AF_XDP)")
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> {
                    // CAP_SYS_ADMIN includes them: they were part of it before 5.8
                    boolean isImplied =
                            one.getKey() >= Machine.CAP_PERFMON && machine.hasCapability(Machine.CAP_SYS_ADMIN);
                    (machine.hasCapability(one.getKey()) || isImplied ? has : lacks).add(one.getValue());
                });
        diagnosis.fine(
                "capabilities",
                "",
                (has.isEmpty() ? "" : "this process has " + String.join(", ", has))
                        + (lacks.isEmpty()
                                ? ""
                                : (has.isEmpty() ? "this process lacks " : "; it lacks ") + String.join(", ", lacks)
                                        + ": setcap(8), or AmbientCapabilities= of a systemd unit, grants them"));
    }

    private static void limits(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        long locked = machine.lockedMemoryBytes();
        boolean isCounted = machine.capabilities() != -1 && !machine.hasCapability(Machine.CAP_IPC_LOCK);
        if (locked >= 0 && locked < LOCKED_BYTES && isCounted) {
            diagnosis
                    .add(
                            Severity.ADVICE,
                            "locked-memory",
                            "",
                            "this process may lock only " + Numbers.grouped(locked) + " bytes of memory")
                    .setting("memlock", locked, LOCKED_BYTES, "bytes")
                    .because(
                            "AF_XDP locks its packet memory, and Linux before 5.11 also locks eBPF maps; a smaller"
                                    + " ring holds less of a burst",
                            "setrlimit(2), RLIMIT_MEMLOCK; Documentation/networking/af_xdp.rst")
                    .command("systemctl edit UNIT # [Service] LimitMEMLOCK=" + LOCKED_BYTES);
        } else if (machine.capabilities() != -1) {
            diagnosis
                    .fine(
                            "locked-memory",
                            "",
                            isCounted
                                    ? "this process may lock "
                                            + (locked < 0 ? "any amount" : Numbers.grouped(locked) + " bytes")
                                            + " of memory"
                                    : "CAP_IPC_LOCK: no limit for locked memory")
                    .setting("memlock", locked < 0 ? "unlimited" : locked, null, locked < 0 ? "" : "bytes");
        }
        long files = machine.openFiles();
        if (files >= 0 && files < FILES) {
            diagnosis
                    .add(
                            Severity.ADVICE,
                            "open-files",
                            "",
                            "this process may open only " + Numbers.grouped(files) + " files")
                    .setting("nofile", files, FILES, "files")
                    .because(
                            "every connection of SIP over TCP or TLS needs one, as does every capture file that is open",
                            "setrlimit(2), RLIMIT_NOFILE")
                    .command("systemctl edit UNIT # [Service] LimitNOFILE=" + FILES);
        } else if (files >= 0) {
            diagnosis
                    .fine("open-files", "", "this process may open " + Numbers.grouped(files) + " files")
                    .setting("nofile", files, null, "files");
        }
    }

    private static void quota(Diagnosis diagnosis) {
        Cgroup.Quota quota = diagnosis.machine().quota();
        if (quota == null) {
            diagnosis.fine("cpu-quota", "", "the control group of this process has no quota of processor time");
            return;
        }
        long throttled = diagnosis.now().protocol("cgroup.throttled");
        long grown = throttled - diagnosis.before().protocol("cgroup.throttled");
        String percent = Math.round(quota.processors() * 100) + " %";
        Finding.Builder finding = diagnosis
                .add(
                        throttled > 0 ? Severity.WOULD_LOSE : Severity.ADVICE,
                        "cpu-quota",
                        quota.path(),
                        "its processes may use " + percent + " of a processor, and were throttled "
                                + Numbers.grouped(throttled) + " times"
                                + (grown > 0 ? ", " + Numbers.grouped(grown) + " of them just now" : ""))
                .setting("cpu.max", percent + " of a processor", "max", "")
                .because(
                        "once the quota is used up, all threads are stopped for the rest of the period, usually"
                                + " 100 ms, and rings and buffers fill",
                        "Documentation/admin-guide/cgroup-v2.rst, cpu.max");
        String group = quota.path().substring(quota.path().lastIndexOf('/') + 1);
        if (group.endsWith(".service") || group.endsWith(".scope") || group.endsWith(".slice")) {
            // the system manager does not know the units of a user's manager
            boolean isUsers = quota.path().matches(".*/user@\\d+\\.service/.+");
            finding.command(
                    "systemctl " + (isUsers ? "--user " : "") + "set-property " + Remedy.quoted(group) + " CPUQuota=");
        }
    }

    private static void hugePages(Diagnosis diagnosis) {
        Map<Long, Long> pages = diagnosis.machine().hugePages();
        if (pages.isEmpty()) {
            return;
        }
        long pageKb = diagnosis.machine().hugePageKb();
        long wanted = (DPDK_KB + pageKb - 1) / pageKb;
        List<String> there = new ArrayList<>();
        pages.forEach((size, count) -> {
            if (count > 0) {
                there.add(Numbers.grouped(count) + " of " + Numbers.grouped(size) + " kB");
            }
        });
        Finding.Builder fine = diagnosis.fine(
                "huge-pages",
                "",
                there.isEmpty()
                        ? "no huge pages; only DPDK would need them (sysctl -w vm.nr_hugepages=" + wanted
                                + "), for network cards that it drives itself"
                        : "huge pages for DPDK: " + String.join(", ", there));
        Long usual = pages.get(pageKb);
        if (usual != null) {
            fine.setting("vm.nr_hugepages", usual, there.isEmpty() ? wanted : null, "pages");
        }
    }
}
