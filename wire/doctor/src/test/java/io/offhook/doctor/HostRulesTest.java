package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.Findings.setting;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.doctor.Finding.Setting;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel, a control group and limits of processes allow. */
class HostRulesTest {
    @TempDir
    Path folder;

    @Test
    void limitsOfTheProcessAreAdvised() {
        DoctorReport report = outOfTheBox(folder).report();
        assertThat(only(report, "locked-memory").setting())
                .isEqualTo(new Setting("memlock", "65536", "67108864", "bytes"));
        assertThat(only(report, "open-files").setting()).isEqualTo(new Setting("nofile", "1024", "4096", "files"));
        assertThat(commands(only(report, "open-files")))
                .containsExactly("systemctl edit UNIT # [Service] LimitNOFILE=4096");
    }

    @Test
    void hugePagesAreToldAsTheyAre() {
        assertThat(only(tuned(folder).report(), "huge-pages").text()).isEqualTo("huge pages for DPDK: 512 of 2,048 kB");
        KeptMachine without = tuned(folder).write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n");
        assertThat(only(without.report(), "huge-pages").text())
                .startsWith("no huge pages; only DPDK would need them (sysctl -w vm.nr_hugepages=512)");
    }

    /** 512 of them would be 256 GiB. */
    @Test
    void hugePagesAreAdvisedBySize() {
        DoctorReport report = tuned(folder)
                .without("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages")
                .write("/sys/kernel/mm/hugepages/hugepages-524288kB/nr_hugepages", "0\n")
                .write("/proc/meminfo", "HugePages_Total:       0\nHugepagesize:     524288 kB\n")
                .report();
        assertThat(setting(report, "huge-pages")).isEqualTo(new Setting("vm.nr_hugepages", "0", "2", "pages"));
        assertThat(only(report, "huge-pages").text()).contains("(sysctl -w vm.nr_hugepages=2)");
    }

    @Test
    void capabilitiesAreThoseThatTheBackendsNeed() {
        assertThat(only(outOfTheBox(folder).report(), "capabilities").text())
                .isEqualTo(
                        "this process lacks CAP_NET_ADMIN (AF_XDP), CAP_NET_RAW (AF_PACKET, libpcap), CAP_PERFMON"
                                + " (AF_XDP), CAP_BPF (AF_XDP): setcap(8), or AmbientCapabilities= of a systemd unit, grants them");
        // root of a kernel that has no others yet
        assertThat(only(
                                tuned(folder)
                                        .write("/proc/self/status", "CapEff:\t0000003fffffffff\n")
                                        .report(),
                                "capabilities")
                        .text())
                .doesNotContain("has not");
    }

    @Test
    void kernelBeforeTheOneThatAfXdpNeedsIsTold() {
        Finding old = only(
                tuned(folder)
                        .write("/proc/sys/kernel/osrelease", "5.10.0-28-amd64\n")
                        .report(),
                "kernel");
        assertThat(old.severity()).isEqualTo(Severity.ADVICE);
        assertThat(old.text()).contains("AF_XDP needs 5.11");
        Finding young = only(
                tuned(folder).write("/proc/sys/kernel/osrelease", "5.11.0\n").report(), "kernel");
        assertThat(young.severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void quotaThatStoodInTheWay() {
        Finding quota = only(outOfTheBox(folder).report(), "cpu-quota");
        assertThat(quota.text()).isEqualTo("its processes may use 150 % of a processor, and were throttled 31 times");
        assertThat(commands(quota)).containsExactly("systemctl set-property offhook.service CPUQuota=");
        assertThat(quota.setting()).isEqualTo(new Setting("cpu.max", "150 % of a processor", "max", ""));
    }

    /** Only its own manager knows it. */
    @Test
    void quotaOfAUsersUnitIsSetByTheUsersManager() {
        String group = "/user.slice/user-998.slice/user@998.service/app.slice/sniffer.service";
        Finding quota = only(
                tuned(folder)
                        .write("/proc/self/cgroup", "0::" + group + "\n")
                        .write("/sys/fs/cgroup" + group + "/cpu.max", "50000 100000\n")
                        .report(),
                "cpu-quota");
        assertThat(commands(quota)).containsExactly("systemctl --user set-property sniffer.service CPUQuota=");
    }
}
