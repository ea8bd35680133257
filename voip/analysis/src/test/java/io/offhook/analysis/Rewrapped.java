package io.offhook.analysis;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Transports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Generated traffic over Ethernet, IPv4 and UDP, with some of its datagrams put into other packets: what is inside is as
 * well known as before.
 */
final class Rewrapped {
    private static final int IP = 14;
    private static final int UDP = IP + 20;
    private static final int PAYLOAD = UDP + 8;

    /** A datagram that was captured. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Datagram(long timestampNs, Endpoint source, Endpoint destination, byte[] payload) {
        boolean isRtp() {
            return payload.length >= 12 && (payload[0] & 0xc0) == 0x80 && (payload[1] & 0x7f) < 64;
        }

        boolean isSip() {
            return payload.length > 0 && payload[0] >= 'A' && payload[0] <= 'Z';
        }

        boolean isMedia() {
            return payload.length >= 8 && (payload[0] & 0xc0) == 0x80;
        }
    }

    /** Says what is captured in the place of a datagram. */
    interface Rewrite {
        void datagram(Datagram datagram, Rewrapped to);
    }

    private final List<Frame> frames = new ArrayList<>();
    private Map<Endpoint, Integer> sent = new HashMap<>();
    private int identification = 20_000;

    static List<Frame> of(List<Frame> traffic, Rewrite rewrite) {
        Rewrapped to = new Rewrapped();
        for (Frame frame : traffic) {
            Datagram datagram = datagram(frame);
            if (datagram == null) {
                to.frames.add(frame);
            } else {
                rewrite.datagram(datagram, to);
            }
        }
        return to.frames;
    }

    private static @Nullable Datagram datagram(Frame frame) {
        byte[] bytes = frame.bytes();
        if (bytes.length < PAYLOAD || u16(bytes, 12) != 0x0800 || bytes[IP + 9] != Ip.UDP || bytes[IP] != 0x45) {
            return null;
        }
        return new Datagram(
                frame.timestampNs(),
                Endpoint.ofIpv4(u16(bytes, IP + 12) << 16 | u16(bytes, IP + 14), u16(bytes, UDP)),
                Endpoint.ofIpv4(u16(bytes, IP + 16) << 16 | u16(bytes, IP + 18), u16(bytes, UDP + 2)),
                Arrays.copyOfRange(bytes, PAYLOAD, UDP + u16(bytes, UDP + 4)));
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    /** Sends as the other one does, and nothing of it is captured. */
    static Rewrapped nowhere(Rewrapped other) {
        Rewrapped nowhere = new Rewrapped();
        nowhere.sent = other.sent;
        return nowhere;
    }

    /** Captures a datagram. */
    void udp(long timestampNs, Endpoint source, Endpoint destination, byte[] payload) {
        ip(
                timestampNs,
                source,
                destination,
                Ip.UDP,
                new Octets()
                        .u16(source.port())
                        .u16(destination.port())
                        .u16(8 + payload.length)
                        .u16(0)
                        .bytes(payload)
                        .toArray());
    }

    void udp(Datagram datagram) {
        udp(datagram.timestampNs(), datagram.source(), datagram.destination(), datagram.payload());
    }

    /** Captures a stretch of a TCP stream, in segments of so many bytes at most. */
    void tcp(long timestampNs, Endpoint source, Endpoint destination, byte[] bytes, int most) {
        int first = sent.getOrDefault(source, 1);
        sent.put(source, first + bytes.length);
        for (int at = 0; at < bytes.length; at += most) {
            byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + most));
            byte[] segment = Transports.tcp(source, destination, first + at, 1, Transports.ACK, new byte[0], piece);
            ip(timestampNs, source, destination, Ip.TCP, segment);
        }
    }

    /** Captures an IP packet. */
    void ip(long timestampNs, Endpoint source, Endpoint destination, int protocol, byte[] payload) {
        byte[] packet = Ip.between(source, destination)
                .identification(++identification & 0xffff)
                .packet(protocol, payload);
        byte[] frame = Link.ethernet().frame(packet, true);
        frames.add(new Frame(timestampNs, Link.ethernet().linkType(), frame, frame.length));
    }
}
