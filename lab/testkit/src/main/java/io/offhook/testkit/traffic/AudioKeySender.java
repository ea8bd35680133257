package io.offhook.testkit.traffic;

import java.util.Random;

/** Keys pressed in G.711 audio (ITU-T Q.23): 90 ms of two tones each, at no packet's edge, with pauses of 70 ms. */
final class AudioKeySender {
    private static final String KEYS = "123A456B789C*0#D";
    private static final double[] LOW = {697, 770, 852, 941};
    private static final double[] HIGH = {1209, 1336, 1477, 1633};
    private static final int LEAD = 56;
    private static final int TONE = 720;
    private static final int PERIOD = 1280;
    /** The peak of 0 dBm0: 3.17 dB below the largest sine (ITU-T G.711, tables 1 and 2). */
    private static final double ZERO_DBM0 = 32_124 * Math.pow(10, -0.1585);

    private final Random random;
    private final RtpShape shape;
    private String keys = "";
    private int position;
    private int number;
    private char key;

    AudioKeySender(Random random, RtpShape shape) {
        this.random = random;
        this.shape = shape;
    }

    void play(String added) {
        keys = keys.substring(Math.min(keys.length(), position / PERIOD)) + added;
        position = 0;
    }

    /** Milliseconds that so many keys take. */
    static long milliseconds(int count) {
        return (long) count * PERIOD / 8;
    }

    boolean isPlaying() {
        return position < keys.length() * PERIOD;
    }

    /** The key in the payload made last, 0 for none. */
    char key() {
        return key;
    }

    /** Which of all its keys it is, from 1. */
    int number() {
        return number;
    }

    byte[] payload(SentCodec codec) {
        byte[] bytes = new byte[codec.payloadBytes()];
        key = 0;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Tones.encode(codec, (int) Math.round(next()));
        }
        return bytes;
    }

    private double next() {
        double sample = level(shape.keyNoiseDbm0) / Math.sqrt(2) * random.nextGaussian();
        int within = position % PERIOD - LEAD;
        if (isPlaying() && within >= 0 && within < TONE) {
            key = keys.charAt(position / PERIOD);
            number += within == 0 ? 1 : 0;
            int at = KEYS.indexOf(key);
            double angle = 2 * Math.PI * within / 8000 * (1 + shape.keyOffPercent / 100);
            sample += level(shape.keyLowDbm0) * Math.sin(angle * LOW[at / 4])
                    + level(shape.keyHighDbm0) * Math.sin(angle * HIGH[at % 4]);
        }
        position++;
        return sample;
    }

    private static double level(double dbm0) {
        return ZERO_DBM0 * Math.pow(10, dbm0 / 20);
    }
}
