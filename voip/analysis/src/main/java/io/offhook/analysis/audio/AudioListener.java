package io.offhook.analysis.audio;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PayloadOpener;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.RtpView;
import io.offhook.rtp.TelephoneEvents;
import io.offhook.rtp.tones.AudioKeys;
import io.offhook.rtp.tones.G711;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the G.711 audio of streams that an analysis found, by reading their capture once more, and adds the keys in
 * it to their {@linkplain StreamReport#audioKeys() reports}.
 *
 * <p>Of streams that are opened, the telephone-events inside are read, too (RFC 4733), which the analysis cannot see.
 *
 * <p>A stream is left as it is if its payload is encrypted and nothing opens it, if none of its payload types is PCMU or
 * PCMA, and it has no telephone-events either, or if none of its packets is found with its payload ({@link RtpFrames}): those that a TURN relay carries are not heard,
 * nor are payloads that the snap length cut.
 */
public final class AudioListener {
    private static final int BATCH_FRAMES = 4096;
    private static final int LONGEST_PACKET = 0xffff;

    private final StreamIndex<Heard> streams = new StreamIndex<>();
    private final IdentityHashMap<RtpStream, Heard> byStatistics = new IdentityHashMap<>();
    private final Function<StreamReport, @Nullable PayloadOpener> openers;
    /** Whether tones are looked for, too. */
    private final boolean isListening;

    private @Nullable RuntimeException defect;

    /** A stream being listened to. */
    private static final class Heard {
        final @Nullable G711[] laws = new G711[128];
        final AudioKeys keys = new AudioKeys();
        /** Of the payload types with telephone-events inside SRTP; 0 of the others. */
        final int[] eventClocks = new int[128];

        final TelephoneEvents events = new TelephoneEvents();
        /** Opens its packets; null if they are not encrypted. */
        final @Nullable PayloadOpener opener;

        private boolean isAudible;

        Heard(StreamReport stream, @Nullable PayloadOpener opener, boolean isListening) {
            this.opener = opener;
            for (PayloadCount payload : stream.statistics().payloads()) {
                Codec codec = payload.codec();
                if (codec != null && opener != null && codec.isTelephoneEvent()) {
                    eventClocks[payload.payloadType()] = Math.max(1, codec.clockRate());
                    isAudible = true;
                } else if (codec != null && isListening) {
                    G711 law = G711.of(codec);
                    laws[payload.payloadType()] = law;
                    isAudible |= law != null;
                }
            }
        }

        boolean isAudible() {
            return isAudible;
        }

        private void event(RtpView packet, int clockRate, long arrivalNs) {
            int length = packet.payloadLength();
            long head = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                int octet = i < length ? NetworkOrder.u8(packet.segment(), packet.payloadOffset() + i) : 0;
                head = head << 8 | octet;
            }
            events.clockRate(clockRate);
            events.packet(arrivalNs, (int) packet.timestamp(), packet.marker(), length, head);
        }

        void packet(RtpView packet, long arrivalNs) {
            G711 law = laws[packet.payloadType()];
            int eventClock = eventClocks[packet.payloadType()];
            if (eventClock > 0) {
                event(packet, eventClock, arrivalNs);
            }
            if (law == null) {
                keys.other(packet.sequenceNumber());
            } else if (packet.payloadCapturedLength() == packet.payloadLength() && packet.payloadLength() > 0) {
                keys.packet(packet, law, arrivalNs);
            }
        }
    }

    private AudioListener(
            AnalysisResult result, Function<StreamReport, @Nullable PayloadOpener> openers, boolean isListening) {
        this.openers = openers;
        this.isListening = isListening;
        result.calls().forEach(call -> call.streams().forEach(this::add));
        result.streams().forEach(this::add);
    }

    /** Adds a stream, once even if calls share it. */
    private void add(StreamReport stream) {
        if (byStatistics.containsKey(stream.statistics())) {
            return;
        }
        PayloadOpener opener = stream.isEncrypted() ? openers.apply(stream) : null;
        if (stream.isEncrypted() && opener == null) {
            return;
        }
        Heard heard = new Heard(stream, opener, isListening);
        if (heard.isAudible()) {
            byStatistics.put(stream.statistics(), heard);
            streams.add(stream, heard);
        }
    }

    /**
     * Reads a source to its end. It is not read if no stream can be heard.
     *
     * @param result of an analysis; the streams of its calls and those of no call are heard
     * @param source the same packets, in the same order
     */
    public static AudioListener listen(AnalysisResult result, PacketSource source) {
        return listen(result, source, _ -> null);
    }

    /**
     * As {@link #listen(AnalysisResult, PacketSource)}, with keys.
     *
     * @param openers makes what opens the packets of an encrypted stream, from the first one on; null if nothing does
     */
    public static AudioListener listen(
            AnalysisResult result, PacketSource source, Function<StreamReport, @Nullable PayloadOpener> openers) {
        return read(new AudioListener(result, openers, true), source);
    }

    /**
     * Reads the telephone-events inside SRTP, and does not listen to audio.
     *
     * @param result of an analysis
     * @param source the same packets, in the same order; not read if no stream has a key and telephone-events
     * @param openers as for {@link #listen(AnalysisResult, PacketSource, Function)}
     */
    public static AudioListener events(
            AnalysisResult result, PacketSource source, Function<StreamReport, @Nullable PayloadOpener> openers) {
        return read(new AudioListener(result, openers, false), source);
    }

    private static AudioListener read(AudioListener listener, PacketSource source) {
        if (!listener.streams.isEmpty()) {
            FrameLoop loop = new FrameLoop(source, BATCH_FRAMES);
            try (RtpFrames packets = new RtpFrames()) {
                loop.run(new Ear(listener, packets));
            }
            listener.byStatistics.values().forEach(heard -> heard.keys.end());
            listener.defect = loop.defect();
        }
        return listener;
    }

    /**
     * The same result; the streams that were heard have their {@link StreamReport#audioKeys()}, those that were opened their
     * {@link StreamReport#telephoneEvents()}.
     */
    public AnalysisResult in(AnalysisResult result) {
        List<CallReport> calls = new ArrayList<>(result.calls().size());
        for (CallReport call : result.calls()) {
            calls.add(call.withKeys(this::keys));
        }
        List<StreamReport> others = new ArrayList<>(result.streams().size());
        for (StreamReport stream : result.streams()) {
            others.add(stream.withKeys(keys(stream.statistics())));
        }
        return new AnalysisResult(
                result.capture(), List.copyOf(calls), List.copyOf(others), result.registrations(), result.defect());
    }

    private StreamReport.Keys keys(RtpStream stream) {
        Heard heard = byStatistics.get(stream);
        return heard == null
                ? StreamReport.Keys.NONE
                : new StreamReport.Keys(
                        heard.keys.packets() == 0 ? null : heard.keys,
                        heard.events.packets() == 0 ? null : heard.events);
    }

    /** The first exception that was contained, in which case keys may be missing; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect;
    }

    /** Finds the stream of each packet. */
    private static final class Ear implements FrameSink {
        private final AudioListener listener;
        private final RtpFrames packets;
        private final RtpView plain = new RtpView();
        private final MemorySegment opened = Arena.ofAuto().allocate(LONGEST_PACKET);

        Ear(AudioListener listener, RtpFrames packets) {
            this.listener = listener;
            this.packets = packets;
        }

        @Override
        public void frame(DecodedFrame frame) {
            Heard heard = packets.frame(frame) ? listener.streams.of(packets, frame.number()) : null;
            if (heard == null) {
                return;
            }
            if (heard.opener == null) {
                heard.packet(packets.packet(), packets.timestampNs());
            } else if (isOpened(heard.opener)) {
                heard.packet(plain, packets.timestampNs());
            }
        }

        /** Opens the packet, to be read from then on. */
        private boolean isOpened(PayloadOpener opener) {
            int bytes = opener.open(packets.packet(), packets.captured(), opened);
            return bytes != PayloadOpener.CLOSED && plain.wrap(opened, 0, bytes) == WrapStatus.OK;
        }
    }
}
