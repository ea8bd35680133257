package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.pcap.PacketSource;
import java.util.List;

/**
 * Frames of network interfaces, as they come, until it is told to {@link #stop}. {@link #next} waits for frames, but not for
 * long: after {@link #IDLE_MS} it hands over an empty batch, so that who works on them can look at the clock.
 */
public interface LiveSource extends PacketSource {
    /** The longest that {@link #next} waits, in milliseconds. */
    int IDLE_MS = 100;

    /**
     * Ends the capture: what came before is still handed over, and then {@link #next} returns false. Any thread may call it,
     * at any time, a shutdown hook too.
     */
    void stop();

    /** What became of the packets so far; any thread may ask. The kernel is asked now and then, and once more at the end. */
    LiveCounts counts();

    /**
     * As {@link #counts()}, of one interface alone, where the source knows; else of all.
     *
     * @param interfaceIndex of {@link #interfaces}
     */
    default LiveCounts counts(int interfaceIndex) {
        return counts();
    }

    /** What a person should know of the way that was chosen, a sentence each: what it takes away, or does not see. */
    default List<String> notes() {
        return List.of();
    }

    /** The network interfaces that frames come from, as far as the source knows them. */
    default List<NetworkDevice> devices() {
        return List.of();
    }
}
