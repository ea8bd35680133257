package io.offhook.testkit;

import io.offhook.packet.Endpoint;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Notes each captured packet of a stream as it is written, so that the truth is counted and not guessed. */
final class StreamLedger {
    /** What names a stream. */
    record Key(Endpoint source, Endpoint destination, long ssrc) {}

    private final Key key;
    private final @Nullable String callId;
    private final @Nullable Party from;
    private final boolean video;
    private final boolean encrypted;
    private final Set<Integer> payloadTypes = new LinkedHashSet<>();
    private final StringBuilder digits = new StringBuilder();
    private final Set<Integer> digitsSeen = new HashSet<>();
    private @Nullable Codec codec;
    private Codec first = Codec.TELEPHONE_EVENT;
    private long[] times = new long[256];
    private long[] indices = new long[256];
    private int captured;
    private int mirrored;

    StreamLedger(Key key, @Nullable String callId, @Nullable Party from, boolean video, boolean encrypted) {
        this.key = key;
        this.callId = callId;
        this.from = from;
        this.video = video;
        this.encrypted = encrypted;
    }

    /**
     * Notes a captured packet.
     *
     * @param index its sequence number, counted on past 65535
     */
    void note(long timeNs, long index, Codec packetCodec, boolean copyOfMirror) {
        if (captured == times.length) {
            times = Arrays.copyOf(times, captured * 2);
            indices = Arrays.copyOf(indices, captured * 2);
        }
        times[captured] = timeNs;
        indices[captured] = index;
        if (captured == 0) {
            first = packetCodec;
        }
        captured++;
        mirrored += copyOfMirror ? 1 : 0;
        payloadTypes.add(packetCodec.payloadType());
        if (codec == null
                && !packetCodec.name().equals(Codec.TELEPHONE_EVENT.name())
                && !packetCodec.name().equals(Codec.CN.name())) {
            codec = packetCodec;
        }
    }

    /** Notes that a packet of a telephone event was captured; {@code number} tells events apart. */
    void noteDigit(int number, char key) {
        if (digitsSeen.add(number)) {
            digits.append(key);
        }
    }

    boolean isEmpty() {
        return captured == 0;
    }

    int captured() {
        return captured;
    }

    StreamTruth truth() {
        int[] order = IntStream.range(0, captured)
                .boxed()
                .sorted(Comparator.comparingLong(i -> times[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        Set<Long> distinct = new HashSet<>();
        long highest = Long.MIN_VALUE;
        long lowest = Long.MAX_VALUE;
        long reordered = 0;
        for (int i : order) {
            if (distinct.add(indices[i]) && indices[i] < highest) {
                reordered++;
            }
            highest = Math.max(highest, indices[i]);
            lowest = Math.min(lowest, indices[i]);
        }
        long expected = highest - lowest + 1;
        Codec named = codec == null ? first : codec;
        return new StreamTruth(
                callId,
                key.ssrc(),
                key.source(),
                key.destination(),
                from,
                named.name(),
                named.payloadType(),
                List.copyOf(payloadTypes),
                captured,
                expected,
                expected - distinct.size(),
                captured - distinct.size(),
                mirrored,
                reordered,
                digits.toString(),
                video,
                encrypted,
                times[order[0]],
                times[order[order.length - 1]]);
    }
}
