package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The point at which packets are captured: how they are framed, tunnelled, cut and copied on their way into the
 * {@link Recorder}. Mutable set-up, single-threaded.
 */
public final class Tap {
    /** Between the fragments of one packet. */
    private static final long FRAGMENT_GAP_NS = 20_000;

    private final Recorder recorder;
    private final Random random;
    private final List<Encapsulation> encapsulations = new ArrayList<>();
    private Link link = Link.ethernet();
    private long mirrorDelayNs = -1;
    private int mtu = Integer.MAX_VALUE;
    private IpFragments.Style fragmentStyle = IpFragments.Style.IN_ORDER;
    private long fragments;

    public Tap(Recorder recorder, Random random) {
        this.recorder = recorder;
        this.random = random;
    }

    public Tap link(Link value) {
        link = value;
        return this;
    }

    /** Adds a tunnel around those that are there already. */
    public Tap through(Encapsulation outer) {
        encapsulations.add(outer);
        return this;
    }

    /** Every packet is captured a second time, as by a mirror port that copies both directions of a switch. */
    public Tap mirrored(long delayNs) {
        mirrorDelayNs = delayNs;
        return this;
    }

    /** How much later the copies come; negative without a mirror. */
    long mirrorDelayNs() {
        return mirrorDelayNs;
    }

    public boolean isMirrored() {
        return mirrorDelayNs >= 0;
    }

    /** Cuts IP packets of more than {@code bytes}. */
    public Tap fragmented(int bytes, IpFragments.Style style) {
        mtu = bytes;
        fragmentStyle = style;
        return this;
    }

    /** How many fragments were captured, mirrored ones too. */
    public long fragments() {
        return fragments;
    }

    /** Times are rounded to what the capture can say. */
    public long quantize(long timeNs) {
        return recorder.quantize(timeNs);
    }

    /** How often each packet is captured: 1, or 2 with a mirror. */
    public int copies() {
        return isMirrored() ? 2 : 1;
    }

    /** Captures a UDP datagram; returns the time of the packet that completes it, -1 if none does. */
    public long udp(long timeNs, boolean forward, Endpoint source, Endpoint destination, byte[] payload) {
        return ip(timeNs, forward, udpPacket(source, destination, payload));
    }

    /** The IP packet with a UDP datagram, not yet captured: for those who quote it later. */
    byte[] udpPacket(Endpoint source, Endpoint destination, byte[] payload) {
        return Ip.between(source, destination)
                .identification(recorder.nextIdentification())
                .dontFragment(false)
                .packet(Ip.UDP, Transports.udp(source, destination, payload));
    }

    /** Captures a TCP segment; returns its time. */
    public long tcp(
            long timeNs,
            boolean forward,
            Endpoint source,
            Endpoint destination,
            long sequence,
            long acknowledgment,
            int flags,
            byte[] payload) {
        byte[] options = (flags & Transports.SYN) != 0 ? new byte[] {2, 4, 5, (byte) 0xb4} : new byte[0];
        byte[] segment = Transports.tcp(source, destination, sequence, acknowledgment, flags, options, payload);
        return ip(
                timeNs,
                forward,
                Ip.between(source, destination)
                        .identification(recorder.nextIdentification())
                        .packet(Ip.TCP, segment));
    }

    /** Captures an IP packet, in fragments if it must be; returns the time of what completes it, -1 if nothing does. */
    public long ip(long timeNs, boolean forward, byte[] packet) {
        if (packet.length <= mtu) {
            return frame(timeNs, forward, packet);
        }
        List<byte[]> pieces = IpFragments.split(packet, mtu, recorder.nextIdentification(), fragmentStyle, random);
        fragments += (long) pieces.size() * copies();
        long time = timeNs;
        long complete = -1;
        Set<byte[]> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (byte[] piece : pieces) {
            long captured = frame(time, forward, piece);
            if (seen.add(piece)) {
                complete = captured;
            }
            time += FRAGMENT_GAP_NS;
        }
        return fragmentStyle == IpFragments.Style.LAST_MISSING ? -1 : complete;
    }

    private long frame(long timeNs, boolean forward, byte[] packet) {
        byte[] outer = packet;
        for (Encapsulation encapsulation : encapsulations) {
            outer = encapsulation.wrap(outer, forward);
        }
        byte[] frame = link.frame(outer, forward);
        long time = recorder.add(timeNs, link.linkType(), frame);
        if (isMirrored()) {
            recorder.add(timeNs + mirrorDelayNs, link.linkType(), frame);
        }
        return time;
    }
}
