package io.offhook.audio;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.audio.RtpFrames;
import io.offhook.analysis.audio.StreamIndex;
import io.offhook.calls.Side;
import io.offhook.rtp.PayloadOpener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the packets of a capture to the tracks of their streams, with the clock of the capture: what is due is played, and
 * what no packet can change any more is passed on. The range is over, for the source, when that clock is well behind it.
 */
final class AudioPlayer implements FrameSink {
    /** How far behind the clock the axis is passed on: a packet may be laid that far back, by the change of a delay. */
    private static final long HELD_NS = 2_000_000_000L;

    /** What a track needs after the last packet of its stream to play all of them. */
    private static final long OVER_NS = 3_000_000_000L;

    private static final int MOST_PACKET = 0xffff;
    private static final long NS_PER_MS = 1_000_000;
    private static final double NS_PER_S = 1e9;

    private final CallAudio audio;
    private final Mixer mixer;
    private final StreamIndex<Slot> index = new StreamIndex<>();
    private final List<Slot> slots = new ArrayList<>();
    private final Set<Slot> active = new LinkedHashSet<>();
    private final EnumMap<Side, ChannelTimes> times = new EnumMap<>(Side.class);
    private final RtpFrames packets;
    private final StreamTrack.Shared shared;
    private final AudioOptions options;
    private final long endNs;
    private Runnable stop = () -> {};
    private long nowNs = Long.MIN_VALUE;
    private boolean isStopped;

    /** The place of a stream: its track exists from its first packet to a while after its last. */
    private static final class Slot {
        final HeardStream heard;

        @Nullable
        StreamTrack track;

        @Nullable
        HeardStream report;

        Slot(HeardStream heard) {
            this.heard = heard;
        }

        /**
         * @param isWhole whether the capture was read to its end
         */
        HeardStream report(boolean isWhole) {
            if (report != null || !heard.isPlayed()) {
                return report == null ? heard : report;
            }
            long packets = heard.stream().statistics().packets();
            return isWhole
                    ? new HeardStream(
                            heard.stream(),
                            heard.side(),
                            HeardStream.State.UNREADABLE,
                            List.of(StreamTrack.unread(packets, packets)))
                    : new HeardStream(heard.stream(), heard.side(), HeardStream.State.OUTSIDE, List.of());
        }
    }

    /** What was found. */
    record Found(
            EnumMap<Side, ChannelTimes> times,
            long samplesDropped,
            List<HeardStream> streams,
            @Nullable RuntimeException defect) {}

    AudioPlayer(CallAudio audio, AudioOptions options, Mixer mixer, RtpFrames packets, Arena arena) {
        this.packets = packets;
        this.audio = audio;
        this.options = options;
        this.mixer = mixer;
        endNs = audio.startNs() + audio.lengthMs() * NS_PER_MS;
        shared = new StreamTrack.Shared(audio, mixer, arena.allocate(MOST_PACKET));
        for (HeardStream heard : audio.streams()) {
            Slot slot = new Slot(heard);
            slots.add(slot);
            if (heard.isPlayed()) {
                index.add(heard.stream(), slot);
            } else if (heard.state() == HeardStream.State.UNREADABLE) {
                unheard(heard);
            }
        }
    }

    private ChannelTimes times(Side side) {
        return times.computeIfAbsent(side, _ -> new ChannelTimes());
    }

    /** A stream that cannot be heard is unreadable for as long as it lasted. */
    private void unheard(HeardStream heard) {
        long fromNs = heard.stream().statistics().firstNs() - audio.startNs();
        long untilNs = heard.stream().statistics().lastNs() - audio.startNs();
        times(heard.side()).unreadable.add(fromNs, untilNs);
    }

    void stopBy(Runnable stop) {
        this.stop = stop;
    }

    @Override
    public void frame(DecodedFrame frame) {
        Slot slot = packets.frame(frame) ? index.of(packets, frame.number()) : null;
        if (slot != null) {
            long arrivalNs = packets.timestampNs();
            if (arrivalNs <= endNs) { // a time outside of the call is no clock for it
                advance(arrivalNs);
            }
            track(slot).packet(packets.packet(), packets.captured(), arrivalNs);
        }
    }

    private StreamTrack track(Slot slot) {
        StreamTrack track = slot.track;
        if (track == null) {
            PayloadOpener opener =
                    slot.heard.stream().isEncrypted() ? options.openers().apply(slot.heard.stream()) : null;
            track = new StreamTrack(slot.heard, times(slot.heard.side()), opener, shared);
            track.advance(Math.max(nowNs, audio.startNs()));
            slot.track = track;
            active.add(slot);
        }
        return track;
    }

    private void advance(long arrivalNs) {
        if (arrivalNs <= nowNs) {
            return;
        }
        nowNs = arrivalNs;
        for (var slots = active.iterator(); slots.hasNext(); ) {
            Slot slot = slots.next();
            StreamTrack track = track(slot);
            if (nowNs - track.lastNs() > OVER_NS) {
                close(slot, track);
                slots.remove();
            } else {
                track.advance(nowNs);
            }
        }
        try {
            mixer.flush((long) ((nowNs - HELD_NS - audio.startNs()) * (audio.rate() / NS_PER_S)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (nowNs - HELD_NS - audio.startNs() > audio.untilMs() * NS_PER_MS) {
            isStopped = true;
            stop.run();
        }
    }

    private void close(Slot slot, StreamTrack track) {
        track.end();
        slot.report = track.report(nowNs >= track.lastNs());
        slot.track = null;
    }

    /** Plays what waits. */
    void end() {
        for (Slot slot : active) {
            close(slot, track(slot));
        }
        active.clear();
    }

    AudioReport report(@Nullable RuntimeException defect) {
        List<HeardStream> heard =
                slots.stream().map(slot -> slot.report(!isStopped)).toList();
        return audio.report(new Found(times, mixer.dropped(), heard, defect));
    }
}
