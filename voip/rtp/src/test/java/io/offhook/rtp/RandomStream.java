package io.offhook.rtp;

import io.offhook.rtp.playout.JitterBuffer;
import java.util.List;
import java.util.Random;

/**
 * A stream of which nearly everything can go wrong: loss, bursts of it, copies, disorder, restarts, outages, steps of the
 * path and of clocks, silence, keep-alives, key presses, codecs that are known late or never. Each step feeds some packets.
 */
final class RandomStream {
    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;
    private static final List<JitterBuffer> BUFFERS = List.of(
            JitterBuffer.DEFAULT,
            JitterBuffer.OFF,
            JitterBuffer.fixed(40),
            JitterBuffer.adaptive(20, 100),
            JitterBuffer.DEFAULT);
    private static final List<Codec> CODECS = List.of(
            new Codec("opus", 48_000, 2),
            new Codec("AMR", 8000, 1, "octet-align=1"),
            new Codec("EVS", 16_000),
            new Codec("L16", 11_025));
    private static final int DYNAMIC = 96;
    private static final int KEYS = 101;

    private final Random random;
    private final OneRow row = new OneRow();
    final JitterBuffer buffer;
    final boolean isDetailed;
    private final List<RtpStream> streams;
    private final int stepTicks;
    private final double loss;
    private final double oddity;
    private int type;
    private int number;
    private int timestamp;
    private long sentNs = T0;
    private long transitNs = 20 * MS;
    private long lastNs = T0;
    private int count;

    /** @param streams that are fed alike; made by {@link #stream} of the same seed */
    RandomStream(long seed, List<RtpStream> streams) {
        random = new Random(seed);
        buffer = BUFFERS.get(random.nextInt(BUFFERS.size()));
        isDetailed = random.nextBoolean();
        this.streams = streams;
        type = random.nextInt(3) == 0 ? DYNAMIC : random.nextInt(3) == 0 ? 4 : random.nextInt(4) == 0 ? 18 : 0;
        stepTicks = random.nextInt(4) == 0 ? 8 * (1 + random.nextInt(400)) : 160;
        loss = random.nextInt(3) * 0.04;
        oddity = random.nextInt(3) * 0.02;
        number = random.nextInt(65_536);
        timestamp = random.nextInt();
    }

    static RtpStream stream(long seed) {
        RandomStream shape = new RandomStream(seed, List.of());
        return new RtpStream(shape.buffer, shape.isDetailed);
    }

    private long jitterNs() {
        return random.nextInt(20) == 0 ? random.nextLong(200 * MS) : random.nextLong(5 * MS);
    }

    /** Feeds some packets. */
    void step() {
        int burst = 1 + random.nextInt(60);
        for (int i = 0; i < burst; i++) {
            media(random.nextInt(40) == 0, 160);
        }
        if (random.nextDouble() < 0.5) {
            event();
        }
    }

    private void event() {
        switch (random.nextInt(16)) {
            case 0 -> keyPress();
            case 1 -> silence();
            case 2 -> transitNs += 300 * MS;
            case 3 -> transitNs += (random.nextBoolean() ? 1500 : -1500) * MS;
            case 4 -> transitNs += 11_000 * MS;
            case 5 -> restart();
            case 6 -> number += random.nextInt(60); // an outage
            case 7 -> sentNs += random.nextLong(12_000 * MS); // with the clock standing
            case 8 -> far(random.nextInt(65_536));
            case 9 -> far(number - 200 - random.nextInt(5000));
            case 10 -> setCodec();
            case 11 -> streams.forEach(stream -> stream.tag(type, 10));
            case 12 -> keepAlives();
            case 13 -> type = random.nextBoolean() ? DYNAMIC + random.nextInt(12) : 0;
            case 14 -> timestamp += random.nextInt();
            default -> sentNs -= random.nextLong(300 * MS); // the clock of the capture is set back
        }
    }

    private void setCodec() {
        Codec codec = CODECS.get(random.nextInt(CODECS.size()));
        int of = DYNAMIC + random.nextInt(3);
        streams.forEach(stream -> stream.codec(of, codec));
    }

    private void media(boolean marker, int length) {
        number++;
        timestamp += stepTicks;
        sentNs += stepTicks * MS / 8;
        if (random.nextDouble() < loss) {
            return;
        }
        long arrivalNs = Math.max(lastNs - 50 * MS, sentNs + transitNs + jitterNs());
        if (random.nextDouble() < oddity) {
            packet(arrivalNs, number - random.nextInt(20), timestamp, type, false, length, count);
        }
        int octets = random.nextInt(6) == 0 ? 20 + random.nextInt(15) : length;
        packet(arrivalNs, number, timestamp, type, marker, octets, count);
        if (random.nextDouble() < oddity) {
            row(arrivalNs + random.nextLong(3 * MS), number, timestamp, type, marker, octets, count - 1, 77);
        }
        lastNs = Math.max(lastNs, arrivalNs);
    }

    private void packet(long arrivalNs, int number, int timestamp, int type, boolean marker, int length, int content) {
        row(arrivalNs, number, timestamp, type, marker, length, content, count & 0xffff);
        count++;
    }

    private void row(
            long arrivalNs, int number, int timestamp, int type, boolean marker, int length, int content, int id) {
        for (RtpStream stream : streams) {
            long head = content * 0x9e37_79b9_7f4a_7c15L;
            row.packet(stream, arrivalNs, number & 0xffff, timestamp & 0xffff_ffffL, type, marker, length, head, id);
        }
    }

    private void keyPress() {
        if (random.nextBoolean()) {
            streams.forEach(stream -> stream.codec(KEYS, new Codec("telephone-event", 8000)));
        }
        long key = random.nextInt(17);
        for (int i = 1; i <= 5; i++) {
            long end = i > 3 ? 0x80 : 0;
            long head = key << 56 | (end | 10) << 48 | 160L * Math.min(i, 4) << 32;
            number++;
            sentNs += 20 * MS;
            int length = random.nextInt(30) == 0 ? 3 : 4;
            for (RtpStream stream : streams) {
                row.packet(
                        stream,
                        sentNs + transitNs,
                        number & 0xffff,
                        timestamp & 0xffff_ffffL,
                        KEYS,
                        i == 1,
                        length,
                        head,
                        count & 0xffff);
            }
            count++;
        }
    }

    private void silence() {
        packet(sentNs + transitNs, ++number, timestamp += stepTicks, 13, false, 1, count);
        long pauseMs = 100L + random.nextInt(9000);
        sentNs += pauseMs * MS;
        timestamp += (int) (pauseMs * 8);
    }

    private void keepAlives() {
        for (int i = 0; i < 3; i++) {
            sentNs += 1200 * MS;
            timestamp += 9600;
            packet(sentNs + transitNs, ++number, timestamp, type, false, random.nextBoolean() ? 0 : 160, count);
        }
        packet(sentNs + transitNs, ++number, timestamp, KEYS, false, 2, count);
    }

    private void far(int elsewhere) {
        packet(sentNs + transitNs, elsewhere, timestamp, type, false, 160, count);
    }

    private void restart() {
        number += 5000 + random.nextInt(50_000);
        timestamp = random.nextInt();
        for (int i = 0; i < 3; i++) {
            media(false, 160);
        }
    }
}
