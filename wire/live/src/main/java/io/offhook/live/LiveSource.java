package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.pcap.PacketSource;
import java.util.List;

/**
 * Delivers frames of network interfaces as they arrive, until {@link #stop} is called. {@link #next} waits for frames,
 * but not for long: after {@link #IDLE_MS} it delivers an empty batch, so that the consumer can check the time.
 */
public interface LiveSource extends PacketSource {
    /** The longest that {@link #next} waits, in milliseconds. */
    int IDLE_MS = 100;

    @Override
    default boolean isLive() {
        return true;
    }

    /**
     * Starts to capture, if it does not capture yet; {@link #next} does so, too. Backends whose ring holds only
     * milliseconds of traffic leave packets alone until then. One of the two is the first call of the capturing thread.
     */
    default void start() {}

    /**
     * Ends the capture: frames that arrived before are still delivered, then {@link #next} returns false. Any thread
     * may call it at any time, including a shutdown hook.
     */
    void stop();

    /**
     * Returns what became of the packets so far; any thread may call it. The kernel is queried now and then, and at the
     * end.
     */
    LiveCounts counts();

    /**
     * Returns {@link #counts()} of one interface only, if the source distinguishes them; otherwise of all.
     *
     * @param interfaceIndex an index into {@link #interfaces}
     */
    default LiveCounts counts(int interfaceIndex) {
        return counts();
    }

    /**
     * Returns what a user should know about the chosen way to capture, one sentence each: what it takes away or does
     * not see.
     */
    default List<String> notes() {
        return List.of();
    }

    /** Returns the network interfaces that the frames come from, as far as the source knows them. */
    default List<NetworkDevice> devices() {
        return List.of();
    }
}
