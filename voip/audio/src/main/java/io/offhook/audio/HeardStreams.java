package io.offhook.audio;

import io.offhook.audio.codec.Decoders;
import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which streams of a call are heard. A side's audio may have been captured more than once: before and behind a relay, or in
 * several legs of a call. It is played once, as near to its listener as it was captured: of two streams that a relay connects
 * the one behind it; of two legs at the same time, for the caller's audio the one that is not the first leg, for the
 * callee's the first leg, which the caller hears. All else of a side is added up: streams of one leg at the same time, or one
 * after the other.
 */
final class HeardStreams {
    /** More are not played: a call has a handful. */
    private static final int MOST = 256;

    private static final double MOSTLY = 0.5;

    private final CallReport call;
    private final Predicate<StreamReport> hasKey;
    /** Why a stream is not played; by its statistics, as reports are values. */
    private final IdentityHashMap<RtpStream, String> reasons = new IdentityHashMap<>();

    private final IdentityHashMap<RtpStream, HeardStream.State> states = new IdentityHashMap<>();
    private final List<StreamReport> streams = new ArrayList<>();

    private HeardStreams(CallReport call, Predicate<StreamReport> hasKey) {
        this.call = call;
        this.hasKey = hasKey;
    }

    /** The audio streams of a call, in the order of the report. */
    static List<HeardStream> of(CallReport call, Predicate<StreamReport> hasKey) {
        HeardStreams heard = new HeardStreams(call, hasKey);
        heard.decide();
        List<HeardStream> all = new ArrayList<>();
        for (StreamReport stream : heard.streams) {
            String reason = heard.reasons.get(stream.statistics());
            Side side = stream.from() == Side.CALLER ? Side.CALLER : Side.CALLEE;
            HeardStream.State state = heard.states.getOrDefault(stream.statistics(), HeardStream.State.PLAYED);
            all.add(new HeardStream(stream, side, state, reason == null ? List.of() : List.of(reason)));
        }
        return all;
    }

    private void decide() {
        for (StreamReport stream : call.streams()) {
            if (stream.isAudio() && stream.from() != null) {
                streams.add(stream);
            }
        }
        for (StreamPassage passage : call.media().passages()) {
            passed(passage.from().statistics(), passage.to().statistics());
        }
        for (StreamReport stream : streams) {
            String reason = inaudible(stream);
            if (reason != null && isPlayed(stream)) {
                leave(stream, HeardStream.State.UNREADABLE, reason);
            }
        }
        streams.stream()
                .filter(this::isPlayed)
                .skip(MOST)
                .toList()
                .forEach(stream ->
                        leave(stream, HeardStream.State.UNREADABLE, "the call has more than " + MOST + " streams"));
        List<StreamReport> played = streams.stream().filter(this::isPlayed).toList();
        for (StreamReport stream : played) {
            for (StreamReport other : played) {
                if (isPlayed(stream) && isPlayed(other) && isCoveredBy(stream, other)) {
                    leave(
                            stream,
                            HeardStream.State.ELSEWHERE,
                            "the same side's audio is played from another leg, stream " + ssrc(other.ssrc()));
                }
            }
        }
    }

    private void leave(StreamReport stream, HeardStream.State state, String reason) {
        states.put(stream.statistics(), state);
        reasons.put(stream.statistics(), reason);
    }

    private boolean isPlayed(StreamReport stream) {
        return !reasons.containsKey(stream.statistics());
    }

    /** Of the two points of a passage only one is played: the second, unless it cannot be heard. */
    private void passed(RtpStream before, RtpStream after) {
        StreamReport first = reportOf(before);
        StreamReport second = reportOf(after);
        if (first == null || second == null) {
            return;
        }
        boolean isFirst = inaudible(second) != null && inaudible(first) == null;
        StreamReport left = isFirst ? second : first;
        StreamReport kept = isFirst ? first : second;
        leave(left, HeardStream.State.ELSEWHERE, "a relay passed it on; stream " + ssrc(kept.ssrc()) + " is played");
    }

    private @Nullable StreamReport reportOf(RtpStream statistics) {
        for (StreamReport stream : streams) {
            if (stream.statistics().equals(statistics)) {
                return stream;
            }
        }
        return null;
    }

    /** Why nothing of a stream can be heard; null if something can. */
    private @Nullable String inaudible(StreamReport stream) {
        if (stream.isEncrypted() && !hasKey.test(stream)) {
            return "encrypted; no key";
        }
        TreeSet<String> names = new TreeSet<>();
        boolean isUnknown = false;
        for (PayloadCount payload : stream.statistics().payloads()) {
            Codec codec = payload.codec();
            if (codec == null) {
                isUnknown = true;
            } else if (Decoders.rate(codec) > 0) {
                return null;
            } else if (!codec.isTelephoneEvent() && !codec.isComfortNoise()) {
                names.add(name(codec));
            }
        }
        if (!names.isEmpty()) {
            return String.join(", ", names) + ": no decoder";
        }
        return isUnknown ? "its codec is not known" : "it has no audio but comfort noise or key presses";
    }

    /** How a codec is named to a person. */
    static String name(Codec codec) {
        boolean isOdd = codec.key().equals("L16") || codec.channels() > 1;
        return isOdd
                ? codec.encodingName() + "/" + codec.clockRate() + (codec.channels() > 1 ? "/" + codec.channels() : "")
                : codec.encodingName();
    }

    static String ssrc(long ssrc) {
        return String.format(Locale.ROOT, "0x%08X", ssrc);
    }

    /** Whether another leg has the same side at mostly the same time, and is preferred. */
    private boolean isCoveredBy(StreamReport stream, StreamReport other) {
        String leg = stream.callId();
        if (stream.from() != other.from() || leg == null || leg.equals(other.callId())) {
            return false;
        }
        long fromNs = Math.max(stream.statistics().firstNs(), other.statistics().firstNs());
        long untilNs = Math.min(stream.statistics().lastNs(), other.statistics().lastNs());
        long lengthNs = lengthNs(stream);
        if (untilNs - fromNs <= MOSTLY * Math.min(lengthNs, lengthNs(other))) {
            return false;
        }
        boolean isFirstLeg = leg.equals(call.dialogs().getFirst().callId());
        boolean isOtherFirst = call.dialogs().getFirst().callId().equals(other.callId());
        if (isFirstLeg != isOtherFirst) {
            return isFirstLeg == (stream.from() == Side.CALLER);
        }
        return lengthNs < lengthNs(other);
    }

    private static long lengthNs(StreamReport stream) {
        return Math.max(1, stream.statistics().lastNs() - stream.statistics().firstNs());
    }
}
