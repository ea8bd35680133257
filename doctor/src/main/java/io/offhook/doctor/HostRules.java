package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Kernel, limits and rights that this process has: those of a capture that is started in the same way. */
final class HostRules {
    private static final long LOCKED_BYTES = 64 << 20;
    private static final long FILES = 4096;
    /** 1 GiB, what a capture by DPDK asks for. */
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
                            "AF_XDP is the fastest way without DPDK; AF_PACKET does without it",
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
                    // these were part of CAP_SYS_ADMIN before 5.8, which still implies them
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
                                : (has.isEmpty() ? "this process has not " : "; it has not ") + String.join(", ", lacks)
                                        + ": offhook interfaces tells how to give them"));
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
                            "this process may lock " + Numbers.grouped(locked) + " bytes of memory")
                    .setting("memlock", locked, LOCKED_BYTES, "bytes")
                    .because(
                            "the packets' memory of AF_XDP is locked, and so are eBPF maps before Linux 5.11; a smaller"
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
                            "this process may have " + Numbers.grouped(files) + " files open")
                    .setting("nofile", files, FILES, "files")
                    .because(
                            "every connection of SIP over TCP or TLS is one, and so is every file of offhook split",
                            "setrlimit(2), RLIMIT_NOFILE")
                    .command("systemctl edit UNIT # [Service] LimitNOFILE=" + FILES);
        } else if (files >= 0) {
            diagnosis
                    .fine("open-files", "", "this process may have " + Numbers.grouped(files) + " files open")
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
                        "its processes may use " + percent + " of a processor, and waited for their share "
                                + Numbers.grouped(throttled) + " times"
                                + (grown > 0 ? ", " + Numbers.grouped(grown) + " of them just now" : ""))
                .setting("cpu.max", percent + " of a processor", "max", "")
                .because(
                        "once the quota is used up all threads stand still for the rest of the period, 100 ms as a"
                                + " rule, and rings and buffers fill",
                        "Documentation/admin-guide/cgroup-v2.rst, cpu.max");
        String group = quota.path().substring(quota.path().lastIndexOf('/') + 1);
        if (group.endsWith(".service") || group.endsWith(".scope") || group.endsWith(".slice")) {
            // the system's manager does not know those of a user's own
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
