package io.offhook.calls;

import io.offhook.rtp.AudioPause;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When audio came from one side, over all of its streams, with what its streams know of each pause. */
final class AudioActivity {
    /** A stream of an unknown payload type with fewer packets is no audio. */
    private static final int FEWEST_PACKETS = 3;

    private final List<StreamReport> streams = new ArrayList<>(1);
    private final Spans active;

    AudioActivity(List<StreamReport> all, Side side) {
        List<Spans.Span> spans = new ArrayList<>();
        for (StreamReport stream : all) {
            RtpStream statistics = stream.statistics();
            boolean isKnown = stream.codec() != null || statistics.packets() >= FEWEST_PACKETS;
            boolean isHeard = stream.isAudio() && stream.hasPayload() && statistics.lastAudioNs() != Long.MIN_VALUE;
            if (stream.from() == side && isKnown && isHeard) {
                streams.add(stream);
                add(statistics, spans);
            }
        }
        active = Spans.union(spans);
    }

    private static void add(RtpStream stream, List<Spans.Span> spans) {
        long fromNs = stream.firstAudioNs();
        for (AudioPause pause : stream.audioPauses()) {
            spans.add(new Spans.Span(fromNs, pause.fromNs() + 1));
            fromNs = pause.untilNs();
        }
        spans.add(new Spans.Span(fromNs, stream.lastAudioNs() + 1)); // the packet itself, too
    }

    boolean isNone() {
        return active.isEmpty();
    }

    /** Whether there was some, without a pause. */
    boolean isContinuous() {
        return active.list().size() == 1;
    }

    /** The first packet; only if there is one. */
    long firstNs() {
        return active.list().getFirst().fromNs();
    }

    /** The last packet; only if there is one. */
    long lastNs() {
        return active.list().getLast().untilNs() - 1;
    }

    /** Whether any packet came at or after a time. */
    boolean isHeardFrom(long ns) {
        return !isNone() && lastNs() >= ns;
    }

    /** The times between two packets in which none of the streams had any. */
    List<Spans.Span> gaps() {
        List<Spans.Span> gaps = new ArrayList<>();
        for (int i = 1; i < active.list().size(); i++) {
            long fromNs = active.list().get(i - 1).untilNs() - 1;
            gaps.add(new Spans.Span(fromNs, active.list().get(i).fromNs()));
        }
        return gaps;
    }

    /** What a stream knows of a gap; null if the packets before and after it are of different streams. */
    @Nullable
    AudioPause pauseOf(Spans.Span gap) {
        for (StreamReport stream : streams) {
            for (AudioPause pause : stream.statistics().audioPauses()) {
                if (pause.fromNs() <= gap.fromNs() && pause.untilNs() >= gap.untilNs()) {
                    return pause;
                }
            }
        }
        return null;
    }

    /** The stream with the last packet before a time, or at it; null if there is none. */
    @Nullable
    StreamReport lastBefore(long ns) {
        StreamReport last = null;
        for (StreamReport stream : streams) {
            if (stream.statistics().firstAudioNs() <= ns
                    && (last == null
                            || stream.statistics().lastAudioNs()
                                    > last.statistics().lastAudioNs())) {
                last = stream;
            }
        }
        return last;
    }
}
