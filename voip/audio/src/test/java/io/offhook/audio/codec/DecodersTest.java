package io.offhook.audio.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.Codec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecodersTest {
    private static final Codec OPUS = new Codec("opus", 48_000, 2);

    static Stream<Codec> codecs() {
        return Stream.concat(
                Stream.of("PCMU", "PCMA", "G722", "GSM", "G726-16", "G726-24", "G726-32", "G726-40", "AAL2-G726-24")
                        .map(name -> new Codec(name, 8000)),
                Stream.of(OPUS, new Codec("L16", 44_100, 2)));
    }

    private static AudioDecoder decoder(Codec codec) {
        return Objects.requireNonNull(Decoders.of(codec));
    }

    /** Each hash is of the samples that the reference decoder made of the same octets ({@link ReferenceDecodersTest}). */
    @ParameterizedTest
    @CsvSource({
        "G722, 8000, 1, d79cb789b91dc0ab",
        "GSM, 8000, 1, ce67d22e34f4fb53",
        "G726-16, 8000, 1, e46e44059224574c",
        "G726-24, 8000, 1, db5a9622ae7dae8a",
        "G726-32, 8000, 1, 263f499a883b66d0",
        "G726-40, 8000, 1, 865733280fcb3e51",
        "AAL2-G726-16, 8000, 1, e46e44059224574c",
        "AAL2-G726-24, 8000, 1, db5a9622ae7dae8a",
        "AAL2-G726-32, 8000, 1, 263f499a883b66d0",
        "AAL2-G726-40, 8000, 1, 865733280fcb3e51",
        "opus, 48000, 1, 026c48ae4eb362d1",
        "opus, 48000, 2, 2872c383f9823055"
    })
    void samplesAreThoseOfTheReference(String name, int clock, int channels, String hash) {
        Codec codec = new Codec(name, clock, channels);
        assertThat(Speech.hash(Speech.decoded(codec, Speech.payloads(codec)))).isEqualTo(hash);
    }

    @Test
    void g711AndLinearSamplesAreThoseOfTheOctets() {
        short[] to = new short[48_000];
        assertThat(decoder(new Codec("PCMU", 8000)).decode(new byte[] {0, (byte) 0xff, (byte) 0x80}, 3, to))
                .isEqualTo(3);
        assertThat(Arrays.copyOf(to, 3)).containsExactly((short) -32_124, (short) 0, (short) 32_124);
        assertThat(decoder(new Codec("PCMA", 8000)).decode(new byte[] {(byte) 0xd5, 0x2a}, 2, to))
                .isEqualTo(2);
        assertThat(Arrays.copyOf(to, 2)).containsExactly((short) 8, (short) -32_256);
        byte[] stereo = {0x10, 0, 0x20, 2, (byte) 0x80, 0, (byte) 0x80, 0, 1};
        assertThat(decoder(new Codec("L16", 44_100, 2)).decode(stereo, stereo.length, to))
                .isEqualTo(2);
        assertThat(Arrays.copyOf(to, 2)).containsExactly((short) 0x1801, Short.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"G729", "G723", "AMR", "AMR-WB", "iLBC", "speex", "G728", "EVS", "telephone-event", "CN"})
    void otherCodecsHaveNone(String name) {
        assertThat(Decoders.of(new Codec(name, 8000))).isNull();
        assertThat(Decoders.rate(new Codec(name, 8000))).isZero();
    }

    @Test
    void clocksAndChannelsThatTheCodecDoesNotHaveHaveNone() {
        assertThat(Decoders.of(new Codec("PCMU", 8000, 2))).isNull();
        assertThat(Decoders.of(new Codec("G722", 16_000))).isNull();
        assertThat(Decoders.of(new Codec("opus", 8000))).isNull();
        assertThat(Decoders.of(new Codec("L16", 1_000_000))).isNull();
        assertThat(Decoders.of(new Codec("L16", 48_000, 200))).isNull();
        assertThat(Decoders.of(new Codec("L16", 0))).isNull();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void ratesAreThoseOfTheDecoders(Codec codec) {
        assertThat(Decoders.rate(codec)).isEqualTo(decoder(codec).rate());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyLengthOfAPayloadDecodesToWhatIsWhole(Codec codec) {
        boolean isStored = !codec.key().startsWith("PCM") && !codec.key().equals("L16");
        byte[] payload = isStored ? Speech.payloads(codec).get(20) : new byte[160];
        short[] to = new short[48_000];
        for (int length = 0; length <= payload.length; length++) {
            byte[] cut = Arrays.copyOf(payload, length);
            int samples = decoder(codec).decode(cut, length, to);
            if (!codec.equals(OPUS)) {
                int whole = decoder(codec).decode(payload, length, to);
                assertThat(samples).as("length %d", length).isEqualTo(whole).isBetween(0, 8 * length);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void anyOctetsDecodeWithinTheLimit(Codec codec) {
        Random random = new Random(3);
        AudioDecoder decoder = decoder(codec);
        short[] to = new short[decoder.rate() * AudioDecoder.MOST_MS / 1000];
        for (int i = 0; i < 400; i++) {
            byte[] octets = new byte[i % 50 == 49 ? 65_000 : random.nextInt(200)];
            random.nextBytes(octets);
            assertThat(decoder.decode(octets, octets.length, to)).isBetween(0, to.length);
            int gap = random.nextInt(to.length);
            assertThat(decoder.conceal(octets, octets.length, gap, to)).isBetween(0, gap);
        }
    }

    @Test
    void opusGoesOnAfterAPacketThatIsBroken() {
        AudioDecoder decoder = decoder(OPUS);
        short[] to = new short[48_000];
        List<byte[]> payloads = Speech.payloads(OPUS);
        Random random = new Random(9);
        for (byte[] payload : payloads) {
            byte[] broken = payload.clone();
            for (int flips = 0; flips < 8; flips++) {
                broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThat(decoder.decode(broken, broken.length, to)).isBetween(0, 5760);
            assertThat(decoder.decode(payload, payload.length, to)).isEqualTo(960);
        }
    }

    @Test
    void opusFillsAShortGapAndTheBeginningOfALongOne() {
        AudioDecoder decoder = decoder(OPUS);
        short[] to = new short[48_000];
        List<byte[]> payloads = Speech.payloads(OPUS);
        for (byte[] payload : payloads.subList(0, 20)) {
            decoder.decode(payload, payload.length, to);
        }
        byte[] next = payloads.get(21);
        assertThat(decoder.conceal(next, next.length, 960, to)).isEqualTo(960);
        assertThat(peak(to, 960)).isGreaterThan(500);
        assertThat(decoder.conceal(next, next.length, 48_000, to)).isEqualTo(5760);
        assertThat(decoder.conceal(null, 0, 1000, to)).isEqualTo(960);
        assertThat(decoder.conceal(null, 0, 100, to)).isZero();
    }

    private static int peak(short[] samples, int count) {
        int peak = 0;
        for (int i = 0; i < count; i++) {
            peak = Math.max(peak, Math.abs(samples[i]));
        }
        return peak;
    }

    @Test
    void aGsmFrameWithoutItsSignatureIsSilent() {
        Codec gsm = new Codec("GSM", 8000);
        byte[] payload = Speech.payloads(gsm).get(20);
        payload[0] &= 0x0f;
        short[] to = new short[8000];
        assertThat(decoder(gsm).decode(payload, payload.length, to)).isEqualTo(160);
        assertThat(peak(to, 160)).isZero();
    }

    @Test
    void theOrderOfBitsIsAllThatDiffersInTheTwoPackingsOfG726() {
        byte[] lowFirst = Speech.payloads(new Codec("G726-24", 8000)).get(7);
        byte[] highFirst = Speech.packedHighFirst(lowFirst, 3);
        assertThat(highFirst).isNotEqualTo(lowFirst);
        assertThat(Speech.decoded(new Codec("AAL2-G726-24", 8000), List.of(highFirst)))
                .isEqualTo(Speech.decoded(new Codec("G726-24", 8000), List.of(lowFirst)));
    }
}
