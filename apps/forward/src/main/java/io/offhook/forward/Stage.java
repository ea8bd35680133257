package io.offhook.forward;

import java.util.List;

/**
 * A step of a packet application. Each lane has its own instance, so that {@link #process} and {@link #tick} are called by
 * one thread; what instances share is theirs to make safe.
 *
 * <pre>{@code
 * final class OnlyUdp implements Stage {
 *     public String name() { return "only-udp"; }
 *     public List<String> dropCauses() { return List.of("not UDP"); }
 *     public void process(Burst burst) {
 *         for (int i = 0, n = burst.count(); i < n; i++) {
 *             if (!burst.layers(i).has(LayerType.UDP)) {
 *                 burst.drop(i, 0);
 *             }
 *         }
 *     }
 * }
 * }</pre>
 */
public interface Stage {
    /** As statistics call it. */
    String name();

    /** Why it drops packets, in the order of their index; none by default. */
    default List<String> dropCauses() {
        return List.of();
    }

    /** Does its work on a burst of one packet or more. It allocates nothing, waits for nothing, and no packet makes it throw. */
    void process(Burst burst);

    /** Is called about once a millisecond, for timers; it may make packets in the burst. Nothing by default. */
    default void tick(Burst burst) {}
}
