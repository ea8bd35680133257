package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The constants of {@link IfPacket} against those of the C compiler. */
@EnabledOnOs(OS.LINUX)
class IfPacketTest {
    private static final Map<String, String> IN_C = new LinkedHashMap<>();

    static {
        IN_C.put("ADDRESS_BYTES", "sizeof(struct sockaddr_ll)");
        IN_C.put("ADDRESS_PROTOCOL", "offsetof(struct sockaddr_ll, sll_protocol)");
        IN_C.put("ADDRESS_INTERFACE", "offsetof(struct sockaddr_ll, sll_ifindex)");
        IN_C.put("ADDRESS_PACKET_TYPE", "offsetof(struct sockaddr_ll, sll_pkttype)");
        IN_C.put("PACKET_HEADER_BYTES", "sizeof(struct tpacket3_hdr)");
        IN_C.put("MEMBERSHIP_BYTES", "sizeof(struct packet_mreq)");
        IN_C.put("MEMBERSHIP_TYPE", "offsetof(struct packet_mreq, mr_type)");
        IN_C.put("REQUEST_BYTES", "sizeof(struct tpacket_req3)");
        IN_C.put("STATISTICS_BYTES", "sizeof(struct tpacket_stats_v3)");
        IN_C.put("STATISTICS_DROPS", "offsetof(struct tpacket_stats_v3, tp_drops)");
        IN_C.put("STATISTICS_FREEZES", "offsetof(struct tpacket_stats_v3, tp_freeze_q_cnt)");
        IN_C.put("BLOCK_STATUS", "offsetof(struct tpacket_block_desc, hdr.bh1.block_status)");
        IN_C.put("BLOCK_PACKETS", "offsetof(struct tpacket_block_desc, hdr.bh1.num_pkts)");
        IN_C.put("BLOCK_FIRST", "offsetof(struct tpacket_block_desc, hdr.bh1.offset_to_first_pkt)");
        IN_C.put("PACKET_NEXT", "offsetof(struct tpacket3_hdr, tp_next_offset)");
        IN_C.put("PACKET_SECONDS", "offsetof(struct tpacket3_hdr, tp_sec)");
        IN_C.put("PACKET_NANOSECONDS", "offsetof(struct tpacket3_hdr, tp_nsec)");
        IN_C.put("PACKET_CAPTURED", "offsetof(struct tpacket3_hdr, tp_snaplen)");
        IN_C.put("PACKET_WIRE", "offsetof(struct tpacket3_hdr, tp_len)");
        IN_C.put("PACKET_STATUS", "offsetof(struct tpacket3_hdr, tp_status)");
        IN_C.put("PACKET_MAC", "offsetof(struct tpacket3_hdr, tp_mac)");
        IN_C.put("PACKET_VLAN_TCI", "offsetof(struct tpacket3_hdr, hv1.tp_vlan_tci)");
        IN_C.put("PACKET_VLAN_TPID", "offsetof(struct tpacket3_hdr, hv1.tp_vlan_tpid)");
        IN_C.put("SEND_REQUEST_BYTES", "sizeof(struct tpacket_req)");
        IN_C.put("SLOT_STATUS", "offsetof(struct tpacket2_hdr, tp_status)");
        IN_C.put("SLOT_LENGTH", "offsetof(struct tpacket2_hdr, tp_len)");
        IN_C.put("SLOT_FRAME", "TPACKET2_HDRLEN - sizeof(struct sockaddr_ll)");
        IN_C.put("SLOT_CAPTURED", "offsetof(struct tpacket2_hdr, tp_snaplen)");
        IN_C.put("SLOT_MAC", "offsetof(struct tpacket2_hdr, tp_mac)");
        IN_C.put("SLOT_SECONDS", "offsetof(struct tpacket2_hdr, tp_sec)");
        IN_C.put("SLOT_NANOSECONDS", "offsetof(struct tpacket2_hdr, tp_nsec)");
        IN_C.put("SLOT_VLAN_TCI", "offsetof(struct tpacket2_hdr, tp_vlan_tci)");
        IN_C.put("SLOT_VLAN_TPID", "offsetof(struct tpacket2_hdr, tp_vlan_tpid)");
        IN_C.put("FILTER_PROGRAM_BYTES", "sizeof(struct sock_fprog)");
        IN_C.put("FILTER_PROGRAM_ADDRESS", "offsetof(struct sock_fprog, filter)");
    }

    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        StringBuilder source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n#include <sys/socket.h>\n"
                + "#include <linux/filter.h>\n#include <linux/if_ether.h>\n#include <linux/if_packet.h>\n"
                + "int main(void) {\n");
        Map<String, Integer> ours = ours();
        assertThat(new TreeSet<>(ours.keySet())).containsAll(IN_C.keySet());
        for (String name : ours.keySet()) {
            source.append("printf(\"%ld\\n\", (long)(")
                    .append(IN_C.getOrDefault(name, name))
                    .append("));\n");
        }
        Path program = folder.resolve("offsets.c");
        Files.writeString(program, source.append("}\n"));
        run("cc", "-o", folder.resolve("offsets").toString(), program.toString());

        Map<String, Integer> theirs = new LinkedHashMap<>();
        String[] lines = run(folder.resolve("offsets").toString()).split("\n", -1);
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, Integer.valueOf(lines[at++]));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    private static Map<String, Integer> ours() {
        Map<String, Integer> constants = new LinkedHashMap<>();
        for (Field field : IfPacket.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                try {
                    constants.put(field.getName(), field.getInt(null));
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return constants;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
