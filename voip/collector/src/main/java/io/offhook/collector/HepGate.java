package io.offhook.collector;

import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.network.Ipv4View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets packets of HEP in, each as a frame: behind an IP and a UDP header, as if captured in front of the collector. Refuses
 * what is not HEP or has not the key, and overwrites the key, so that no recording has it. One a transport's thread.
 *
 * <pre>
 * +--------------------+----------------+-------
 * | IPv4 20 or IPv6 40 | UDP 8          | HEP
 * +--------------------+----------------+-------
 * </pre>
 */
final class HepGate {
    /** The longest headers. */
    static final int HEADERS = 48;

    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP_HEADER = 8;
    private static final int MOST_BYTES = 65_535;
    private static final int UDP = 17;
    private static final int HOPS = 64;

    /** What was refused, of all transports. */
    static final class Counters {
        final LongAdder notHep = new LongAdder();
        final LongAdder malformed = new LongAdder();
        final LongAdder wrongKey = new LongAdder();
        final LongAdder tooLong = new LongAdder();
        final LongAdder keepAlives = new LongAdder();
        final LongAdder streamsClosed = new LongAdder();

        long refused() {
            return notHep.sum() + malformed.sum() + wrongKey.sum() + tooLong.sum();
        }
    }

    private final FrameBlocks blocks;
    private final Counters counters;
    private final byte @Nullable [] key;
    private final byte[] given;
    private final HepReader reader = new HepReader();

    // the packet at hand
    private byte[] octets = {};
    private int offset;
    private int length;
    private Endpoint source = Endpoint.ofIpv4(0, 0);
    private Endpoint destination = source;

    HepGate(FrameBlocks blocks, Counters counters, @Nullable String key) {
        this.blocks = blocks;
        this.counters = counters;
        this.key = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        given = new byte[this.key == null ? 0 : this.key.length];
    }

    /**
     * Lets a packet in, or counts why not; waits until there is room.
     *
     * @param arrivalNs nanoseconds since the epoch
     */
    void packet(byte[] octets, int offset, int length, Endpoint source, Endpoint destination, long arrivalNs) {
        boolean isIpv4 = source.isIpv4() && destination.isIpv4();
        int most = isIpv4 ? MOST_BYTES - IPV4_HEADER - UDP_HEADER : MOST_BYTES - UDP_HEADER;
        if (length > most) {
            counters.tooLong.increment();
            return;
        }
        this.octets = octets;
        this.offset = offset;
        this.length = length;
        this.source = source;
        this.destination = destination;
        boolean _ = blocks.add(HEADERS + length, arrivalNs, this::write); // what is refused is counted
    }

    private int write(MemorySegment to, long at) {
        boolean isIpv4 = source.isIpv4() && destination.isIpv4();
        int headers = (isIpv4 ? IPV4_HEADER : IPV6_HEADER) + UDP_HEADER;
        MemorySegment.copy(octets, offset, to, ValueLayout.JAVA_BYTE, at + headers, length);
        if (!isAccepted(to, at + headers)) {
            return 0;
        }
        if (isIpv4) {
            ipv4(to, at);
        } else {
            ipv6(to, at);
        }
        long udp = at + headers - UDP_HEADER;
        NetworkOrder.putU16(to, udp, source.port());
        NetworkOrder.putU16(to, udp + 2, destination.port());
        NetworkOrder.putU16(to, udp + 4, UDP_HEADER + length);
        NetworkOrder.putU16(to, udp + 6, 0); // no checksum: the packet may have come over TCP
        return headers + length;
    }

    private boolean isAccepted(MemorySegment to, long at) {
        if (!HepReader.isLikely(to, at, length)) {
            counters.notHep.increment();
            return false;
        }
        byte[] expected = key;
        if (expected == null) {
            return true;
        }
        boolean isRead = reader.read(to, at, length);
        if (!isRead && !reader.isKeepAlive()) {
            counters.malformed.increment();
            return false;
        }
        if (!isKey(to, expected)) {
            counters.wrongKey.increment();
            return false;
        }
        if (!isRead) {
            counters.keepAlives.increment();
        }
        return isRead;
    }

    /** Compares in a time that does not depend on how much is right, and overwrites what was given. */
    private boolean isKey(MemorySegment packet, byte[] expected) {
        int given = reader.authenticationKeyLength();
        long at = reader.authenticationKeyOffset();
        int compared = Math.min(given, expected.length);
        MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, at, this.given, 0, compared);
        boolean isSame = MessageDigest.isEqual(this.given, expected) && given == expected.length;
        packet.asSlice(at, given).fill((byte) '*');
        return isSame;
    }

    private void ipv4(MemorySegment to, long at) {
        NetworkOrder.putU32(to, at, 0x4500_0000L | IPV4_HEADER + UDP_HEADER + length);
        NetworkOrder.putU32(to, at + 4, 0); // no fragment
        NetworkOrder.putU32(to, at + 8, (long) HOPS << 24 | UDP << 16);
        NetworkOrder.putU32(to, at + 12, source.low() & 0xffff_ffffL);
        NetworkOrder.putU32(to, at + 16, destination.low() & 0xffff_ffffL);
        NetworkOrder.putU16(to, at + Ipv4View.CHECKSUM, InternetChecksum.ofIpv4Header(to, at, IPV4_HEADER));
    }

    private void ipv6(MemorySegment to, long at) {
        NetworkOrder.putU32(to, at, 0x6000_0000L);
        NetworkOrder.putU32(to, at + 4, (long) (UDP_HEADER + length) << 16 | UDP << 8 | HOPS);
        NetworkOrder.putBits64(to, at + 8, source.high());
        NetworkOrder.putBits64(to, at + 16, source.low());
        NetworkOrder.putBits64(to, at + 24, destination.high());
        NetworkOrder.putBits64(to, at + 32, destination.low());
    }
}
