package io.offhook.testkit.traffic;

import java.util.Random;

/** Sound like speech: pulses of a gliding pitch, or breath, through three resonances that change with each syllable. */
final class Voice {
    private static final double DECAY = Math.exp(-Math.PI * 70 / 8000);

    private final Random random;
    private final double[] turn = new double[3];
    private final double[] last = new double[3];
    private final double[] before = new double[3];
    private double pitch;
    private double glide;
    private double phase;
    private boolean isVoiced;
    private int left;

    Voice(Random random) {
        this.random = random;
    }

    byte[] payload(SentCodec codec) {
        byte[] bytes = new byte[codec.payloadBytes()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Tones.encode(codec, (int) Math.round(next()));
        }
        return bytes;
    }

    private double next() {
        if (left-- == 0) {
            syllable();
        }
        pitch += glide;
        phase += pitch / 8000;
        double in = isVoiced ? phase >= 1 ? 4000 : 0 : random.nextGaussian() * 100;
        phase %= 1;
        double out = 0;
        for (int i = 0; i < turn.length; i++) {
            double now = in + turn[i] * last[i] - DECAY * DECAY * before[i];
            before[i] = last[i];
            last[i] = now;
            out += now / (i + 1);
        }
        return out;
    }

    private void syllable() {
        left = 400 + random.nextInt(2400);
        pitch = 80 + random.nextInt(220);
        glide = (random.nextDouble() - 0.5) * 40 / 8000;
        isVoiced = random.nextInt(4) > 0;
        int[] hertz = {250 + random.nextInt(700), 800 + random.nextInt(1600), 2200 + random.nextInt(1000)};
        for (int i = 0; i < turn.length; i++) {
            turn[i] = 2 * DECAY * Math.cos(2 * Math.PI * hertz[i] / 8000);
        }
    }
}
