package io.offhook.research.handover;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * What a VoIP sniffer sees on an office's line: 262,000 packets, 1,500 of them RTP, from six streams of three calls. The
 * others are web traffic (TCP in IPv4 and IPv6, QUIC), DNS, SIP, and some ARP and ICMP; one in eight has a VLAN tag. The
 * packets are always the same, and contiguous in native memory larger than the caches, because packets from a network card
 * are not in the caches either.
 */
final class SnifferTrace {
    static final int PACKETS = 262_000;
    static final int RTP = 1_500;

    /** Memory for exactly these packets; with other numbers, the last ones would not fit, which is an exception. */
    private static final long MEMORY_BYTES = 192L << 20;

    private static final int STREAMS = 6;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ICMP = 1;

    private final MemorySegment memory;
    private final long[] offset = new long[PACKETS + 1];
    /** For each packet, the sum over the packets before it, as {@link SnifferLook} computes it. */
    private final long[] saidBefore = new long[PACKETS + 1];

    private final Random random = new Random(1_500);
    private final int[] sequence = new int[STREAMS];
    private long at;

    SnifferTrace(Arena arena) {
        memory = arena.allocate(MEMORY_BYTES, 128);
        boolean[] isRtp = rtpPlaces();
        int stream = 0;
        for (int i = 0; i < PACKETS; i++) {
            offset[i] = at;
            saidBefore[i + 1] = saidBefore[i];
            if (isRtp[i]) {
                saidBefore[i + 1] += SnifferLook.said(sequence[stream], ssrc(stream));
                rtp(stream);
                stream = (stream + 1) % STREAMS;
            } else {
                other(random.nextInt(100));
            }
        }
        offset[PACKETS] = at;
    }

    private boolean[] rtpPlaces() {
        boolean[] isRtp = new boolean[PACKETS];
        for (int left = RTP; left > 0; ) {
            int place = random.nextInt(PACKETS);
            if (!isRtp[place]) {
                isRtp[place] = true;
                left--;
            }
        }
        return isRtp;
    }

    private static long ssrc(int stream) {
        return 0x5060_0000L + stream;
    }

    /** G.711, 20 ms. */
    private void rtp(int stream) {
        int port = 16_384 + 2 * stream;
        long payload = udp(ipv4(ethernet(0x0800), UDP, 8 + 172), port, port + 100, 172);
        NetworkOrder.putU16(memory, payload, 0x8000);
        NetworkOrder.putU16(memory, payload + 2, sequence[stream]);
        NetworkOrder.putU32(memory, payload + 4, 160L * sequence[stream]);
        NetworkOrder.putU32(memory, payload + 8, ssrc(stream));
        sequence[stream]++;
        fill(payload + 12, 160);
    }

    /** @param part 0 to 99: the place among a hundred packets */
    private void other(int part) {
        if (part < 62) {
            int payload = segment();
            tcp(ipv4(ethernet(0x0800), TCP, 32 + payload), payload);
        } else if (part < 78) {
            int payload = segment();
            tcp(ipv6(ethernet(0x86dd), TCP, 32 + payload), payload);
        } else if (part < 90) {
            int payload = random.nextInt(3) == 0 ? random.nextInt(30, 100) : 1_200;
            long quic = udp(ipv4(ethernet(0x0800), UDP, 8 + payload), 443, ephemeral(), payload);
            fill(quic, payload);
            NetworkOrder.putU8(memory, quic, 0x40 | random.nextInt(0x40)); // a short header (RFC 9000, 17.3)
        } else if (part < 97) {
            int payload = random.nextInt(30, 200);
            fill(udp(ipv4(ethernet(0x0800), UDP, 8 + payload), ephemeral(), 53, payload), payload);
        } else if (part < 98) {
            int payload = random.nextInt(400, 1_300);
            long sip = udp(ipv4(ethernet(0x0800), UDP, 8 + payload), 5060, 5060, payload);
            fill(sip, payload);
            NetworkOrder.putU32(memory, sip, 0x494e5649L); // INVI
        } else if (part < 99) {
            fill(ipv4(ethernet(0x0800), ICMP, 64), 64);
        } else {
            fill(ethernet(0x0806), 46);
        }
    }

