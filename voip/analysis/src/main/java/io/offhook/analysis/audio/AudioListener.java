package io.offhook.analysis.audio;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.RtpView;
import io.offhook.rtp.tones.AudioKeys;
import io.offhook.rtp.tones.G711;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the G.711 audio of streams that an analysis found, by reading their capture once more, and adds the keys in
 * it to their {@linkplain StreamReport#audioKeys() reports}.
 *
 * <p>A stream is left as it is if its payload is encrypted, if none of its payload types is PCMU or PCMA, or if none of
 * its packets is found as a frame with its payload: those in IP fragments and inside other protocols (TURN, HEP) are not
 * heard, nor are payloads that the snap length cut.
 */
public final class AudioListener {
    private static final int BATCH_FRAMES = 4096;

    private final Map<Key, List<Heard>> streams = new HashMap<>();
    private final IdentityHashMap<RtpStream, Heard> byStatistics = new IdentityHashMap<>();
    private @Nullable RuntimeException defect;

    /** What names the packets of a stream. */
    private record Key(Endpoint source, Endpoint destination, long ssrc) {}

    /** A stream being listened to. */
    private static final class Heard {
        final long firstFrame;
        final @Nullable G711[] laws = new G711[128];
        final AudioKeys keys = new AudioKeys();

        Heard(StreamReport stream) {
            firstFrame = stream.firstFrame();
            for (PayloadCount payload : stream.statistics().payloads()) {
                if (payload.codec() != null) {
                    laws[payload.payloadType()] = G711.of(payload.codec());
                }
            }
        }

        boolean isAudible() {
            for (G711 law : laws) {
                if (law != null) {
                    return true;
                }
            }
            return false;
        }

        void packet(RtpView packet, long arrivalNs) {
            G711 law = laws[packet.payloadType()];
            if (law == null) {
                keys.other(packet.sequenceNumber());
            } else if (packet.payloadCapturedLength() == packet.payloadLength() && packet.payloadLength() > 0) {
                keys.packet(packet, law, arrivalNs);
            }
        }
    }

    private AudioListener(AnalysisResult result) {
        result.calls().forEach(call -> call.streams().forEach(this::add));
        result.streams().forEach(this::add);
        streams.values().forEach(same -> same.sort((a, b) -> Long.compare(a.firstFrame, b.firstFrame)));
    }

    /** Adds a stream, once even if calls share it. */
    private void add(StreamReport stream) {
        if (stream.isEncrypted() || byStatistics.containsKey(stream.statistics())) {
            return;
        }
        Heard heard = new Heard(stream);
        if (heard.isAudible()) {
            byStatistics.put(stream.statistics(), heard);
            streams.computeIfAbsent(
                            new Key(stream.source(), stream.destination(), stream.ssrc()), _ -> new ArrayList<>(1))
                    .add(heard);
        }
    }

    /**
     * Reads a source to its end. It is not read if no stream can be heard.
     *
     * @param result of an analysis; the streams of its calls and those of no call are heard
     * @param source the same packets, in the same order
     */
    public static AudioListener listen(AnalysisResult result, PacketSource source) {
        AudioListener listener = new AudioListener(result);
        if (!listener.streams.isEmpty()) {
            FrameLoop loop = new FrameLoop(source, BATCH_FRAMES);
            loop.run(listener.new Ear());
            listener.byStatistics.values().forEach(heard -> heard.keys.end());
            listener.defect = loop.defect();
        }
        return listener;
    }

    /** The same result; the streams that were heard have their {@link StreamReport#audioKeys()}. */
    public AnalysisResult in(AnalysisResult result) {
        List<CallReport> calls = new ArrayList<>(result.calls().size());
        for (CallReport call : result.calls()) {
            calls.add(call.withAudioKeys(this::keys));
        }
        List<StreamReport> others = new ArrayList<>(result.streams().size());
        for (StreamReport stream : result.streams()) {
            AudioKeys keys = keys(stream.statistics());
            others.add(keys == null ? stream : stream.withAudioKeys(keys));
        }
        return new AnalysisResult(
                result.capture(), List.copyOf(calls), List.copyOf(others), result.registrations(), result.defect());
    }

    private @Nullable AudioKeys keys(RtpStream statistics) {
        Heard heard = byStatistics.get(statistics);
        return heard == null || heard.keys.packets() == 0 ? null : heard.keys;
    }

    /** The first exception that was contained, in which case keys may be missing; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect;
    }

    /** Finds the stream of each packet. */
    private final class Ear implements FrameSink {
        private final RtpView packet = new RtpView();

        @Override
        public void frame(DecodedFrame frame) {
            if (frame.payload() != Payload.RTP) {
                return;
            }
            PacketWalker layers = frame.layers();
            WrapStatus status = packet.wrap(
                    layers.segment(), layers.payloadOffset(), layers.payloadLength(), layers.payloadWireLength());
            if (status != WrapStatus.OK) {
                return;
            }
            List<Heard> same = streams.get(new Key(
                    new Endpoint(layers.sourceHigh(), layers.sourceLow(), layers.sourcePort()),
                    new Endpoint(layers.destinationHigh(), layers.destinationLow(), layers.destinationPort()),
                    packet.ssrc()));
            Heard heard = same == null ? null : at(same, frame.number());
            if (heard != null) {
                heard.packet(packet, frame.timestampNs());
            }
        }

        /** Of the streams with the same name, one after the other, the one that a frame belongs to. */
        private static @Nullable Heard at(List<Heard> same, long frame) {
            Heard found = null;
            for (Heard heard : same) {
                if (heard.firstFrame <= frame) {
                    found = heard;
                }
            }
            return found;
        }
    }
}
