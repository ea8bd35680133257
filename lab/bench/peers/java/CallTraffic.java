import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a capture of calls that all go on at once: CALLS SECONDS FILE [ROUNDS]; of "-" to standard output, and of so many
 * rounds one after the other, each of other calls. Each is set up within the first CALLS / 200 seconds,
 * talks G.711 both ways in packets of 20 ms for SECONDS, all of them together for the last of these, and is hung up by
 * the caller: answered, nothing lost.
 */
public final class CallTraffic {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int CALLS_A_SECOND = 200;
    private static final int PACKET_NS = 20_000_000;
    private static final int RTP_BYTES = 14 + 20 + 8 + 12 + 160;

    private final int calls;
    private final int packets;
    private int round;
    private final OutputStream out;
    private final ByteBuffer record = ByteBuffer.allocate(16 + 2048);

    private CallTraffic(int calls, int seconds, OutputStream out) {
        this.calls = calls;
        this.packets = seconds * 50;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        OutputStream file = args[2].equals("-") ? System.out : Files.newOutputStream(Path.of(args[2]));
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        try (OutputStream out = new BufferedOutputStream(file, 1 << 20)) {
            new CallTraffic(Integer.parseInt(args[0]), Integer.parseInt(args[1]), out).write(rounds);
        }
    }

    /** Tick by tick of 20 ms; in each, call after call, so that times go up and no two packets have the same. */
    private void write(int rounds) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xa1b23c4d).putShort((short) 2).putShort((short) 4).putLong(0).putInt(262_144).putInt(1);
        out.write(header.array());
        for (round = 0; round < rounds; round++) {
            writeRound();
        }
    }

    private void writeRound() throws IOException {
        int ramp = 50 * calls / CALLS_A_SECOND;
        int ticks = ramp + packets + 11;
        long startNs = START_NS + (long) round * ticks * PACKET_NS;
        for (int tick = 0; tick < ticks; tick++) {
            for (int call = 0; call < calls; call++) {
                // calls of one tick of set-up come evenly within the ramp
                int age = tick - (int) ((long) ramp * call / calls);
                long ns = startNs + (long) tick * PACKET_NS + (long) call * (PACKET_NS / calls);
                step(call, age, ns);
            }
        }
    }

    private void step(int call, int age, long ns) throws IOException {
        switch (age) {
            case 0 -> sip(call, true, "INVITE sip:b" + call + "@b.test SIP/2.0", 1, "INVITE", sdp(call, true), ns);
            case 2 -> sip(call, false, "SIP/2.0 180 Ringing", 1, "INVITE", "", ns);
            case 4 -> sip(call, false, "SIP/2.0 200 OK", 1, "INVITE", sdp(call, false), ns);
            case 5 -> sip(call, true, "ACK sip:b" + call + "@b.test SIP/2.0", 1, "ACK", "", ns);
            default -> {
                int number = age - 6;
                if (number >= 0 && number < packets) {
                    rtp(call, true, number, ns);
                    rtp(call, false, number, ns + 1000);
                } else if (number == packets) {
                    sip(call, true, "BYE sip:b" + call + "@b.test SIP/2.0", 2, "BYE", "", ns);
                } else if (number == packets + 2) {
                    sip(call, false, "SIP/2.0 200 OK", 2, "BYE", "", ns);
                }
            }
        }
    }

    private static String sdp(int call, boolean caller) {
        return "v=0\r\no=- 1 1 IN IP4 " + address(call, caller) + "\r\ns=-\r\nc=IN IP4 " + address(call, caller)
                + "\r\nt=0 0\r\nm=audio " + port(call) + " RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n";
    }

    private static String address(int call, boolean caller) {
        return (caller ? "10.1." : "10.2.") + call / 250 + "." + (call % 250 + 1);
    }

    private static int port(int call) {
        return 16_384 + 2 * (call % 20_000);
    }

    private void sip(int call, boolean caller, String start, int cseq, String method, String body, long ns)
            throws IOException {
        String text = start + "\r\nVia: SIP/2.0/UDP " + address(call, true) + ";branch=z9hG4bK" + method + call + "-" + round
                + "\r\nFrom: <sip:a" + call + "@a.test>;tag=f" + call + "\r\nTo: <sip:b" + call + "@b.test>"
                + (start.startsWith("INVITE") ? "" : ";tag=t" + call) + "\r\nCall-ID: " + call + "-" + round + "@load\r\nCSeq: " + cseq
                + " " + method + "\r\nContact: <sip:x@" + address(call, caller) + ">\r\n"
                + (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n") + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        headers(call, caller, 5060, 5060, bytes.length, ns);
        record.put(bytes);
        send();
    }

    private void rtp(int call, boolean caller, int number, long ns) throws IOException {
        headers(call, caller, port(call), port(call), RTP_BYTES - 42, ns);
        record.put((byte) 0x80).put((byte) (number == 0 ? 0x80 : 0)).putShort((short) number);
        record.putInt(number * 160).putInt((caller ? 0 : 0x10000) + call + (round << 17));
        record.position(record.position() + 160);
        send();
    }

    private void headers(int call, boolean caller, int from, int to, int payload, long ns) {
        int length = 42 + payload;
        record.clear().order(ByteOrder.LITTLE_ENDIAN);
        record.putInt((int) (ns / 1_000_000_000)).putInt((int) (ns % 1_000_000_000)).putInt(length).putInt(length);
        record.order(ByteOrder.BIG_ENDIAN);
        record.putLong(0x0200000000010200L).putInt(2).putShort((short) 0x0800);
        int ip = record.position();
        record.putInt(0x45000000 | 28 + payload).putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        record.put(octets(call, caller)).put(octets(call, !caller));
        int sum = 0;
        for (int i = ip; i < ip + 20; i += 2) {
            sum += record.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        record.putShort(ip + 10, (short) ~(sum + (sum >>> 16)));
        record.putShort((short) from).putShort((short) to).putShort((short) (8 + payload)).putShort((short) 0);
    }

    private static byte[] octets(int call, boolean caller) {
        return new byte[] {10, (byte) (caller ? 1 : 2), (byte) (call / 250), (byte) (call % 250 + 1)};
    }

    private void send() throws IOException {
        out.write(record.array(), 0, record.position());
    }
}
