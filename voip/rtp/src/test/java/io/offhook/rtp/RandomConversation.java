package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** RTCP of some participants: SR with what they receive, SDES, BYE, XR with VoIP metrics, and payloads that are no RTCP. */
final class RandomConversation {
    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;
    private static final Endpoint HOME = new Endpoint(0, 0xffff_0a00_0001L, 5005);

    private final Random random;
    private final List<RtcpReports> conversations;
    private final int participants;
    private long nowNs = T0;
    private int ntp = 1;
    private int lastNtp;
    private long lastNtpNs = T0;
    private int packets;

    RandomConversation(long seed, List<RtcpReports> conversations) {
        random = new Random(seed);
        this.conversations = conversations;
        participants = random.nextInt(6) == 0 ? 40 : 2;
    }

    /** A packet of somebody. */
    void step() {
        nowNs += random.nextInt(10) == 0 ? 0 : random.nextLong(6000 * MS);
        int from = random.nextInt(participants);
        int to = (from + 1) % participants;
        ByteBuffer out = ByteBuffer.allocate(512);
        switch (random.nextInt(12)) {
            case 0 -> out.putInt(0x81c9_ffff).putInt(from); // longer than it is
            case 1 -> {
                senderReport(out, from, to);
                words(
                        out,
                        203,
                        1,
                        ByteBuffer.allocate(12)
                                .putInt(from)
                                .put((byte) 3)
                                .put("end".getBytes(StandardCharsets.US_ASCII)));
            }
            case 2, 3 -> {
                senderReport(out, from, to);
                metrics(out, from, to);
            }
            case 4 -> metrics(out, from, to);
            case 5 -> {
                senderReport(out, from, to);
                words(
                        out,
                        207,
                        0,
                        ByteBuffer.allocate(8)
                                .putInt(from)
                                .put((byte) 7)
                                .put((byte) 0)
                                .putShort((short) 1));
            }
            default -> {
                senderReport(out, from, to);
                if (random.nextInt(4) == 0) {
                    byte[] name = ("user" + random.nextInt(3)).getBytes(StandardCharsets.US_ASCII);
                    words(
                            out,
                            202,
                            1,
                            ByteBuffer.allocate(12)
                                    .putInt(from)
                                    .put((byte) 1)
                                    .put((byte) name.length)
                                    .put(name));
                }
            }
        }
        byte[] all = new byte[out.position()];
        out.flip().get(all);
        MemorySegment octets = Octets.of(all);
        for (RtcpReports reports : conversations) {
            reports.read(octets, 0, Octets.length(octets), Octets.length(octets), nowNs, from == 1 ? null : HOME);
        }
    }

    private void senderReport(ByteBuffer out, int from, int to) {
        packets += random.nextInt(300);
        long delay = random.nextInt(8) == 0
                ? 1 << 30
                : Math.max(0, nowNs - lastNtpNs - random.nextLong(80 * MS)) * 65_536 / 1_000_000_000L;
        ByteBuffer body = ByteBuffer.allocate(48);
        int own = ++ntp;
        body.putInt(from)
                .putInt(own >>> 16)
                .putInt(own << 16)
                .putInt(packets * 160)
                .putInt(packets)
                .putInt(packets * 160);
        body.putInt(to).put((byte) random.nextInt(40)).put((byte) 0).putShort((short) random.nextInt(200));
        body.putInt(packets + 1000).putInt(random.nextInt(400)).putInt(lastNtp).putInt((int) delay);
        lastNtp = own;
        lastNtpNs = nowNs;
        words(out, 200, 1, body);
    }

    private void metrics(ByteBuffer out, int from, int to) {
        ByteBuffer body = ByteBuffer.allocate(40);
        body.putInt(from).put((byte) 7).put((byte) 0).putShort((short) 8).putInt(to);
        while (body.hasRemaining()) {
            body.put((byte) (1 + random.nextInt(120)));
        }
        words(out, 207, 0, body);
    }

    private static void words(ByteBuffer out, int type, int count, ByteBuffer body) {
        byte[] octets = new byte[(body.position() + 3) / 4 * 4];
        body.flip().get(octets, 0, body.limit());
        out.put((byte) (0x80 | count)).put((byte) type).putShort((short) (octets.length / 4));
        out.put(octets);
    }
}
