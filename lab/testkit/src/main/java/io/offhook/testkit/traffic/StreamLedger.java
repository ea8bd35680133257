package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.StreamTruth;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
    private final StringBuilder audioDigits = new StringBuilder();
    private final Set<Integer> audioDigitsSeen = new HashSet<>();
    private final Set<Integer> digitsSeen = new HashSet<>();
    private @Nullable SentCodec codec;
    private SentCodec first = SentCodec.TELEPHONE_EVENT;
    private long[] times = new long[32];
    private long[] indices = new long[32];
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
    void note(long timeNs, long index, SentCodec packetCodec, boolean copyOfMirror) {
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
                && !packetCodec.name().equals(SentCodec.TELEPHONE_EVENT.name())
                && !packetCodec.name().equals(SentCodec.CN.name())) {
            codec = packetCodec;
        }
    }

    /** Records a captured packet of a telephone event; {@code number} identifies the event. */
    void noteDigit(int number, char key) {
        if (digitsSeen.add(number)) {
            digits.append(key);
        }
    }

    /** Records a captured packet of audio with a key in it; {@code number} identifies the key. */
    void noteAudioDigit(int number, char key) {
        if (audioDigitsSeen.add(number)) {
            audioDigits.append(key);
        }
    }

    boolean isEmpty() {
        return captured == 0;
    }

    int captured() {
        return captured;
    }

    StreamTruth truth() {
        sortByTime();
        long lowest = Arrays.stream(indices, 0, captured).min().orElseThrow();
        BitSet distinct = new BitSet();
        long highest = lowest - 1;
        long reordered = 0;
        for (int i = 0; i < captured; i++) {
            int number = Math.toIntExact(indices[i] - lowest);
            if (!distinct.get(number) && indices[i] < highest) {
                reordered++;
            }
            distinct.set(number);
            highest = Math.max(highest, indices[i]);
        }
        long expected = highest - lowest + 1;
        SentCodec named = codec == null ? first : codec;
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
                expected - distinct.cardinality(),
                captured - distinct.cardinality(),
                mirrored,
                reordered,
                digits.toString(),
                audioDigits.toString(),
                video,
                encrypted,
                times[0],
                times[captured - 1]);
    }

    /** By insertion, as they are almost in order; those of one time stay in the order in which they were noted. */
    private void sortByTime() {
        for (int i = 1; i < captured; i++) {
            long time = times[i];
            long index = indices[i];
            int at = i;
            while (at > 0 && times[at - 1] > time) {
                times[at] = times[at - 1];
                indices[at] = indices[at - 1];
                at--;
            }
            times[at] = time;
            indices[at] = index;
        }
    }
}
