package io.offhook.analysis.audio;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.CallReport.KeyPress;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.tones.ToneKey;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.RtpShape;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Security;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.StreamTruth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AudioListenerTest {
    @TempDir
    private Path folder;

    private AnalysisResult listen(Traffic traffic) throws IOException {
        String file = traffic.capture().writeTo(folder.resolve("audio.pcap")).toString();
        AnalysisResult result;
        try (PacketSource source = open(file)) {
            result = Analysis.run(source, AnalysisOptions.defaults().withRtpHeuristic(true));
        }
        try (PacketSource source = open(file)) {
            AudioListener listener = AudioListener.listen(result, source);
            assertThat(listener.defect()).isNull();
            return listener.in(result);
        }
    }

    private static PacketSource open(String file) {
        return CaptureFiles.open(List.of(file), new ByteArrayInputStream(new byte[0]));
    }

    private static List<StreamReport> streams(AnalysisResult result) {
        List<StreamReport> all = new ArrayList<>(result.streams());
        result.calls().forEach(call -> all.addAll(call.streams()));
        return all;
    }

    private StreamReport fromCaller(Consumer<CallPlan> plan) throws IOException {
        CallReport call = listen(new Traffic(5).call(plan)).calls().getFirst();
        return call.streams().stream()
                .filter(stream -> stream.from() == Side.CALLER)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dtmf-in-audio", "dtmf-in-poor-audio", "dtmf", "silence-suppressed", "payload-type-change"})
    void hearsTheKeysThatWereSentAndNoOthers(String scenario) throws IOException {
        for (int seed = 1; seed <= 5; seed++) {
            Traffic traffic = new Traffic(seed);
            Objects.requireNonNull(Scenarios.all().get(scenario)).accept(traffic);
            List<StreamReport> found = streams(listen(traffic));
            List<StreamTruth> sent = traffic.capture().truth().streams();
            assertThat(sent).isNotEmpty();
            for (StreamTruth want : sent) {
                assertThat(found)
                        .as("seed %d, from %s", seed, want.from())
                        .filteredOn(stream -> stream.ssrc() == want.ssrc()
                                && stream.source().equals(want.source())
                                && stream.destination().equals(want.destination()))
                        .extracting(StreamReport::audioDigits)
                        .containsExactly(want.audioDigits());
            }
        }
    }

    @Test
    void aCallHasTheKeysOfAllMeansByTime() throws IOException {
        CallReport call = listen(new Traffic(5)
                        .call(plan -> plan.answered()
                                .talk(500)
                                .keyByInfo(Party.CALLEE, '5', 160)
                                .dtmf("42")
                                .talk(500)
                                .dtmfInAudio(Party.CALLER, "1#")
                                .endedBy(Party.CALLER, 500)))
                .calls()
                .getFirst();
        assertThat(call.keys())
                .extracting(key -> key.means() + " " + key.by() + " " + key.key())
                .containsExactly(
                        "INFO CALLEE 5", "EVENT CALLER 4", "EVENT CALLER 2", "AUDIO CALLER 1", "AUDIO CALLER #");
        assertThat(call.keys()).extracting(KeyPress::atNs).isSorted();
        assertThat(call.keys()).allMatch(key -> key.durationMs() >= 75 && key.durationMs() <= 200);
    }

    @Test
    void keysThatARelayPassesOnAreThereOnce() throws IOException {
        CallReport call = listen(new Traffic(5)
                        .call(plan -> plan.proxies(1)
                                .relayed()
                                .answered()
                                .dtmf("44")
                                .dtmfInAudio(Party.CALLER, "11")
                                .dtmfInAudio(Party.CALLEE, "1")
                                .endedBy(Party.CALLER, 500)))
                .calls()
                .getFirst();
        assertThat(call.streams()).hasSize(4);
        assertThat(call.keys())
                .extracting(key -> key.means() + " " + key.by() + " " + key.key())
                .containsExactly(
                        "EVENT CALLER 4", "EVENT CALLER 4", "AUDIO CALLER 1", "AUDIO CALLER 1", "AUDIO CALLEE 1");
    }

    @Test
    void reportsWhenThePacketOfAKeyArrived() throws IOException {
        StreamReport stream = fromCaller(call ->
                call.answered().talk(1000).dtmfInAudio(Party.CALLER, "12").endedBy(Party.CALLER, 500));
        List<ToneKey> keys = Objects.requireNonNull(stream.audioKeys()).keys();
        assertThat(keys).extracting(ToneKey::key).containsExactly('1', '2');
        long apartMs = (keys.getLast().atNs() - keys.getFirst().atNs()) / 1_000_000;
        assertThat(apartMs).isBetween(139L, 181L); // 160 ms, to a packet
        assertThat(keys).allMatch(key -> key.durationMs() >= 75 && key.durationMs() <= 110);
    }

    @Test
    void keepsTheFirst256KeysAndCountsTheOthers() throws IOException {
        StreamReport stream = fromCaller(call ->
                call.answered().dtmfInAudio(Party.CALLER, "5".repeat(260)).endedBy(Party.CALLER, 500));
        assertThat(stream.audioDigits()).isEqualTo("5".repeat(256));
        assertThat(Objects.requireNonNull(stream.audioKeys()).dropped()).isEqualTo(4);
    }

    @Test
    void cannotHearOtherCodecs() throws IOException {
        assertThat(fromCaller(call -> call.codec(SentCodec.G729).completed(Party.CALLER, 1500))
                        .audioDigits())
                .isNull();
    }

    @Test
    void cannotHearEncryptedAudio() throws IOException {
        assertThat(fromCaller(call -> call.secured(Security.SDES).completed(Party.CALLER, 1500))
                        .audioDigits())
                .isNull();
    }

    @Test
    void speechForMinutesIsNoKey() throws IOException {
        for (StreamReport stream : streams(listen(new Traffic(11)
                .call(call -> call.media(Party.CALLER, RtpShape::speech)
                        .media(Party.CALLEE, RtpShape::speech)
                        .completed(Party.CALLER, 300_000))))) {
            assertThat(stream.audioDigits()).isEmpty();
        }
    }
}
