package io.offhook.audio.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.rtp.Codec;
import io.offhook.testkit.peers.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Our samples against those of reference decoders: spandsp for G.722 and G.726, whose authors tested it with the vectors of
 * the ITU-T, libgsm by sox, libopus by opusdec.
 */
class ReferenceDecodersTest {
    /** Six seconds of a voice-like tone with breath. */
    private static final String[] SOUND = {
        "-n",
        "-r",
        "RATE",
        "-c",
        "1",
        "-b",
        "16",
        "sound.wav",
        "synth",
        "6",
        "sawtooth",
        "110:210",
        "synth",
        "6",
        "sine",
        "amod",
        "3",
        "vol",
        "0.5"
    };

    private static final String SPANDSP = """
            #include <stdint.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <spandsp.h>
            static uint8_t octets[1 << 20];
            static int16_t samples[1 << 21];
            int main(int count, char **args) {
                int bits = atoi(args[2]), packing = atoi(args[3]), n;
                if (args[1][0] == 'e') {
                    n = fread(samples, 2, 1 << 20, stdin);
                    n = bits == 8 ? g722_encode(g722_encode_init(NULL, 64000, 0), octets, samples, n)
                            : g726_encode(g726_init(NULL, bits * 8000, G726_ENCODING_LINEAR, packing), octets, samples, n);
                    fwrite(octets, 1, n, stdout);
                } else {
                    n = fread(octets, 1, 1 << 20, stdin);
                    n = bits == 8 ? g722_decode(g722_decode_init(NULL, 64000, 0), samples, octets, n)
                            : g726_decode(g726_init(NULL, bits * 8000, G726_ENCODING_LINEAR, packing), samples, octets, n);
                    fwrite(samples, 2, n, stdout);
                }
                return 0;
            }
            """;

    @TempDir
    private Path folder;

    private Path sound(int rate) throws IOException {
        assumeTrue(!Program.isMissing("sox", "--version"), "no sox is here");
        Path wav = folder.resolve("sound.wav");
        List<String> command = new ArrayList<>(List.of("sox"));
        for (String word : SOUND) {
            command.add(
                    word.equals("RATE") ? Integer.toString(rate) : word.equals("sound.wav") ? wav.toString() : word);
        }
        Program.run(command.toArray(String[]::new));
        return wav;
    }

    private byte[] raw(Path sound) throws IOException {
        Path raw = folder.resolve("raw");
        Program.run("sox", sound.toString(), "-t", "raw", "-e", "signed", "-b", "16", raw.toString());
        return Files.readAllBytes(raw);
    }

    private byte[] spandsp(byte[] in, String... args) throws IOException {
        Path from = Files.write(folder.resolve("in"), in);
        Path to = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("spandsp").toString(), args[0], args[1], args[2]);
        Process process = builder.redirectInput(from.toFile())
                .redirectOutput(to.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return Files.readAllBytes(to);
    }

    private void compileSpandsp() throws IOException {
        assumeTrue(!Program.isMissing("cc", "--version"), "no C compiler is here");
        Path source = Files.writeString(folder.resolve("spandsp.c"), "#include <spandsp.h>\n");
        assumeTrue(isCompiled("-fsyntax-only", source.toString()), "no libspandsp-dev is here");
        Files.writeString(source, SPANDSP);
        Program.run("cc", "-o", folder.resolve("spandsp").toString(), source.toString(), "-lspandsp");
    }

    private static boolean isCompiled(String... args) {
        List<String> command = new ArrayList<>(List.of("cc"));
        command.addAll(List.of(args));
        try {
            Program.run(command.toArray(String[]::new));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "G722, 8, 0, 16000",
        "G726-16, 2, 2, 8000",
        "G726-24, 3, 2, 8000",
        "G726-32, 4, 2, 8000",
        "G726-40, 5, 2, 8000",
        "AAL2-G726-16, 2, 1, 8000",
        "AAL2-G726-24, 3, 1, 8000",
        "AAL2-G726-32, 4, 1, 8000",
        "AAL2-G726-40, 5, 1, 8000"
    })
    void adaptiveCodesDecodeAsBySpandsp(String name, String bits, String packing, int rate) throws IOException {
        compileSpandsp();
        Codec codec = new Codec(name, 8000);
        byte[] octets = spandsp(raw(sound(rate)), "encode", bits, packing);
        short[] theirs = Speech.samples(spandsp(octets, "decode", bits, packing));
        assertThat(theirs).hasSizeGreaterThan(40_000);
        assertThat(Speech.decoded(codec, packets(octets, 780))).isEqualTo(theirs);
        List<byte[]> kept = Speech.payloads(codec);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        kept.forEach(joined::writeBytes);
        assertThat(Speech.decoded(codec, kept))
                .isEqualTo(Speech.samples(spandsp(joined.toByteArray(), "decode", bits, packing)));
    }

    /** 780 octets are whole samples of all of them. */
    private static List<byte[]> packets(byte[] octets, int size) {
        List<byte[]> packets = new ArrayList<>();
        for (int at = 0; at < octets.length; at += size) {
            packets.add(Arrays.copyOfRange(octets, at, Math.min(octets.length, at + size)));
        }
        return packets;
    }

    @Test
    void gsmDecodesAsByLibgsm() throws IOException {
        Path sound = sound(8000);
        Path gsm = folder.resolve("sound.gsm");
        Program.run("sox", sound.toString(), gsm.toString());
        assertThat(Speech.decoded(new Codec("GSM", 8000), packets(Files.readAllBytes(gsm), 33)))
                .isEqualTo(Speech.samples(raw(gsm)));
        Path kept = Files.write(folder.resolve("kept.gsm"), Speech.file("speech.gsm"));
        assertThat(Speech.decoded(new Codec("GSM", 8000), Speech.payloads(new Codec("GSM", 8000))))
                .isEqualTo(Speech.samples(raw(kept)));
    }

    /** Concentus calculates in integers, opusdec in floating point: 40 dB between the two is what is left. */
    @ParameterizedTest
    @CsvSource({"speech.opus, 1", "stereo.opus, 2"})
    void opusDecodesAsByLibopus(String file, int channels) throws IOException {
        assumeTrue(!Program.isMissing("opusdec", "--version"), "no opusdec is here");
        Path opus = Files.write(folder.resolve("kept.opus"), Speech.file(file));
        Path to = folder.resolve("opus.raw");
        Program.run("opusdec", "--quiet", "--rate", "48000", opus.toString(), to.toString());
        short[] theirs = Speech.samples(Files.readAllBytes(to));
        Codec codec = new Codec("opus", 48_000, channels);
        short[] ours = Speech.decoded(codec, Speech.payloads(codec));
        int skipped =
                ours.length - theirs.length / channels; // what the encoder looked ahead, and the end of the last packet
        assertThat(skipped).isBetween(300, 2000);
        double signal = 0;
        double best = Double.MAX_VALUE;
        for (int shift = 300; shift < 400; shift++) {
            double error = 0;
            signal = 0;
            for (int i = 0; i < theirs.length / channels - 2000; i++) {
                double sample = 0;
                for (int channel = 0; channel < channels; channel++) {
                    sample += theirs[i * channels + channel] / (double) channels;
                }
                signal += sample * sample;
                error += (sample - ours[i + shift]) * (sample - ours[i + shift]);
            }
            best = Math.min(best, error);
        }
        assertThat(10 * Math.log10(signal / best)).isGreaterThan(40);
    }
}
