package io.offhook.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, offsets and bits of the header classes against those of the C compiler, with the installed headers. */
class LayoutTest {
    private static final Map<String, String> IN_C = new LinkedHashMap<>();

    static {
        put(RteMbuf.class, "SIZE", "sizeof(struct rte_mbuf)");
        for (String field : List.of(
                "buf_addr",
                "data_off",
                "refcnt",
                "nb_segs",
                "port",
                "ol_flags",
                "packet_type",
                "pkt_len",
                "data_len",
                "vlan_tci",
                "hash.rss",
                "vlan_tci_outer",
                "buf_len",
                "pool",
                "next")) {
            put(
                    RteMbuf.class,
                    field.toUpperCase(java.util.Locale.ROOT).replace('.', '_'),
                    "offsetof(struct rte_mbuf, " + field + ")");
        }
        put(RteMbuf.class, "HEADROOM", "RTE_PKTMBUF_HEADROOM");
        put(RteMbuf.class, "FLAG_RX_VLAN", "__builtin_ctzll(RTE_MBUF_F_RX_VLAN)");
        put(RteMbuf.class, "FLAG_RX_RSS_HASH", "__builtin_ctzll(RTE_MBUF_F_RX_RSS_HASH)");
        put(RteMbuf.class, "FLAG_RX_VLAN_STRIPPED", "__builtin_ctzll(RTE_MBUF_F_RX_VLAN_STRIPPED)");
        put(RteMbuf.class, "FLAG_EXTERNAL", "__builtin_ctzll(RTE_MBUF_F_EXTERNAL)");
        put(RteMbuf.class, "FLAG_INDIRECT", "__builtin_ctzll(RTE_MBUF_F_INDIRECT)");
        put(RteMempool.class, "NAME_BYTES", "RTE_MEMPOOL_NAMESIZE");
        put(RteMempool.class, "CACHE_MOST", "RTE_MEMPOOL_CACHE_MAX_SIZE");
        put(RteMempool.class, "CHUNK_ADDRESS", "offsetof(struct rte_mempool_memhdr, addr)");
        put(RteMempool.class, "CHUNK_LENGTH", "offsetof(struct rte_mempool_memhdr, len)");
        for (String name : List.of(
                "SOL_SOCKET",
                "SO_DOMAIN",
                "AF_PACKET",
                "SOL_PACKET",
                "PACKET_STATISTICS",
                "PACKET_VERSION",
                "TPACKET_V2")) {
            put(PacketSocketHeader.class, name, name);
        }
        put(PacketSocketHeader.class, "STATISTICS_BYTES", "sizeof(struct tpacket_stats)");
        put(PacketSocketHeader.class, "STATISTICS_DROPS", "offsetof(struct tpacket_stats, tp_drops)");
        put(PacketSocketHeader.class, "ADDRESS_BYTES", "sizeof(struct sockaddr_ll)");
        put(PacketSocketHeader.class, "ADDRESS_INTERFACE", "offsetof(struct sockaddr_ll, sll_ifindex)");
        layout("MAX_PORTS", "RTE_MAX_ETHPORTS");
        layout("NAME_BYTES", "RTE_ETH_NAME_MAX_LEN");
        layout("FP_OPS_BYTES", "sizeof(struct rte_eth_fp_ops)");
        layout("FP_RX_BURST", "offsetof(struct rte_eth_fp_ops, rx_pkt_burst)");
        layout("FP_RX_QUEUES", "offsetof(struct rte_eth_fp_ops, rxq.data)");
        layout("FP_TX_BURST", "offsetof(struct rte_eth_fp_ops, tx_pkt_burst)");
        layout("FP_TX_QUEUES", "offsetof(struct rte_eth_fp_ops, txq.data)");
        layout("CONF_BYTES", "sizeof(struct rte_eth_conf)");
        layout("CONF_RX_MODE", "offsetof(struct rte_eth_conf, rxmode.mq_mode)");
        layout("CONF_MTU", "offsetof(struct rte_eth_conf, rxmode.mtu)");
        layout("CONF_RX_OFFLOADS", "offsetof(struct rte_eth_conf, rxmode.offloads)");
        layout("CONF_TX_OFFLOADS", "offsetof(struct rte_eth_conf, txmode.offloads)");
        layout("CONF_RSS_FIELDS", "offsetof(struct rte_eth_conf, rx_adv_conf.rss_conf.rss_hf)");
        layout("MODE_RSS", "RTE_ETH_MQ_RX_RSS");
        layout("RSS_IP", "RTE_ETH_RSS_IP");
        layout("RSS_UDP", "RTE_ETH_RSS_UDP");
        layout("RSS_TCP", "RTE_ETH_RSS_TCP");
        layout("FRAME_OVERHEAD", "RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN");
        layout("INFO_BYTES", "sizeof(struct rte_eth_dev_info)");
        info("DEVICE", "device");
        info("DRIVER_NAME", "driver_name");
        info("INTERFACE", "if_index");
        info("MIN_MTU", "min_mtu");
        info("MAX_MTU", "max_mtu");
        info("MAX_PACKET", "max_rx_pktlen");
        info("MAX_RX_QUEUES", "max_rx_queues");
        info("MAX_TX_QUEUES", "max_tx_queues");
        info("RX_OFFLOADS", "rx_offload_capa");
        info("TX_OFFLOADS", "tx_offload_capa");
        info("RSS_FIELDS", "flow_type_rss_offloads");
        info("RX_QUEUES", "nb_rx_queues");
        info("TX_QUEUES", "nb_tx_queues");
        layout("RX_SCATTER", "__builtin_ctzll(RTE_ETH_RX_OFFLOAD_SCATTER)");
        layout("RX_TIMESTAMP", "__builtin_ctzll(RTE_ETH_RX_OFFLOAD_TIMESTAMP)");
        layout("RX_RSS_HASH", "__builtin_ctzll(RTE_ETH_RX_OFFLOAD_RSS_HASH)");
        layout("TX_MULTI_SEGS", "__builtin_ctzll(RTE_ETH_TX_OFFLOAD_MULTI_SEGS)");
        layout("LINK_BYTES", "sizeof(struct rte_eth_link)");
        layout("LINK_BITS", "sizeof(uint32_t)");
        layout("LINK_FULL_DUPLEX", "bits((struct rte_eth_link) {.link_duplex = 1})");
        layout("LINK_UP", "bits((struct rte_eth_link) {.link_status = 1})");
        layout("STATS_BYTES", "sizeof(struct rte_eth_stats)");
        for (String field :
                List.of("ipackets", "opackets", "ibytes", "obytes", "imissed", "ierrors", "oerrors", "rx_nombuf")) {
            layout(
                    "STATS_" + field.toUpperCase(java.util.Locale.ROOT),
                    "offsetof(struct rte_eth_stats, " + field + ")");
        }
        layout("XSTAT_BYTES", "sizeof(struct rte_eth_xstat)");
        layout("XSTAT_VALUE", "offsetof(struct rte_eth_xstat, value)");
        layout("XSTAT_NAME_BYTES", "sizeof(struct rte_eth_xstat_name)");
    }

