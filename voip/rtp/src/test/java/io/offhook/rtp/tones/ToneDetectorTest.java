package io.offhook.rtp.tones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ToneDetectorTest {
    private static final String ALL = Sound.KEYS;

    /** All keys, with a pause that differs so that blocks lie differently on each. */
    private static Sound all(double ms, double low, double high, double off) {
        Sound sound = new Sound().pause(33);
        for (int i = 0; i < ALL.length(); i++) {
            sound.key(ALL.charAt(i), ms, low, high, off).pause(40 + i * 0.9);
        }
        return sound;
    }

    @Test
    void findsAllKeysOf40Milliseconds() {
        assertThat(all(40, -10, -10, 0).text()).isEqualTo(ALL);
    }

    @Test
    void findsKeysAtEachPositionOfBlocks() {
        for (int i = 0; i < 102; i++) {
            Sound sound = new Sound()
                    .pause(50 + i / 8.0)
                    .key('7', 40)
                    .pause(40)
                    .key('7', 40)
                    .pause(40);
            assertThat(sound.text()).as("offset %d", i).isEqualTo("77");
        }
    }

    @Test
    void acceptsFrequenciesOffBy1Point8Percent() {
        assertThat(all(45, -10, -10, 0.018).text()).isEqualTo(ALL);
        assertThat(all(45, -10, -10, -0.018).text()).isEqualTo(ALL);
    }

    @Test
    void refusesFrequenciesOffBy3Point5Percent() {
        assertThat(all(200, -10, -10, 0.035).text()).isEmpty();
        assertThat(all(200, -10, -10, -0.035).text()).isEmpty();
    }

    @Test
    void acceptsTheTwistOfQ24AndRefusesMore() {
        assertThat(all(45, -14, -10, 0).text()).isEqualTo(ALL);
        assertThat(all(45, -6, -14, 0).text()).isEqualTo(ALL);
        assertThat(all(200, -17, -10, 0).text()).isEmpty();
        assertThat(all(200, -6, -17, 0).text()).isEmpty();
    }

    @Test
    void acceptsLevelsFrom0ToMinus25Dbm0() {
        assertThat(all(45, -3.5, -3.5, 0).text()).isEqualTo(ALL);
        assertThat(all(45, -25, -25, 0).text()).isEqualTo(ALL);
        assertThat(all(200, -45, -45, 0).text()).isEmpty();
    }

    @Test
    void hearsTonesThatAreClippedAt0Dbm0() {
        assertThat(all(50, 0, 0, 0).text()).isEqualTo(ALL);
    }

    @Test
    void hearsKeysInNoise15DbBelow() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(all(50, -12, -12, 0.012).noise(-27, new Random(seed)).text())
                    .as("seed %d", seed)
                    .isEqualTo(ALL);
        }
    }

    @Test
    void refusesSignalsOf23MillisecondsAtEachPositionOfBlocks() {
        for (int i = 0; i < 51; i++) {
            Sound sound = new Sound().pause(50 + i / 8.0);
            ALL.chars().forEach(key -> sound.key((char) key, 23).pause(60));
            assertThat(sound.text()).as("offset %d", i).isEmpty();
        }
    }

    @Test
    void anInterruptionOf10MillisecondsIsNoneAtEachPositionOfBlocks() {
        for (int i = 0; i < 51; i++) {
            Sound sound = new Sound().pause(50 + i / 8.0);
            ALL.chars()
                    .forEach(key -> sound.key((char) key, 60)
                            .pause(10)
                            .key((char) key, 60)
                            .pause(60));
            assertThat(sound.text()).as("offset %d", i).isEqualTo(ALL);
        }
    }

    @Test
    void keysWithoutAPauseAreTwo() {
        assertThat(new Sound().key('1', 80).key('9', 80).pause(50).text()).isEqualTo("19");
    }

    @Test
    void reportsWhenAKeyBeganAndHowLongItLasted() {
        List<ToneKey> keys =
                new Sound().pause(500).key('4', 120).pause(80).key('#', 70).keys();
        assertThat(keys).hasSize(2);
        assertThat(keys.getFirst().atNs() / 1e6).isCloseTo(500, within(13.0));
        assertThat(keys.getFirst().durationMs()).isCloseTo(120, within(20));
        assertThat(keys.getLast().atNs() / 1e6).isCloseTo(700, within(13.0));
        assertThat(keys.getLast().durationMs()).isCloseTo(70, within(20));
    }

    @Test
    void oneToneIsNoKey() {
        assertThat(new Sound().key('5', 300, -10, -60, 0).text()).isEmpty();
        assertThat(new Sound().key('5', 300, -60, -10, 0).text()).isEmpty();
    }

    @Test
    void tonesWithAsMuchNoiseAreNoKey() {
        assertThat(all(200, -12, -12, 0).noise(-9, new Random(1)).text()).isEmpty();
    }

    @Test
    void speechIsNoKey() {
        for (int seed = 0; seed < 30; seed++) {
            assertThat(new Sound().speech(60, new Random(seed)).text())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void noiseIsNoKey() {
        assertThat(new Sound().pause(120_000).noise(-10, new Random(3)).text()).isEmpty();
    }

    @Test
    void aKeyGoesOnOverAShortHoleAndEndsInALongOne() {
        assertThat(withHole(160)).hasSize(1);
        assertThat(withHole(480)).hasSize(2);
    }

    private static List<ToneKey> withHole(int count) {
        List<ToneKey> found = new ArrayList<>();
        ToneDetector detector = new ToneDetector(found::add);
        byte[] octets = new Sound().key('8', 200).octets(G711.PCMA);
        for (int i = 0; i < octets.length; i++) {
            if (i == 640) {
                detector.hole(count, i);
                i += count;
            }
            detector.sample(G711.PCMA.sample(octets[i] & 0xff), i);
        }
        detector.end();
        return found;
    }
}
