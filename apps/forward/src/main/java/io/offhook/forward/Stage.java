package io.offhook.forward;

import java.util.List;

/**
 * A step of a packet application. Each lane has its own instance, so that {@link #process} and {@link #tick} are called
 * by one thread; instances synchronise what they share.
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
    /** Its name in the statistics. */
    String name();

    /** The causes of its drops, by index; none by default. */
    default List<String> dropCauses() {
        return List.of();
    }

    /** Processes a burst of at least one packet. It must not allocate or block, and no packet may make it throw. */
    void process(Burst burst);

    /** Called about once a millisecond, for timers; may create packets in the burst. Does nothing by default. */
    default void tick(Burst burst) {}
}
