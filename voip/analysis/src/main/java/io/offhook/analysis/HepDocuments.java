package io.offhook.analysis;

import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.hep.HepQuality;
import io.offhook.hep.HepRtcp;
import io.offhook.packet.Endpoint;
import io.offhook.sip.VoiceQualityReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads of HEP that need memory, which lasts until the end of the round: compressed ones, RTCP as JSON, which becomes
 * the packet that it was, and figures that somebody measured. Single-threaded.
 */
final class HepDocuments {
    /** The most that a compressed payload may become: what a datagram can hold. */
    static final int MOST_BYTES = 65_535;

    private static final int ZLIB = 8;

    private final RoundMemory memory;
    private byte[] compressed = {};
    private byte[] plain = {};

    /** @param memory receives what is read */
    HepDocuments(RoundMemory memory) {
        this.memory = memory;
    }

    /**
     * Inflates a payload, zlib (RFC 1950) or deflate (RFC 1951); {@link #segment} and {@link #offset} are where it is then.
     *
     * @return its length; -1 if it is neither, is cut, or has more than {@value #MOST_BYTES} bytes
     */
    int inflate(MemorySegment segment, long offset, int length) {
        if (plain.length == 0) {
            plain = new byte[MOST_BYTES + 1];
        }
        compressed = array(segment, offset, length, compressed);
        boolean isZlib = length >= 2
                && (compressed[0] & 15) == ZLIB
                && ((compressed[0] & 0xff) << 8 | compressed[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!isZlib);
        try {
            inflater.setInput(compressed, 0, length);
            int bytes = 0;
            while (!inflater.finished() && bytes < plain.length) {
                int more = inflater.inflate(plain, bytes, plain.length - bytes);
                if (more == 0) {
                    return -1; // cut, or it needs a dictionary
                }
                bytes += more;
            }
            if (bytes > MOST_BYTES) {
                return -1;
            }
            memory.copy(plain, 0, bytes);
            return bytes;
        } catch (DataFormatException e) {
            return -1;
        } finally {
            inflater.end();
        }
    }

    MemorySegment segment() {
        return memory.segment(memory.chunk());
    }

    long offset() {
        return memory.offset();
    }

    private static byte[] array(MemorySegment segment, long offset, int length, byte[] reused) {
        byte[] octets = reused.length >= length ? reused : new byte[Math.max(length, 2048)];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, octets, 0, length);
        return octets;
    }

    /** Adds an RTCP report that is JSON; false if it is none. */
    boolean rtcp(MemorySegment segment, long offset, int length, PacketContext context, BatchEvents out) {
        byte[] json = array(segment, offset, length, new byte[0]);
        byte[] packet = HepRtcp.packet(json, 0, length);
        if (packet == null) {
            return false;
        }
        memory.copy(packet, 0, packet.length);
        out.counters.rtcp++;
        out.rtcp.add(new RtcpPacket(context, segment(), offset(), packet.length, packet.length));
        return true;
    }

    /**
     * Adds figures that an agent or a phone measured; false if the text has none.
     *
     * @param correlationId what the agent says that they belong to, if the text does not; "" if it says nothing
     */
    boolean measured(
            MemorySegment segment,
            long offset,
            int length,
            String correlationId,
            PacketContext context,
            BatchEvents out) {
        byte[] text = array(segment, offset, length, new byte[0]);
        VoiceQualityReport phone = VoiceQualityReport.ofBody(new String(text, 0, length, StandardCharsets.UTF_8));
        if (phone != null) {
            VoiceQualityReport.Metrics local = phone.local();
            MediaReport.Figures figures = new MediaReport.Figures(
                    -1, -1, local.lossPercent(), local.jitterMs(), local.roundTripMs(), local.rLq(), local.mosLq());
            add(phone.callId(), context.source(), context.destination(), figures, context, out);
            return true;
        }
        List<HepQuality> found = HepQuality.read(text, 0, length);
        for (HepQuality quality : found) {
            add(
                    quality.callId() == null ? named(correlationId) : quality.callId(),
                    quality.source() == null ? context.source() : quality.source(),
                    quality.destination() == null ? context.destination() : quality.destination(),
                    figures(quality.figures()),
                    context,
                    out);
        }
        return !found.isEmpty();
    }

    private static @Nullable String named(String correlationId) {
        return correlationId.isEmpty() ? null : correlationId;
    }

    private static MediaReport.Figures figures(HepQuality.Figures quality) {
        double all = quality.packets() + quality.lost();
        return new MediaReport.Figures(
                whole(quality.packets()),
                whole(quality.lost()),
                all > 0 ? 100 * quality.lost() / all : Double.NaN,
                quality.jitterMs(),
                quality.roundTripMs(),
                quality.rFactor(),
                quality.mos());
    }

    private static long whole(double count) {
        return count >= 0 ? (long) count : -1;
    }

    private static void add(
            @Nullable String callId,
            Endpoint source,
            Endpoint destination,
            MediaReport.Figures figures,
            PacketContext context,
            BatchEvents out) {
        out.measured.add(new MediaReport(
                context.timestampNs(), context.frameNumber(), callId, source, destination, -1, figures));
    }
}
