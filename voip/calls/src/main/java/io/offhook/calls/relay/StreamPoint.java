package io.offhook.calls.relay;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream as it was captured at one point of its way.
 *
 * @param source its sender at this point
 * @param destination its receiver at this point
 * @param ssrc the synchronization source, 0 to 2^32 - 1
 * @param isFromCaller whether the caller's side sends it
 * @param statistics of its packets
 * @param isComplete whether packets that are missing here did not pass here: the capture lost none
 * @param log of its packets; null unless it was asked for
 */
public record StreamPoint(
        Endpoint source,
        Endpoint destination,
        long ssrc,
        boolean isFromCaller,
        RtpStream statistics,
        boolean isComplete,
        @Nullable PacketLog log) {

    /** Whether the host that received it here sent it there. */
    public boolean leadsTo(StreamPoint other) {
        return isSameHost(destination, other.source);
    }

    /** Whether one host sent both. */
    boolean isFromHostOf(StreamPoint other) {
        return isSameHost(source, other.source);
    }

    /** Whether one host received both. */
    boolean isToHostOf(StreamPoint other) {
        return isSameHost(destination, other.destination);
    }

    /** Whether one host sent it at both points, or received it. */
    boolean sharesHost(StreamPoint other) {
        return isFromHostOf(other) || isToHostOf(other);
    }

    private static boolean isSameHost(Endpoint one, Endpoint other) {
        return one.high() == other.high() && one.low() == other.low();
    }

    /** The clock of most of its packets, in Hz; 0 if unknown. */
    int clockRate() {
        PayloadCount main = statistics.mainPayload();
        Codec codec = main == null ? null : main.codec();
        return codec == null ? 0 : codec.clockRate();
    }

    /** The step of the timestamp from packet to packet, in ticks; 0 if unknown. */
    int step() {
        return (int) Math.round(statistics.packetTimeMs() * clockRate() / 1000);
    }
}
