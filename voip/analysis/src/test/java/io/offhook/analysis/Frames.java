package io.offhook.analysis;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Encapsulation;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.IpFragments;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.RtpPacket;
import io.offhook.testkit.traffic.Tap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Frames of RTP made by hand: one stream, a packet every 20 ms. */
final class Frames {
    static final long START_NS = 1_700_000_000_000_000_000L;
    static final Endpoint SOURCE = Endpoint.ofIpv4(0x0a01_0001, 4000);
    static final Endpoint DESTINATION = Endpoint.ofIpv4(0x0a01_0002, 5000);
    static final Endpoint SOURCE_V6 = new Endpoint(0x2001_0db8_0000_0000L, 1, 4000);
    static final Endpoint DESTINATION_V6 = new Endpoint(0x2001_0db8_0000_0000L, 2, 5000);

    private Frames() {}

    static long timeNs(int number) {
        return START_NS + number * 20_000_000L;
    }

    static byte[] rtp(int number, int payloadLength) {
        return new RtpPacket()
                .payloadType(0)
                .marker(number == 0)
                .sequence(1000 + number)
                .timestamp(160L * number)
                .ssrc(0xcafe)
                .bytes(new byte[payloadLength]);
    }

    /** One packet as it is captured by a tap that was set up so. */
    static List<Frame> rtp(int number, int payloadLength, boolean ipv6, Consumer<Tap> setUp) {
        Recorder recorder = new Recorder(1);
        Tap tap = new Tap(recorder, new Random(number));
        setUp.accept(tap);
        Endpoint source = ipv6 ? SOURCE_V6 : SOURCE;
        Endpoint destination = ipv6 ? DESTINATION_V6 : DESTINATION;
        tap.ip(timeNs(number), true, udp(source, destination, number, rtp(number, payloadLength)));
        return recorder.frames();
    }

    /** An IP packet with a UDP datagram. */
    static byte[] udp(Endpoint source, Endpoint destination, int identification, byte[] payload) {
        byte[] datagram = new byte[8 + payload.length];
        put16(datagram, 0, source.port());
        put16(datagram, 2, destination.port());
        put16(datagram, 4, datagram.length);
        System.arraycopy(payload, 0, datagram, 8, payload.length);
        return Ip.between(source, destination)
                .identification(identification & 0xffff)
                .dontFragment(false)
                .packet(Ip.UDP, datagram);
    }

    /** A tunnel's packet, and it is the outer one that is cut. */
    static List<Frame> outerFragments(int number, int payloadLength, Encapsulation tunnel, int mtu) {
        byte[] inner = udp(SOURCE, DESTINATION, number, rtp(number, payloadLength));
        List<Frame> frames = new ArrayList<>();
        for (byte[] piece : IpFragments.split(tunnel.wrap(inner, true), mtu, 7000 + number)) {
            byte[] frame = Link.ethernet().frame(piece, true);
            frames.add(new Frame(timeNs(number) + frames.size(), Link.ethernet().linkType(), frame, frame.length));
        }
        return frames;
    }

    private static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }
}
