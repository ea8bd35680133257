package io.offhook.live.xdp;

import static java.util.Map.entry;

import io.offhook.testkit.peers.CompilerConstants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The constants of {@link IfXdp} against those of the C compiler. */
@EnabledOnOs(OS.LINUX)
class IfXdpTest {
    /** Headers before those of Linux 6.6 have neither; the numbers are those of Documentation/networking/af_xdp.rst. */
    private static final String SEGMENTS =
            "0\n#ifndef XDP_USE_SG\n#define XDP_USE_SG (1 << 4)\n" + "#define XDP_PKT_CONTD (1 << 0)\n#endif\n";

    @Test
    void agreesWithTheCompiler(@TempDir Path folder) throws IOException {
        CompilerConstants.assertAgree(
                IfXdp.class,
                List.of("sys/socket.h", "linux/if_xdp.h"),
                Map.ofEntries(
                        entry("XDP_USE_SG", SEGMENTS + "+ XDP_USE_SG"),
                        entry("ADDRESS_BYTES", "sizeof(struct sockaddr_xdp)"),
                        entry("ADDRESS_FLAGS", "offsetof(struct sockaddr_xdp, sxdp_flags)"),
                        entry("ADDRESS_INTERFACE", "offsetof(struct sockaddr_xdp, sxdp_ifindex)"),
                        entry("ADDRESS_QUEUE", "offsetof(struct sockaddr_xdp, sxdp_queue_id)"),
                        entry("ADDRESS_SHARED", "offsetof(struct sockaddr_xdp, sxdp_shared_umem_fd)"),
                        entry("MEMORY_BYTES", "sizeof(struct xdp_umem_reg)"),
                        entry("MEMORY_LENGTH", "offsetof(struct xdp_umem_reg, len)"),
                        entry("MEMORY_CHUNK", "offsetof(struct xdp_umem_reg, chunk_size)"),
                        entry("OFFSETS_BYTES", "sizeof(struct xdp_mmap_offsets)"),
                        entry("OFFSETS_TX", "offsetof(struct xdp_mmap_offsets, tx)"),
                        entry("OFFSETS_FILL", "offsetof(struct xdp_mmap_offsets, fr)"),
                        entry("OFFSETS_COMPLETION", "offsetof(struct xdp_mmap_offsets, cr)"),
                        entry("RING_PRODUCER", "offsetof(struct xdp_ring_offset, producer)"),
                        entry("RING_CONSUMER", "offsetof(struct xdp_ring_offset, consumer)"),
                        entry("RING_DESCRIPTORS", "offsetof(struct xdp_ring_offset, desc)"),
                        entry("RING_FLAGS", "offsetof(struct xdp_ring_offset, flags)"),
                        entry("DESCRIPTOR_BYTES", "sizeof(struct xdp_desc)"),
                        entry("DESCRIPTOR_LENGTH", "offsetof(struct xdp_desc, len)"),
                        entry("DESCRIPTOR_OPTIONS", "offsetof(struct xdp_desc, options)"),
                        entry("STATISTICS_BYTES", "sizeof(struct xdp_statistics)"),
                        entry("STATISTICS_DROPPED", "offsetof(struct xdp_statistics, rx_dropped)"),
                        entry("STATISTICS_TX_INVALID", "offsetof(struct xdp_statistics, tx_invalid_descs)"),
                        entry("STATISTICS_RING_FULL", "offsetof(struct xdp_statistics, rx_ring_full)"),
                        entry("STATISTICS_FILL_EMPTY", "offsetof(struct xdp_statistics, rx_fill_ring_empty_descs)")),
                folder);
    }
}
