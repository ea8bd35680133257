package io.offhook.audio;

import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.audio.RtpFrames;
import io.offhook.audio.codec.Decoders;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.playout.JitterBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * The audio of a call: which streams are in it, how long it is, and, by reading the capture once more, its samples.
 *
 * <pre>{@code
 * CallAudio audio = CallAudio.of(call, AudioOptions.DEFAULT);
 * try (WavWriter wav = WavWriter.create(path, audio.rate(), audio.frames())) {
 *     AudioReport report = audio.play(source, wav);
 * }
 * }</pre>
 *
 * <p>The axis begins when the first packet of any stream was captured; audio is where the receiver played it: a packet's
 * media time and the delay of the jitter buffer that the verdicts assume. What was lost or came too late is a gap, silent and
 * marked, as the E-model takes it for lost; Opus fills short ones, as its decoder is part of the codec. Comfort noise and key
 * presses are silent. Codecs of different rates are brought to the highest.
 *
 * <p>A call is played for at most {@link #MOST_MS}, whatever its timestamps say; memory is some megabytes whatever its
 * length.
 */
public final class CallAudio {
    /** The longest range that is played at once, in milliseconds: four hours, 2.8 GB at 48 kHz. */
    public static final long MOST_MS = 4 * 3_600_000L;

    private static final int LEAST_RATE = 8000;
    private static final long NS_PER_MS = 1_000_000;
    /** The longest packet of any codec, and what an adaptive buffer may shrink meanwhile. */
    private static final long TAIL_MS = 120;

    private static final int BATCH_FRAMES = 4096;

    private final AudioOptions options;
    private final List<HeardStream> streams;
    private final int rate;
    private final long startNs;
    private final long lengthMs;
    private final long fromMs;
    private final long untilMs;

    private CallAudio(List<HeardStream> streams, AudioOptions options) {
        this.streams = streams;
        this.options = options;
        int highest = LEAST_RATE;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (HeardStream heard : streams) {
            RtpStream statistics = heard.stream().statistics();
            first = Math.min(first, statistics.firstNs());
            if (heard.isPlayed()) {
                highest = Math.max(highest, rate(heard.stream()));
            }
            last = Math.max(last, statistics.lastNs() + tailMs(statistics) * NS_PER_MS);
        }
        rate = highest;
        startNs = streams.isEmpty() ? 0 : first;
        lengthMs = streams.isEmpty() ? 0 : Math.ceilDiv(last - first, NS_PER_MS);
        fromMs = Math.min(options.fromMs(), lengthMs);
        untilMs = Math.min(Math.min(options.untilMs(), lengthMs), fromMs + MOST_MS);
    }

    /** The highest sample rate among the codecs of a stream. */
    private static int rate(StreamReport stream) {
        int rate = LEAST_RATE;
        for (PayloadCount payload : stream.statistics().payloads()) {
            Codec codec = payload.codec();
            rate = codec == null ? rate : Math.max(rate, Decoders.rate(codec));
        }
        return rate;
    }

    /** How long after its arrival the last packet may end: the delay of the buffer, and the packet itself. */
    private static long tailMs(RtpStream statistics) {
        JitterBuffer buffer = statistics.buffer();
        int delayMs = buffer.kind() == JitterBuffer.Kind.OFF ? JitterBuffer.GREATEST_MS : buffer.maxMs();
        return delayMs + Math.max(TAIL_MS, (long) Math.ceil(statistics.packetTimeMs()));
    }

    /**
     * The audio of a call. Reads no packets.
     *
     * @param call as analysed
     */
    public static CallAudio of(CallReport call, AudioOptions options) {
        return new CallAudio(HeardStreams.of(call, stream -> options.openers().apply(stream) != null), options);
    }

    /** All audio streams of the call with those that are not played, and why. */
    public List<HeardStream> streams() {
        return streams;
    }

    /** Whether any stream can be heard. */
    public boolean isAudible() {
        return streams.stream().anyMatch(HeardStream::isPlayed);
    }

    /** Frames a second, 8000 to 48000: the highest rate of the codecs that are played. */
    public int rate() {
        return rate;
    }

    /** When the axis begins, nanoseconds since the epoch: the first packet of any audio stream. */
    public long startNs() {
        return startNs;
    }

    /** The length of the whole call on the axis, in milliseconds; 0 without audio streams. */
    public long lengthMs() {
        return lengthMs;
    }

    /** Where the range that is played begins, in milliseconds on the axis. */
    public long fromMs() {
        return fromMs;
    }

    /** Where it ends: where it was asked for, at the end of the call, or {@link #MOST_MS} after it began. */
    public long untilMs() {
        return untilMs;
    }

    /** Frames of that range. */
    public long frames() {
        return frame(untilMs) - frame(fromMs);
    }

    private long frame(long ms) {
        return ms * rate / 1000;
    }

    /**
     * Plays the range: reads a source until it is over.
     *
     * @param source the same packets, in the same order, as those that the call was reported from
     * @param sinks that receive the samples, all of them the same
     * @throws IOException if a sink cannot write
     */
    public AudioReport play(PacketSource source, AudioSink... sinks) throws IOException {
        Mixer mixer = new Mixer(rate, frame(fromMs), frame(untilMs), new Fan(List.of(sinks)));
        try (Arena arena = Arena.ofConfined();
                RtpFrames packets = new RtpFrames()) {
            AudioPlayer player = new AudioPlayer(this, options, mixer, packets, arena);
            FrameLoop loop = new FrameLoop(source, BATCH_FRAMES);
            player.stopBy(loop::stop);
            if (isAudible()) {
                loop.run(player);
            }
            player.end();
            mixer.flush(frame(untilMs));
            return player.report(loop.defect());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Passes samples to several sinks. */
    private record Fan(List<AudioSink> sinks) implements AudioSink {
        @Override
        public void samples(short[] caller, short[] callee, int count) throws IOException {
            for (AudioSink sink : sinks) {
                sink.samples(caller, callee, count);
            }
        }

        @Override
        public void silence(long count) throws IOException {
            for (AudioSink sink : sinks) {
                sink.silence(count);
            }
        }
    }

    /** What was found, as the sinks received it. */
    AudioReport report(AudioPlayer.Found found) {
        List<AudioMark> marks = new ArrayList<>();
        long dropped = 0;
        for (var channel : found.times().entrySet()) {
            ChannelTimes times = channel.getValue();
            dropped += times.dropped();
            marks.addAll(times.marks(channel.getKey(), fromMs * NS_PER_MS, untilMs * NS_PER_MS));
        }
        return new AudioReport(List.copyOf(marks), dropped, found.samplesDropped(), found.streams(), found.defect());
    }
}
