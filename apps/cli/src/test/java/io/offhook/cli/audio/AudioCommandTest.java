package io.offhook.cli.audio;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.audio.WavWriter;
import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.testkit.traffic.Security;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Csv;
import io.offhook.testkit.truth.Party;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook audio}: finds a call and writes its audio. */
class AudioCommandTest {
    @TempDir
    static Path folder;

    private static String capture;

    @BeforeAll
    static void writeCapture() {
        capture = Captures.write(
                new Traffic(3)
                        .call(call -> call.callId("lossy@office")
                                .codec(SentCodec.PCMA)
                                .media(Party.CALLER, shape -> shape.speech().loss(0.05))
                                .answered()
                                .talk(3000)
                                .hangUp(Party.CALLER))
                        .call(call ->
                                call.callId("g729@office").codec(SentCodec.G729).completed(Party.CALLER, 500))
                        .call(call -> call.callId("srtp@office")
                                .secured(Security.SDES)
                                .completed(Party.CALLER, 500))
                        .call(call ->
                                call.callId("busy@office").invite().trying().rejected(486, "Busy"))
                        .capture(),
                folder,
                "calls.pcap");
    }

    private static Offhook.Result audio(String id, Path target, String... options) {
        String[] args = new String[options.length + 6];
        System.arraycopy(new String[] {"audio", id, capture, "--allow-audio", "-o", target.toString()}, 0, args, 0, 6);
        System.arraycopy(options, 0, args, 6, options.length);
        return Offhook.run(args);
    }

    @Test
    void withoutPermissionItSaysWhyAndWritesNothing() {
        Path target = folder.resolve("forbidden.wav");
        Offhook.Result result = Offhook.run("audio", "lossy", capture, "-o", target.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("--allow-audio").contains("law");
        assertThat(target).doesNotExist();
    }

    /** The keys are in its SDP. What is opened is a quiet tone; noise, which it is without them, reaches full scale. */
    @Test
    void opensEncryptedStreamsWithTheKeysInTheirSdp() throws IOException {
        Path target = folder.resolve("sdes.wav");
        String encrypted = Path.of("../../voip/decrypt/src/test/resources/decrypt/sdes.pcap")
                .toString();
        Offhook.Result result = Offhook.run("audio", "1", encrypted, "--allow-audio", "-o", target.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("PCMU, ").contains(", played\n").doesNotContain("no key");
        ShortBuffer samples = ByteBuffer.wrap(Files.readAllBytes(target))
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(WavWriter.HEADER_BYTES)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asShortBuffer();
        int highest = 0;
        while (samples.hasRemaining()) {
            highest = Math.max(highest, Math.abs(samples.get()));
        }
        assertThat(highest).isBetween(10_000, 16_000);
    }

    @Test
    void writesBothSidesAndSaysWhatIsMissing() throws IOException {
        Path target = folder.resolve("call.wav");
        Offhook.Result result = audio("lossy", target);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(result.out())
                .containsPattern("call.wav: [0-9.]+ s at 8000 Hz, [0-9,]+ bytes\n")
                .containsPattern("Channel 1, caller: lost 0\\.[0-9]+ s, too late 0 s, not decodable 0 s, silent")
                .containsPattern("Channel 2, callee: lost 0 s")
                .contains("PCMA, ")
                .contains(", played\n");
        byte[] wav = Files.readAllBytes(target);
        assertThat(new String(wav, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("RIFF");
        assertThat(wav.length).isGreaterThan(3 * 8000 * 4);
    }

    @Test
    void jsonHasStreamsAndMarks() {
        Path target = folder.resolve("json.wav");
        Map<String, Object> audio = Json.asObject(
                Json.object(audio("lossy", target, "--format", "json").out()).get("audio"));
        assertThat(audio).containsEntry("callId", "lossy@office").containsEntry("file", target.toString());
        assertThat(audio.get("bytes")).isEqualTo(target.toFile().length());
        assertThat(Json.objects(audio.get("streams")))
                .hasSize(2)
                .allMatch(stream -> "played".equals(stream.get("state")));
        assertThat(Json.objects(audio.get("marks")))
                .anyMatch(mark -> "caller".equals(mark.get("side")) && "lost".equals(mark.get("kind")));
    }

    @Test
    void csvHasALineAMark() {
        List<List<String>> rows = Csv.parse(
                audio("lossy", folder.resolve("csv.wav"), "--format", "csv").out());
        assertThat(rows.getFirst()).isEqualTo(AudioFields.COLUMNS);
        assertThat(rows).hasSizeGreaterThan(5);
        assertThat(rows.subList(1, rows.size()))
                .allMatch(row -> Double.parseDouble(row.get(3)) > Double.parseDouble(row.get(2)));
    }

    @Test
    void aRangeIsOnlyThat() {
        Path target = folder.resolve("range.wav");
        assertThat(audio("lossy", target, "--range", "1-2.5").code()).isEqualTo(ExitCode.DONE);
        assertThat(target).hasSize(44 + 12_000 * 4);
        assertThat(audio("lossy", target, "--range", "1000-").err()).contains("begins behind the end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2-1", "x", "1", "-5", "1-2-3", "1e3-", "1-1"})
    void rangesThatAreNoneAreRefused(String range) {
        Offhook.Result result = audio("lossy", folder.resolve("never.wav"), "--range=" + range);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("--range " + range);
        assertThat(folder.resolve("never.wav")).doesNotExist();
    }

    @Test
    void aCallWithoutAudioThatCanBePlayedSaysWhy() {
        Path target = folder.resolve("nothing.wav");
        assertThat(audio("g729", target).err()).contains("G729: no decoder; nothing was written");
        String withoutKeys = Path.of("../../voip/decrypt/src/test/resources/decrypt/dtls.pcap")
                .toString();
        assertThat(Offhook.run("audio", "1", withoutKeys, "--allow-audio", "-o", target.toString())
                        .err())
                .contains("encrypted; no key; nothing was written");
        assertThat(audio("busy", target).err()).contains("it has no audio streams; nothing was written");
        assertThat(audio("busy", target).code()).isEqualTo(ExitCode.MISUSE);
        assertThat(target).doesNotExist();
    }

    /** What the generator calls SRTP is not encrypted with the keys in its SDP. */
    @Test
    void namesTheStreamsWhoseKeysAreWrongAndLeavesNoSilence() {
        Path target = folder.resolve("wrong.wav");
        Offhook.Result result = audio("srtp", target);
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(target).doesNotExist();
        assertThat(result.err()).contains("the keys for the SRTP stream", "are wrong");
        assertThat(result.out()).contains("the keys are wrong: they open none of its");
    }

    @Test
    void aTargetThatIsReadOrMissingIsRefused() {
        assertThat(audio("lossy", Path.of(capture)).err()).contains("is also read");
        assertThat(audio("lossy", folder).err()).contains("is a directory");
        assertThat(audio("lossy", folder.resolve("no/such.wav")).code()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(Offhook.run("audio", "lossy", capture, "--allow-audio").err())
                .contains("audio needs --output FILE");
    }
}