    private static void put(Class<?> header, String name, String inC) {
        IN_C.put(header.getSimpleName() + "." + name, inC);
    }

    private static void layout(String name, String inC) {
        put(EthdevLayout.class, name, inC);
    }

    private static void info(String name, String field) {
        layout("INFO_" + name, "offsetof(struct rte_eth_dev_info, " + field + ")");
    }

    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        assumeTrue(TestEal.isPossible(), () -> "no DPDK: " + Eal.missing());
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/pkg-config"))
                        && said("pkg-config", "--modversion", "libdpdk").startsWith("22.11"),
                "the headers of DPDK 22.11 are not here (libdpdk-dev)");
        StringBuilder source = new StringBuilder(
                "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/socket.h>\n#include <linux/if_packet.h>\n"
                        + "#include <rte_ethdev.h>\n#include <rte_mbuf.h>\n#include <rte_mempool.h>\n"
                        + "static int bits(struct rte_eth_link link) {\n"
                        + "uint16_t bits; memcpy(&bits, (char *)&link + sizeof(uint32_t), sizeof bits); return bits; }\n"
                        + "int main(void) {\n");
        Map<String, Long> ours = ours();
        assertThat(new TreeSet<>(ours.keySet())).isEqualTo(new TreeSet<>(IN_C.keySet()));
        for (String name : ours.keySet()) {
            source.append("printf(\"%ld\\n\", (long)(").append(IN_C.get(name)).append("));\n");
        }
        Path program = folder.resolve("offsets.c");
        Files.writeString(program, source.append("}\n"));
        List<String> compile =
                new ArrayList<>(List.of("cc", "-o", folder.resolve("offsets").toString()));
        compile.addAll(List.of(said("pkg-config", "--cflags", "libdpdk").strip().split(" +")));
        compile.add(program.toString());
        run(compile.toArray(String[]::new));

        Map<String, Long> theirs = new LinkedHashMap<>();
        String[] lines = run(folder.resolve("offsets").toString()).split("\n", -1);
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, Long.valueOf(lines[at++]));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    private static Map<String, Long> ours() throws IllegalAccessException {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Class<?> header : List.of(RteMbuf.class, RteMempool.class, EthdevLayout.class, PacketSocketHeader.class)) {
            for (Field field : Arrays.asList(header.getDeclaredFields())) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                    field.setAccessible(true);
                    constants.put(header.getSimpleName() + "." + field.getName(), (long) field.getInt(null));
                }
            }
        }
        return constants;
    }

    private static String said(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void onlyVersionsThatAreKnownAreTaken() {
        assertThat(DpdkLibraries.isKnown("DPDK 22.11.11")).isTrue();
        assertThat(DpdkLibraries.isKnown("DPDK 22.11")).isTrue();
        assertThat(DpdkLibraries.isKnown("DPDK 22.110.1")).isFalse();
        assertThat(DpdkLibraries.isKnown("DPDK 23.11.2")).isFalse();
        assertThat(DpdkLibraries.unknown("DPDK 23.11.2"))
                .isEqualTo("DPDK 23.11.2 is installed, whose structures are not known here; known: DPDK 22.11");
    }
}
