package io.offhook.doctor;

import io.offhook.linux.network.Ethtool;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An examined interface.
 *
 * @param name {@code eth0}
 * @param index the interface index; 0 if unknown
 * @param isDevice whether it is a device on a bus, unlike veth, bridges, tunnels and the loopback
 * @param speedMbps the speed in Mbit/s; 0 if unknown
 * @param sendQueueLength txqueuelen in packets; -1 if unknown
 * @param receiveQueues the number of receive queues
 * @param steering the {@code rps_cpus} masks by receive queue, all zeros without RPS; empty if the kernel has no RPS
 * @param sendSteering the {@code xps_cpus} masks by send queue; empty for a card with one queue
 * @param numaNode the nearest node; -1 without NUMA or if unknown
 * @param interrupts the interrupts of its queues
 * @param affinities the processors by interrupt
 * @param card the report of its driver
 */
record NetworkCard(
        String name,
        int index,
        boolean isDevice,
        long speedMbps,
        long sendQueueLength,
        int receiveQueues,
        Map<String, String> steering,
        Map<String, String> sendSteering,
        int numaNode,
        List<Interrupts> interrupts,
        Map<Integer, List<Integer>> affinities,
        KernelTables.Card card) {
    /** The name as typed in a shell. */
    String quotedName() {
        return Remedy.quoted(name);
    }

    /** Whether a feature is on; false if it does not exist. */
    boolean isOn(String feature) {
        return card.features().stream().anyMatch(one -> one.name().equals(feature) && one.isOn());
    }

    Ethtool.@Nullable Feature feature(String name) {
        return card.features().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    boolean isSteered() {
        return isAnySet(steering);
    }

    boolean isSendSteered() {
        return isAnySet(sendSteering);
    }

    private static boolean isAnySet(Map<String, String> masks) {
        return masks.values().stream().anyMatch(mask -> !mask.matches("[0,]*"));
    }
}
