package io.offhook.research.handover;

import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Random;

/**
 * Packets among which RTP and SIP are sought, over UDP and TCP, and ICMP is not to count, although it quotes what is sought:
 * the same each time, in memory, with what is in them. Of a hundred, 10 are RTP, 4 SIP over UDP, 3 SIP over TCP, 3 ICMP that
 * quotes a packet of RTP or SIP; the others are an office's, which is mostly TCP.
 */
final class SoughtTrace {
    /** Their number; some 15 MB. */
    static final int PACKETS = 1 << 15;

    /** What a packet is to those who seek. */
    enum Kind {
        RTP,
        SIP_OVER_UDP,
        SIP_OVER_TCP,
        ICMP,
        OTHER
    }

    private static final int LONGEST = 1_514;
    private static final int RTP_PAYLOAD = 160;
    private static final long PHONE = 0x0a00_0000L;
    private static final long SERVER = 0xc000_0201L;
    private static final int PUSH_ACK = 0x18;

    private final MemorySegment memory;
    private final long[] offset = new long[PACKETS + 1];
    private final Kind[] kind = new Kind[PACKETS];
    private final MemorySegment quoted;
    private final PacketWriter writer = new PacketWriter();
    private final Random random = new Random(5_060);
    private int sequence;

    SoughtTrace(Arena arena) {
        memory = arena.allocate((long) PACKETS * LONGEST, 64);
        quoted = arena.allocate(LONGEST, 64);
        for (int i = 0; i < PACKETS; i++) {
            kind[i] = drawnKind(random.nextInt(100));
            writer.begin(memory, offset[i], LONGEST).ethernet(1, 2);
            packet(kind[i]);
            offset[i + 1] = offset[i] + writer.finish();
        }
    }

    private static Kind drawnKind(int part) {
        if (part < 10) {
            return Kind.RTP;
        }
        if (part < 14) {
            return Kind.SIP_OVER_UDP;
        }
        if (part < 17) {
            return Kind.SIP_OVER_TCP;
        }
        return part < 20 ? Kind.ICMP : Kind.OTHER;
    }

    private void packet(Kind kind) {
        switch (kind) {
            case RTP -> rtp(writer);
            case SIP_OVER_UDP -> sipOverUdp(writer);
            case SIP_OVER_TCP ->
                writer.ipv4(phone(), SERVER)
                        .tcp(ephemeral(), 5060, random.nextLong(1L << 32), 1, PUSH_ACK)
                        .text(sip("TCP"));
            case ICMP -> icmp();
            case OTHER -> other();
        }
    }

    private void rtp(PacketWriter to) {
        to.ipv4(phone(), SERVER)
                .udp(16_384, 20_000)
                .u16(0x8000)
                .u16(sequence & 0xffff)
                .u32(160L * sequence & 0xffff_ffffL)
                .u32(0x5060_0000L)
                .payload(drawn(RTP_PAYLOAD));
        sequence++;
    }

    private void sipOverUdp(PacketWriter to) {
        to.ipv4(phone(), SERVER).udp(5060, 5060).text(sip("UDP"));
    }

    private String sip(String transport) {
        int call = random.nextInt(1_000_000);
        return String.format(Locale.ROOT, """
                OPTIONS sip:%d@example.org SIP/2.0\r
                Via: SIP/2.0/%s 10.0.0.1:5060;branch=z9hG4bK%d\r
                Max-Forwards: 70\r
                From: <sip:alice@example.org>;tag=%d\r
                To: <sip:%d@example.org>\r
                Call-ID: %d@10.0.0.1\r
                CSeq: 1 OPTIONS\r
                Contact: <sip:alice@10.0.0.1>\r
                Accept: application/sdp\r
                Content-Length: 0\r
                \r
                """, call, transport, call, call, call, call);
    }

    /** Port unreachable, with the whole datagram that nobody wanted. */
    private void icmp() {
        PacketWriter inner = new PacketWriter().begin(quoted, 0, LONGEST);
        if (random.nextBoolean()) {
            rtp(inner);
        } else {
            sipOverUdp(inner);
        }
        int length = inner.finish();
        writer.ipv4(SERVER, phone()).icmp(3, 3, 0).payload(quoted, 0, length);
    }

    private void other() {
        int part = random.nextInt(80);
        if (part < 48) {
            writer.ipv4(SERVER, phone()).tcp(443, ephemeral(), random.nextLong(1L << 32), 1, PUSH_ACK);
            tls();
        } else if (part < 60) {
            writer.ipv6(1, random.nextLong(), 3, 4).tcp(443, ephemeral(), random.nextLong(1L << 32), 1, PUSH_ACK);
            tls();
        } else if (part < 72) {
            writer.ipv4(SERVER, phone()).udp(443, ephemeral()).u8(0x40).payload(drawn(random.nextInt(20, 1_200)));
        } else {
            writer.ipv4(phone(), SERVER).udp(ephemeral(), 53).u16(0x1234).payload(drawn(random.nextInt(20, 100)));
        }
    }

    /** Half of the segments only acknowledge. */
    private void tls() {
        if (random.nextBoolean()) {
            writer.u8(0x17).u16(0x0303).payload(drawn(random.nextInt(100, 1_400)));
        }
    }

    private byte[] drawn(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private long phone() {
        return PHONE | random.nextInt(1 << 24);
    }

    private int ephemeral() {
        return random.nextInt(32_768, 61_000);
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

    Kind kind(int packet) {
        return kind[packet];
    }

    /** Returns how many packets of a kind there are. */
    int count(Kind sought) {
        int count = 0;
        for (Kind one : kind) {
            count += one == sought ? 1 : 0;
        }
        return count;
    }
}
