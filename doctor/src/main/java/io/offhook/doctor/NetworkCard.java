package io.offhook.doctor;

import io.offhook.linux.Ethtool;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An interface that is looked at.
 *
 * @param name {@code eth0}
 * @param index its number; 0 where not told
 * @param isDevice whether a device of a bus is behind it: not of veth, bridges, tunnels, the loopback
 * @param speedMbps megabits a second; 0 where not told
 * @param sendQueueLength txqueuelen, packets; -1 where not told
 * @param receiveQueues how many
 * @param steering masks of its receive queues, {@code rps_cpus}, all zeros without RPS, by the queue's name; nothing where
 *     the kernel has no RPS
 * @param sendSteering masks of its send queues, {@code xps_cpus}, by the queue's name; nothing of a card with one queue
 * @param numaNode nearest to it; -1 without NUMA, or where not told
 * @param interrupts of its queues
 * @param affinities by interrupt, the processors that it goes to
 * @param card what its driver tells
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
    /** As it is typed. */
    String quotedName() {
        return Remedy.quoted(name);
    }

    /** Whether a feature is on; false where it is not there. */
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
