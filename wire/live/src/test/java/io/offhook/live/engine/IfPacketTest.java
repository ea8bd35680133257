package io.offhook.live.engine;

import io.offhook.testkit.peers.CompilerConstants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        IN_C.put("TP_STATUS_TS_RAW_HARDWARE", "(int)TP_STATUS_TS_RAW_HARDWARE");
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
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException {
        CompilerConstants.assertAgree(
                IfPacket.class,
                List.of(
                        "sys/socket.h",
                        "linux/filter.h",
                        "linux/if_ether.h",
                        "linux/if_packet.h",
                        "linux/net_tstamp.h"),
                IN_C,
                folder);
    }
}
