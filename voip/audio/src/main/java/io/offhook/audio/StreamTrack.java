package io.offhook.audio;

import io.offhook.audio.codec.AudioDecoder;
import io.offhook.audio.codec.Decoders;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PayloadOpener;
import io.offhook.rtp.PlayoutTrace;
import io.offhook.rtp.RtpView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream being played: packets wait in the order of their numbers until they are due, are decoded, and laid on the axis by
 * their media time.
 *
 * <p>Audio is not stretched. Where the buffer changes its delay in mid-speech a receiver speeds up or slows down; here the
 * delay changes where nobody hears it, when the buffer begins anew or a talker begins again. Which packets are too late is
 * decided by the buffer's own delay.
 */
final class StreamTrack {
    private static final double NS_PER_S = 1e9;

    /** A delay that differs by more is put right at once: the clocks have drifted apart. */
    private static final long MOST_DRIFT_NS = 500_000_000;

    /** Packets this near to the end of the one before follow it: times are rounded. */
    private static final int NEAR_SAMPLES = 2;

    /** No buffer plays a packet that much later than it came; its time stamp is broken, or that of its capture. */
    private static final long FARTHEST_NS = 2_500_000_000L;

    private static final int MOST_WAITING = 1024;

    /** A packet that waits: its decoder is null if there is nothing to be heard, its payload if it cannot be read. */
    private static final class Waiting {
        final long number;
        final long atNs;
        final long dueNs;
        final boolean isAudio;

        @Nullable
        AudioDecoder decoder;

        byte @Nullable [] payload;

        Waiting(long number, long atNs, long dueNs, boolean isAudio) {
            this.number = number;
            this.atNs = atNs;
            this.dueNs = dueNs;
            this.isAudio = isAudio;
        }
    }

