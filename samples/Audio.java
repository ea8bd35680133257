import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a pcap with one RTP stream for sipp to play: a small tune in G.711, and telephone events (RFC 4733) on request.
 *
 * <p>{@code java Audio.java OUT.pcap pcma|pcmu SSRC FIRST_SEQUENCE FIRST_TIMESTAMP SECONDS TUNE [DIGITS]}: the digits are
 * dialled from the second second on. Runs from source on Java 17 or later.
 */
public final class Audio {
    private static final int RATE = 8000;
    private static final int SAMPLES = 160;
    /** Semitones from A4, one note each 0.2 s; 99 is a rest. */
    private static final int[][] TUNES = {
        {3, 7, 10, 15, 10, 7, 3, 99, 5, 8, 12, 17, 12, 8, 5, 99},
        {-9, -9, -2, -2, 0, 0, -2, 99, -4, -4, -5, -5, -7, -7, -9, 99},
        {0, 4, 7, 12, 99, 12, 7, 4, 2, 5, 9, 14, 99, 14, 9, 5},
        {-12, 99, -5, 99, -12, 99, -5, 99, -10, 99, -3, 99, -10, 99, -3, 99},
        {-3, -3, -3, -3, -3, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99},
    };

    private final DataOutputStream out;
    private final boolean aLaw;
    private final int ssrc;
    private int sequence;
    private int timestamp;
    private long micros;

    private Audio(DataOutputStream out, boolean aLaw, int ssrc, int sequence, int timestamp) {
        this.out = out;
        this.aLaw = aLaw;
        this.ssrc = ssrc;
        this.sequence = sequence;
        this.timestamp = timestamp;
    }

    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xa1b2c3d4);
        out.writeInt(0x00020004);
        out.writeLong(0);
        out.writeInt(65535);
        out.writeInt(1);
        Audio audio = new Audio(
                out,
                args[1].equals("pcma"),
                Integer.parseUnsignedInt(args[2], 16),
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]));
        audio.write((int) (Double.parseDouble(args[5]) * 50), TUNES[Integer.parseInt(args[6])], args.length > 7 ? args[7] : "");
        Files.write(Path.of(args[0]), bytes.toByteArray());
    }

    private void write(int packets, int[] tune, String digits) throws IOException {
        int dialled = 0;
        for (int packet = 0; packet < packets; ) {
            if (packet >= 50 && dialled < digits.length() && packet % 20 == 0) {
                packet += digit(digits.charAt(dialled++), packets - packet);
                continue;
            }
            byte[] sound = new byte[SAMPLES];
            for (int i = 0; i < SAMPLES; i++) {
                sound[i] = sample(tune, packet * SAMPLES + i);
            }
            send(packet == 0, aLaw ? 8 : 0, timestamp, sound);
            timestamp += SAMPLES;
            packet++;
        }
    }

    /** A key held for 160 ms; its last packet is sent three times. Returns the packet times it took. */
    private int digit(char key, int room) throws IOException {
        int event = "0123456789*#ABCD".indexOf(key);
        int begin = timestamp;
        for (int i = 1; i <= 10; i++) {
            int duration = Math.min(i, 8) * SAMPLES;
            byte[] payload = {(byte) event, (byte) (i >= 8 ? 0x8a : 0x0a), (byte) (duration >> 8), (byte) duration};
            send(i == 1, 101, begin, payload);
        }
        timestamp += 10 * SAMPLES;
        return Math.min(10, room);
    }

    private byte sample(int[] tune, int at) {
        int length = RATE / 5;
        int note = tune[at / length % tune.length];
        if (note == 99) {
            return encode(0);
        }
        double time = at % length / (double) RATE;
        double fade = Math.exp(-6 * time) * Math.min(1, time * 200);
        double angle = 2 * Math.PI * 440 * Math.pow(2, note / 12.0) * time;
        return encode((int) (11_000 * fade * (Math.sin(angle) + 0.3 * Math.sin(2 * angle))));
    }

    private byte encode(int sample) {
        if (aLaw) {
            int magnitude = Math.min(sample < 0 ? ~sample : sample, 32_767) >> 3;
            int exponent = Math.max(0, 27 - Integer.numberOfLeadingZeros(Math.max(magnitude, 1)));
            int mantissa = (exponent == 0 ? magnitude >> 1 : magnitude >> exponent) & 15;
            return (byte) (((sample < 0 ? 0 : 0x80) | exponent << 4 | mantissa) ^ 0x55);
        }
        int magnitude = Math.min(Math.abs(sample), 32_635) + 132;
        int exponent = 24 - Integer.numberOfLeadingZeros(magnitude);
        return (byte) ~((sample < 0 ? 0x80 : 0) | exponent << 4 | magnitude >> exponent + 3 & 15);
    }

    private void send(boolean marker, int payloadType, int at, byte[] payload) throws IOException {
        int rtp = 12 + payload.length;
        int frame = 14 + 20 + 8 + rtp;
        out.writeInt((int) (1_700_000_000 + micros / 1_000_000));
        out.writeInt((int) (micros % 1_000_000));
        out.writeInt(frame);
        out.writeInt(frame);
        out.writeLong(0); // Ethernet: no addresses
        out.writeInt(0);
        out.writeShort(0x0800);
        out.writeInt(0x45000000 | 28 + rtp); // sipp sets addresses, ports and checksums itself
        out.writeInt(0);
        out.writeInt(0x40110000);
        out.writeInt(0x7f000001);
        out.writeInt(0x7f000001);
        out.writeInt(20_000 << 16 | 20_000);
        out.writeInt(8 + rtp << 16);
        out.writeInt(0x80000000 | (marker ? 0x800000 : 0) | payloadType << 16 | sequence++ & 0xffff);
        out.writeInt(at);
        out.writeInt(ssrc);
        out.write(payload);
        micros += 20_000;
    }
}
