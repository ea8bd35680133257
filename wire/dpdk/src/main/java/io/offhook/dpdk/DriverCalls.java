package io.offhook.dpdk;

import java.util.Set;

/**
 * The drivers whose burst functions stay in user space. A critical call delays every garbage collection until it
 * returns, so drivers that enter the kernel (net_af_packet, net_tap, net_pcap, net_af_xdp, net_virtio_user, net_vhost,
 * net_memif) get ordinary calls, as do all that are not listed.
 */
final class DriverCalls {
    private static final Set<String> WITHOUT_SYSTEM_CALLS = Set.of(
            "net_null",
            "net_ring",
            "net_e1000_em",
            "net_e1000_igb",
            "net_e1000_igb_vf",
            "net_igc",
            "net_ixgbe",
            "net_ixgbe_vf",
            "net_i40e",
            "net_iavf",
            "net_ice",
            "net_ena",
            "net_bnxt",
            "net_vmxnet3",
            "net_virtio",
            "mlx5_pci");

    private DriverCalls() {}

    static boolean mayBeCritical(String driverName) {
        return WITHOUT_SYSTEM_CALLS.contains(driverName);
    }
}
