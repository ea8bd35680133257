package io.offhook.live.libpcap;

import static java.util.Map.entry;

import io.offhook.testkit.peers.CompilerConstants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The constants of {@link Pcap} against those of the C compiler. */
@EnabledOnOs(OS.LINUX)
class PcapTest {
    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/include/pcap/pcap.h")), "no libpcap0.8-dev is here");
        CompilerConstants.assertAgree(
                Pcap.class,
                List.of("pcap/pcap.h"),
                Map.ofEntries(
                        entry("HEADER_BYTES", "sizeof(struct pcap_pkthdr)"),
                        entry("HEADER_FRACTION", "offsetof(struct pcap_pkthdr, ts.tv_usec)"),
                        entry("HEADER_CAPTURED", "offsetof(struct pcap_pkthdr, caplen)"),
                        entry("HEADER_WIRE", "offsetof(struct pcap_pkthdr, len)"),
                        entry("STATISTICS_BYTES", "sizeof(struct pcap_stat)"),
                        entry("STATISTICS_DROPPED", "offsetof(struct pcap_stat, ps_drop)"),
                        entry("STATISTICS_INTERFACE_DROPPED", "offsetof(struct pcap_stat, ps_ifdrop)"),
                        entry("PROGRAM_BYTES", "sizeof(struct bpf_program)"),
                        entry("PROGRAM_FIRST", "offsetof(struct bpf_program, bf_insns)"),
                        entry("DEVICE_BYTES", "sizeof(struct pcap_if)"),
                        entry("DEVICE_NAME", "offsetof(struct pcap_if, name)"),
                        entry("DEVICE_DESCRIPTION", "offsetof(struct pcap_if, description)"),
                        entry("DEVICE_ADDRESSES", "offsetof(struct pcap_if, addresses)"),
                        entry("DEVICE_FLAGS", "offsetof(struct pcap_if, flags)"),
                        entry("ADDRESS_BYTES", "sizeof(struct pcap_addr)"),
                        entry("ADDRESS_VALUE", "offsetof(struct pcap_addr, addr)")),
                folder);
    }
}
