package io.offhook.rtp.tones;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Audio that is put together from keys, pauses and speech: samples of 16 bits at 8000 Hz. */
final class Sound {
    static final double[] LOW = {697, 770, 852, 941};
    static final double[] HIGH = {1209, 1336, 1477, 1633};
    static final String KEYS = "123A456B789C*0#D";

    /** The peak of a sine of 0 dBm0 (ITU-T G.711, tables 1 and 2: 3.17 dB below the largest one). */
    private static final double ZERO = 32_124 * Math.pow(10, -3.17 / 20);

    private double[] samples = new double[1024];
    private int length;

    /** A key of -10 dBm0 for each tone. */
    Sound key(char key, double ms) {
        return key(key, ms, -10, -10, 0);
    }

    /** @param off of both frequencies, 0.01 for 1 % */
    Sound key(char key, double ms, double lowDbm0, double highDbm0, double off) {
        int at = KEYS.indexOf(key);
        double low = LOW[at / 4] * (1 + off);
        double high = HIGH[at % 4] * (1 + off);
        int count = (int) (ms * 8);
        for (int i = 0; i < count; i++) {
            add(level(lowDbm0) * Math.sin(2 * Math.PI * low * i / 8000 + at)
                    + level(highDbm0) * Math.sin(2 * Math.PI * high * i / 8000));
        }
        return this;
    }

    Sound pause(double ms) {
        for (int i = 0; i < ms * 8; i++) {
            add(0);
        }
        return this;
    }

    /** Vowels: a pulse of a gliding pitch through three resonances, with pauses and breath. */
    Sound speech(double seconds, Random random) {
        double phase = 0;
        int left = 0;
        double pitch = 0;
        double glide = 0;
        double[] hertz = new double[3];
        double[][] state = new double[3][2];
        boolean voiced = false;
        for (int i = 0; i < seconds * 8000; i++) {
            if (left-- == 0) {
                left = 400 + random.nextInt(2400);
                pitch = 80 + random.nextInt(220);
                glide = (random.nextDouble() - 0.5) * 40 / 8000;
                hertz = new double[] {250 + random.nextInt(700), 800 + random.nextInt(1600), 2200 + random.nextInt(1000)
                };
                voiced = random.nextInt(4) > 0;
            }
            pitch += glide;
            phase += pitch / 8000;
            double pulse = phase >= 1 ? 1 : 0;
            phase %= 1;
            double in = voiced ? pulse * 4000 : random.nextGaussian() * 100;
            double out = 0;
            for (int f = 0; f < 3; f++) {
                double r = Math.exp(-Math.PI * 70 / 8000);
                double next = in + 2 * r * Math.cos(2 * Math.PI * hertz[f] / 8000) * state[f][0] - r * r * state[f][1];
                state[f][1] = state[f][0];
                state[f][0] = next;
                out += next / (f + 1);
            }
            add(out);
        }
        return this;
    }

    private static double level(double dbm0) {
        return ZERO * Math.pow(10, dbm0 / 20);
    }

    private void add(double sample) {
        if (length == samples.length) {
            samples = Arrays.copyOf(samples, 2 * length);
        }
        samples[length++] = sample;
    }

    /** Adds noise of a level to all there is. */
    Sound noise(double dbm0, Random random) {
        double deviation = level(dbm0) / Math.sqrt(2);
        for (int i = 0; i < length; i++) {
            samples[i] += deviation * random.nextGaussian();
        }
        return this;
    }

    /** Encodes it by a law, with the octet that is nearest. */
    byte[] octets(G711 law) {
        byte[] octets = new byte[length];
        for (int i = 0; i < length; i++) {
            int best = 0;
            for (int octet = 1; octet < 256; octet++) {
                if (Math.abs(law.sample(octet) - samples[i]) < Math.abs(law.sample(best) - samples[i])) {
                    best = octet;
                }
            }
            octets[i] = (byte) best;
        }
        return octets;
    }

    /** The keys that a detector finds; each sample arrives at its time since 0. */
    List<ToneKey> keys() {
        List<ToneKey> found = new ArrayList<>();
        ToneDetector detector = new ToneDetector(found::add);
        for (int i = 0; i < length; i++) {
            detector.sample(Math.clamp(Math.round(samples[i]), -32_768, 32_767), i * 125_000L);
        }
        detector.end();
        return found;
    }

    static String text(List<ToneKey> keys) {
        StringBuilder text = new StringBuilder();
        keys.forEach(key -> text.append(key.key()));
        return text.toString();
    }

    String text() {
        return text(keys());
    }
}