    /** Half of the TCP segments only acknowledge. */
    private int segment() {
        return random.nextBoolean() ? 0 : random.nextInt(4) == 0 ? random.nextInt(100, 1_448) : 1_448;
    }

    private int ephemeral() {
        return random.nextInt(32_768, 61_000);
    }

    /** Writes a header, with or without a tag, and returns the position after it. */
    private long ethernet(int type) {
        long header = at;
        NetworkOrder.putBits64(memory, header, random.nextLong());
        NetworkOrder.putU32(memory, header + 8, random.nextLong(1L << 32));
        boolean isTagged = random.nextInt(8) == 0;
        if (isTagged) {
            NetworkOrder.putU16(memory, header + 12, 0x8100);
            NetworkOrder.putU16(memory, header + 14, random.nextInt(1, 4_095));
        }
        int length = isTagged ? 18 : 14;
        NetworkOrder.putU16(memory, header + length - 2, type);
        return header + length;
    }

    private long ipv4(long header, int protocol, int length) {
        NetworkOrder.putU16(memory, header, 0x4500);
        NetworkOrder.putU16(memory, header + 2, 20 + length);
        NetworkOrder.putU32(memory, header + 4, random.nextLong(1L << 16) << 16 | 0x4000); // do not fragment
        NetworkOrder.putU16(memory, header + 8, 64 << 8 | protocol);
        NetworkOrder.putU16(memory, header + 10, 0);
        NetworkOrder.putU32(memory, header + 12, 0x0a00_0000L | random.nextInt(1 << 24));
        NetworkOrder.putU32(memory, header + 16, random.nextLong(1L << 32));
        return header + 20;
    }

    private long ipv6(long header, int protocol, int length) {
        NetworkOrder.putU32(memory, header, 0x6000_0000L);
        NetworkOrder.putU16(memory, header + 4, length);
        NetworkOrder.putU16(memory, header + 6, protocol << 8 | 64);
        for (int i = 8; i < 40; i += 8) {
            NetworkOrder.putBits64(memory, header + i, random.nextLong());
        }
        return header + 40;
    }

    private long udp(long header, int source, int destination, int payload) {
        NetworkOrder.putU16(memory, header, source);
        NetworkOrder.putU16(memory, header + 2, destination);
        NetworkOrder.putU16(memory, header + 4, 8 + payload);
        NetworkOrder.putU16(memory, header + 6, 0);
        return header + 8;
    }

    /** With the timestamps option, as in nearly all segments. */
    private void tcp(long header, int payload) {
        NetworkOrder.putU16(memory, header, 443);
        NetworkOrder.putU16(memory, header + 2, ephemeral());
        NetworkOrder.putBits64(memory, header + 4, random.nextLong());
        NetworkOrder.putU16(memory, header + 12, 0x8010);
        NetworkOrder.putU16(memory, header + 14, 501);
        NetworkOrder.putU32(memory, header + 16, 0);
        NetworkOrder.putU32(memory, header + 20, 0x0101_080aL);
        NetworkOrder.putBits64(memory, header + 24, random.nextLong());
        fill(header + 32, payload);
    }

    /** Writes random bytes, and ends the packet. */
    private void fill(long from, int length) {
        int done = 0;
        for (; done + 8 <= length; done += 8) {
            NetworkOrder.putBits64(memory, from + done, random.nextLong());
        }
        for (; done < length; done++) {
            NetworkOrder.putU8(memory, from + done, random.nextInt(256));
        }
        at = from + length;
    }

    MemorySegment memory() {
        return memory;
    }

    long offset(int packet) {
        return offset[packet];
    }

    int length(int packet) {
        return (int) (offset[packet + 1] - offset[packet]);
    }

    /** Returns the expected sum over packets, from the first (inclusive) to the last (exclusive). */
    long said(int first, int end) {
        return saidBefore[end] - saidBefore[first];
    }
}
