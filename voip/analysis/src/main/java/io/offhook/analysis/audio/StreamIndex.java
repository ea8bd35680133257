package io.offhook.analysis.audio;

import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stream of a packet when a capture is read once more: by both endpoints and the SSRC, and of streams that have
 * these in common, one after the other, by the number of the frame. Single-threaded.
 *
 * @param <T> what is kept of each stream
 */
public final class StreamIndex<T> {
    private final Map<Key, List<Entry<T>>> streams = new HashMap<>();

    /** What names the packets of a stream. */
    private record Key(Endpoint source, Endpoint destination, long ssrc) {}

    private record Entry<T>(long firstFrame, T value) {}

    /** Creates an index without streams. */
    public StreamIndex() {}

    /** Adds a stream. */
    public void add(StreamReport stream, T value) {
        List<Entry<T>> same = streams.computeIfAbsent(
                new Key(stream.source(), stream.destination(), stream.ssrc()), _ -> new ArrayList<>(1));
        same.add(new Entry<>(stream.firstFrame(), value));
        same.sort((a, b) -> Long.compare(a.firstFrame, b.firstFrame));
    }

    /** Whether it has no stream. */
    public boolean isEmpty() {
        return streams.isEmpty();
    }

    /**
     * The stream of a packet.
     *
     * @param packets with the packet at hand
     * @param frame the number of the frame that carries or completes it, 1-based
     * @return null if it is of no stream here
     */
    public @Nullable T of(RtpFrames packets, long frame) {
        List<Entry<T>> same = streams.get(new Key(
                packets.source(), packets.destination(), packets.packet().ssrc()));
        if (same == null) {
            return null;
        }
        T found = null;
        for (Entry<T> entry : same) {
            if (entry.firstFrame <= frame) {
                found = entry.value;
            }
        }
        return found;
    }
}