    private final HeardStream heard;
    private final long startNs;
    private final int rate;
    private final Mixer mixer;
    private final ChannelTimes times;
    private final short[] pcm;
    private final @Nullable PayloadOpener opener;
    private final MemorySegment opened;
    private final PlayoutTrace trace;
    private final RtpView inside = new RtpView();
    private final @Nullable Codec[] codecs = new Codec[128];
    private final @Nullable AudioDecoder[] decoders = new AudioDecoder[128];
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingLong(packet -> packet.number));
    private final TreeMap<String, Integer> unheard = new TreeMap<>();

    private long delayNs = Long.MIN_VALUE;
    private long lastNumber = Long.MIN_VALUE;
    /** Where the axis is filled up to, in nanoseconds. */
    private long endNs;

    private @Nullable AudioDecoder lastDecoder;
    private @Nullable Upsampler upsampler;
    /** The same end in samples of the last decoder. */
    private long endSample;

    private long packets;
    private long clockNs;
    /** Encrypted packets that the keys opened, and that they did not. */
    private int openedPackets;

    private int closedPackets;

    /** What all streams of a run share. */
    static final class Shared {
        final long startNs;
        final int rate;
        final Mixer mixer;
        /** Holds the samples of one packet. */
        final short[] pcm = new short[48_000 * AudioDecoder.MOST_MS / 1000];
        /** Holds a packet that was opened. */
        final MemorySegment opened;

        Shared(CallAudio audio, Mixer mixer, MemorySegment opened) {
            startNs = audio.startNs();
            rate = audio.rate();
            this.mixer = mixer;
            this.opened = opened;
        }
    }

    StreamTrack(HeardStream heard, ChannelTimes times, @Nullable PayloadOpener opener, Shared shared) {
        this.heard = heard;
        this.times = times;
        this.opener = opener;
        startNs = shared.startNs;
        rate = shared.rate;
        mixer = shared.mixer;
        pcm = shared.pcm;
        opened = shared.opened;
        trace = new PlayoutTrace(heard.stream().statistics(), heard.stream().tagOctets());
        for (PayloadCount payload : heard.stream().statistics().payloads()) {
            codecs[payload.payloadType()] = payload.codec();
        }
    }

    long lastNs() {
        return heard.stream().statistics().lastNs();
    }

    /**
     * A packet of the stream was captured.
     *
     * @param packet as captured
     * @param captured octets of it, from its header on
     */
    void packet(RtpView packet, int captured, long arrivalNs) {
        packets++;
        PlayoutTrace.Fate fate = trace.packet(packet, arrivalNs);
        boolean isSpeech = fate != PlayoutTrace.Fate.OTHER && fate != PlayoutTrace.Fate.NOISE;
        Payload payload = isSpeech ? payload(packet, captured) : null;
        switch (fate) {
            case PLAYED -> {
                follow();
                wait(packet.payloadType(), payload);
            }
            case DISCARDED -> {
                follow();
                long atNs = trace.mediaNs() + delayNs - startNs;
                times.discarded.add(atNs, atNs + trace.packetNs());
            }
            case NOISE -> {
                follow();
                add(new Waiting(trace.number(), trace.mediaNs() + delayNs - startNs, trace.dueNs(), false));
            }
            case OTHER -> other(packet.payloadType(), arrivalNs);
            case DUPLICATE, FAR -> {}
        }
    }

    /** Its number is not missing, but there is nothing to be heard. */
    private void other(int payloadType, long arrivalNs) {
        if (codecs[payloadType] == null) {
            count("of payload type " + payloadType + ", whose codec is not known");
        }
        add(new Waiting(trace.number(), Long.MIN_VALUE, arrivalNs + trace.bufferNs(), false));
    }

    /** Takes the delay of the buffer over where that cannot be heard. */
    private void follow() {
        if (trace.beganAnew() || delayNs == Long.MIN_VALUE || Math.abs(trace.offsetNs() - delayNs) > MOST_DRIFT_NS) {
            delayNs = trace.offsetNs();
        }
    }

    /** A payload that can be read. */
    private record Payload(MemorySegment segment, long offset, int length) {}

    /** The payload of a packet; null if it cannot be read, which is counted. */
    private @Nullable Payload payload(RtpView packet, int captured) {
        if (packet.payloadCapturedLength() < packet.payloadLength()) {
            count("not captured to their end");
            return null;
        }
        if (opener == null) {
            return new Payload(packet.segment(), packet.payloadOffset(), packet.payloadLength());
        }
        int length = opener.open(packet, captured, opened);
        if (length < 0) {
            closedPackets++;
            return null;
        }
        openedPackets++;
        if (inside.wrap(opened, 0, length) != WrapStatus.OK) {
            count("malformed inside");
            return null;
        }
        return new Payload(opened, inside.payloadOffset(), inside.payloadLength());
    }

    private void wait(int payloadType, @Nullable Payload payload) {
        AudioDecoder decoder = decoder(payloadType);
        long atNs = trace.mediaNs() + delayNs - startNs;
        Waiting packet = new Waiting(trace.number(), atNs, trace.dueNs(), true);
        if (payload != null && decoder != null) {
            byte[] octets = new byte[payload.length];
            MemorySegment.copy(payload.segment, ValueLayout.JAVA_BYTE, payload.offset, octets, 0, octets.length);
            packet.decoder = decoder;
            packet.payload = octets;
        }
        add(packet);
    }

    private void add(Waiting packet) {
        if (waiting.size() == MOST_WAITING) {
            play(waiting.remove());
        }
        waiting.add(packet);
    }

    private @Nullable AudioDecoder decoder(int payloadType) {
        AudioDecoder known = decoders[payloadType];
        Codec codec = codecs[payloadType];
        if (known != null || codec == null) {
            return known;
        }
        AudioDecoder made = Decoders.of(codec);
        decoders[payloadType] = made;
        if (made == null) {
            count(HeardStreams.name(codec) + ": no decoder");
        }
        return made;
    }

    private void count(String reason) {
        unheard.merge(reason, 1, Integer::sum);
    }

    /** Plays what is due at a time. */
    void advance(long nowNs) {
        clockNs = nowNs;
        playDue(nowNs);
    }

    /** A packet whose successor is due has had its time, whatever its own is. */
    private void playDue(long nowNs) {
        Waiting first = waiting.peek();
        while (first != null && (first.dueNs <= nowNs || isAnyDue(nowNs))) {
            play(waiting.remove());
            first = waiting.peek();
        }
    }

    private boolean isAnyDue(long nowNs) {
        for (Waiting packet : waiting) {
            if (packet.dueNs <= nowNs) {
                return true;
            }
        }
        return false;
    }

    /** Plays all that waits. */
    void end() {
        playDue(Long.MAX_VALUE);
        if (upsampler != null) {
            upsampler.end();
        }
    }

    private void play(Waiting packet) {
        if (packet.number <= lastNumber) {
            if (packet.isAudio) { // its turn is over
                times.discarded.add(packet.atNs, packet.atNs + trace.packetNs());
            }
            return;
        }
        long missing = lastNumber == Long.MIN_VALUE || !PlayoutTrace.isSameRun(packet.number, lastNumber)
                ? 0
                : packet.number - lastNumber - 1;
        lastNumber = packet.number;
        long lostNs = lost(packet, missing);
        AudioDecoder decoder = packet.decoder;
        byte[] payload = packet.payload;
        if (packet.isAudio && packet.atNs - (clockNs - startNs) > FARTHEST_NS) {
            count("too far ahead in time");
        } else if (decoder != null && payload != null) {
            decode(packet, decoder, payload, lostNs > 0);
        } else if (packet.isAudio) {
            long untilNs = packet.atNs + trace.packetNs();
            times.unreadable.add(packet.atNs, untilNs);
            endNs = Math.max(endNs, untilNs);
        }
    }

    /** Marks what is missing before a packet: from where the one before ends. */
    private long lost(Waiting packet, long missing) {
        if (missing == 0) {
            return 0;
        }
        long lengthNs = missing * trace.packetNs();
        if (packet.atNs != Long.MIN_VALUE) {
            lengthNs = Math.min(lengthNs, packet.atNs - endNs);
        }
        if (lengthNs > 0) {
            times.lost.add(endNs, endNs + lengthNs);
        }
        return lengthNs;
    }

    private void decode(Waiting packet, AudioDecoder decoder, byte[] payload, boolean isAfterLoss) {
        int hz = decoder.rate();
        if (!decoder.equals(lastDecoder)) {
            begin(hz, decoder);
        }
        long at = Math.round(packet.atNs * (hz / NS_PER_S));
        if (Math.abs(at - endSample) <= NEAR_SAMPLES) {
            at = endSample;
        } else if (isAfterLoss && at > endSample) {
            int gap = (int) Math.min(pcm.length, at - endSample);
            write(endSample, 0, decoder.conceal(payload, payload.length, gap, pcm));
        }
        int samples = decoder.decode(payload, payload.length, pcm);
        if (samples == 0) {
            if (payload.length > 0) {
                count("not decodable");
                times.unreadable.add(packet.atNs, packet.atNs + trace.packetNs());
            }
            return;
        }
        int over = Math.clamp(endSample - at, 0, samples);
        write(at + over, over, samples - over);
        long untilNs = Math.round((at + samples) * (NS_PER_S / hz));
        times.played.add(Math.round((at + over) * (NS_PER_S / hz)), untilNs);
        endSample = Math.max(endSample, at + samples);
        endNs = Math.max(endNs, untilNs);
    }

    private void begin(int hz, AudioDecoder decoder) {
        AudioDecoder before = lastDecoder;
        lastDecoder = decoder;
        endSample = Math.round(endNs * (hz / NS_PER_S));
        if (before == null || before.rate() != hz || upsampler == null) {
            if (upsampler != null) {
                upsampler.end();
            }
            upsampler = new Upsampler(hz, rate, (frame, sample) -> mixer.add(heard.side(), frame, sample));
        }
    }

    private void write(long at, int from, int count) {
        Upsampler to = upsampler;
        if (to != null && count > 0) {
            to.write(at, pcm, from, count);
        }
    }

    /**
     * The stream with what of it was not heard.
     *
     * @param isWhole whether all of its packets were passed by
     */
    HeardStream report(boolean isWhole) {
        List<String> notes = new ArrayList<>();
        long known = heard.stream().statistics().packets();
        if (isWhole && packets < known) {
            notes.add(unread(known - packets, known));
        }
        if (closedPackets > 0) {
            notes.add(
                    openedPackets == 0
                            ? "the keys are wrong: they open none of its " + packets(closedPackets)
                            : packets(closedPackets) + " not authentic with this key");
        }
        unheard.forEach((reason, count) -> notes.add(packets(count) + ' ' + reason));
        return new HeardStream(heard.stream(), heard.side(), HeardStream.State.PLAYED, notes);
    }

    private static String packets(int count) {
        return count + (count == 1 ? " packet" : " packets");
    }

    /** Says that packets were not found as frames of their own. */
    static String unread(long count, long of) {
        return count + " of " + of
                + " packets were not read: a TURN relay carried them, or IP fragments of them are missing";
    }
}
