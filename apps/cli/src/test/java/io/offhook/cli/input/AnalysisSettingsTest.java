package io.offhook.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTable;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.QualitySettings;
import io.offhook.rtp.quality.QualitySettings.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnalysisSettingsTest {
    private static final Path DOCUMENT = Path.of("../../docs/SETTINGS.md");
    private static final String BEGIN = "<!-- keys: written by AnalysisSettingsTest from the schema -->\n";
    private static final String END = "<!-- end of keys -->";
    private static final Path SAMPLE = Path.of("../../samples/lossy.pcap");

    @TempDir
    private Path folder;

    private static AnalysisSettings read(String text) {
        return ConfigReader.of(AnalysisSettings.SCHEMA).read(text, "settings.yaml");
    }

    /** Without a file, and with an empty one, the same limits hold. */
    @Test
    void haveTheDefaultsOfTheAnalysis() {
        AnalysisSettings empty = read("");
        assertThat(empty.in(AnalysisOptions.defaults())).isEqualTo(AnalysisOptions.defaults());
        assertThat(empty.limits()).isEqualTo(ProblemLimits.DEFAULT);
    }

    @Test
    void readsEveryKind() {
        AnalysisSettings settings = read("""
                jitter-buffer: adaptive:40-200
                quality:
                  concealment: false
                  listening: monotic
                  estimates: false
                  unverified: true
                  codecs:
                    - {codec: opus, scale: fullband, ie: 100, bpl: 12, source: lab}
                    - {codec: AMR-WB, mode: 3, scale: wideband, ie: 16, source: lab}
                    - {codec: G722, kbps: 48, scale: wideband, ie: 30, source: lab}
                problems:
                  loss: {note: 0.5, service: 2}
                  lowMos: {wideband: 3.2, time-percent: 50}
                  jitter: 50ms
                  slowSetUp: {service: 6s}
                  relayLoss: {percent: 5}
                  noAudio: 4s
                  audioStopped: 10s
                join: {headers: [X-Our-Leg], groups: ["X-Our-Trace;id"]}
                """);
        assertThat(settings.in(AnalysisOptions.defaults()).joins().callIdHeaders())
                .contains("X-CID", "X-Our-Leg");
        assertThat(settings.in(AnalysisOptions.defaults()).joins().groupHeaders())
                .endsWith("X-Our-Trace;id");
        assertThat(settings.buffer()).isEqualTo(JitterBuffer.adaptive(40, 200));
        assertThat(settings.quality().listening()).isEqualTo(QualitySettings.Listening.MONOTIC);
        assertThat(settings.quality().codecs())
                .containsExactly(
                        new QualitySettings.CodecValues("opus", MosScale.FULLBAND, 100, 12, "lab"),
                        new QualitySettings.CodecValues(
                                "AMR-WB", new Rate(3, Double.NaN), MosScale.WIDEBAND, 16, Double.NaN, "lab"),
                        new QualitySettings.CodecValues(
                                "G722", new Rate(-1, 48), MosScale.WIDEBAND, 30, Double.NaN, "lab"));
        assertThat(settings.quality().unverified()).isTrue();
        assertThat(settings.limits().relay()).isEqualTo(new ProblemLimits.Relay(5, 10));
        assertThat(settings.limits().audio().dueSeconds()).isEqualTo(4);
        assertThat(settings.limits().lossPercent()).isEqualTo(new ProblemLimits.Limit(0.5, 2));
        assertThat(settings.limits().mos()).isEqualTo(new ProblemLimits.LowMos(3.6, 3.2, 3.6, 50));
        assertThat(settings.limits().jitterMs()).isEqualTo(50);
        assertThat(settings.limits().signalling().setUpSeconds()).isEqualTo(new ProblemLimits.Limit(5, 6));
        assertThat(settings.limits().audio().stoppedSeconds()).isEqualTo(10);
    }

    @Test
    void reportsEachFaultInItsLine() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), """
                jitter-bufer: off
                quality:
                  codecs:
                    - {codec: PCMU, scale: narrowband, ie: 100, source: lab}
                problems:
                  loss: {note: 5, service: 1}
                  audioGap: {note: 1s}
                """);
        Offhook.Result result = new Offhook().with("calls", "--config", file.toString(), SAMPLE.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().replace(file.toString(), "bad.yaml")).isEqualTo("""
                offhook: bad.yaml:1:1: jitter-bufer: "jitter-bufer" is not known; did you mean "jitter-buffer"?
                offhook: bad.yaml:4:44: quality.codecs[0].ie: is not below 95, where nothing can be understood on this scale
                offhook: bad.yaml:6:28: problems.loss.service: is less than the limit of a note
                offhook: bad.yaml:7:20: problems.audioGap.note: 1s is outside 2s to 1h
                """);
    }

    /** Values that could never be used are a mistake. */
    @Test
    void reportsModesAndRatesThatACodecDoesNotHave() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), """
                quality:
                  unverified: perhaps
                  codecs:
                    - {codec: AMR-WB, mode: 9, scale: wideband, ie: 10, source: lab}
                    - {codec: amr, kbps: 12.65, scale: narrowband, ie: 10, source: lab}
                    - {codec: PCMU, mode: 0, scale: narrowband, ie: 10, source: lab}
                    - {codec: opus, kbps: 32, scale: fullband, ie: 10, source: lab}
                    - {codec: G723, mode: 0, kbps: 6.3, scale: narrowband, ie: 10, source: lab}
                    - {codec: G722, mode: x, scale: wideband, ie: 10}
                problems:
                  relayLoss: {percent: 200, packets: 0}
                  noAudio: 2
                """);
        Offhook.Result result = new Offhook().with("calls", "--config", file.toString(), SAMPLE.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err().replace(file.toString(), "bad.yaml")).isEqualTo("""
                offhook: bad.yaml:2:15: quality.unverified: "perhaps" is neither true nor false
                offhook: bad.yaml:4:29: quality.codecs[0].mode: is not a mode of AMR-WB, which has 0 to 8
                offhook: bad.yaml:5:26: quality.codecs[1].kbps: is not a bit rate of amr, which has 4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2
                offhook: bad.yaml:6:27: quality.codecs[2].mode: is not possible: the packets of PCMU do not show a mode
                offhook: bad.yaml:7:27: quality.codecs[3].kbps: is not possible: the bit rate of opus is not known, or always the same
                offhook: bad.yaml:8:36: quality.codecs[4].kbps: is given besides mode; one of them is enough
                offhook: bad.yaml:9:7: quality.codecs[5].source: is missing; it is: text
                offhook: bad.yaml:9:27: quality.codecs[5].mode: "x" is not a whole number
                offhook: bad.yaml:11:24: problems.relayLoss.percent: 200 is outside 0 to 101
                offhook: bad.yaml:11:38: problems.relayLoss.packets: 0 is outside 1 to 1000000
                offhook: bad.yaml:12:12: problems.noAudio: "2" is not a number with a unit, such as 10ms
                """);
    }

    @Test
    void reportsAFileThatIsMissing() {
        Offhook.Result result = new Offhook().with("calls", "--config", "none.yaml", SAMPLE.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("offhook: none.yaml: there is no such file\n");
    }

    /** The option of the command line comes last, and JSON shows what is not the default. */
    @Test
    void showsWhatIsNotTheDefault() throws IOException {
        Path file = Files.writeString(
                folder.resolve("s.yaml"), "jitter-buffer: fixed:60\nproblems: {retransmissions: 99}\n");
        String plain = new Offhook()
                .with("calls", "--format", "json", SAMPLE.toString())
                .out();
        assertThat(plain).contains("\"settings\":{}");
        String set = new Offhook()
                .with(
                        "calls",
                        "--format",
                        "json",
                        "--config",
                        file.toString(),
                        "--jitter-buffer",
                        "off",
                        SAMPLE.toString())
                .out();
        assertThat(set).contains("\"settings\":{\"jitter-buffer\":\"off\",\"problems.retransmissions\":\"99\"}");
    }

    @Test
    void ratesByTheValuesOfTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("q.yaml"), """
                quality:
                  codecs:
                    - {codec: pcma, scale: narrowband, ie: 40, bpl: 10, source: lab}
                    - {codec: pcmu, scale: narrowband, ie: 40, bpl: 10, source: lab}
                """);
        assertThat(new Offhook()
                        .with("streams", "--format", "json", "--config", file.toString(), SAMPLE.toString())
                        .out())
                .contains("\"basis\":\"configured\"", "\"note\":\"given by configuration: lab\"")
                .doesNotContain("\"basis\":\"itu\"");
    }

    /** A key that the schema has and JSON does not show would be forgotten. */
    @Test
    void showsEveryKeyThatIsNotTheDefault() throws IOException {
        Path file = Files.writeString(folder.resolve("all.yaml"), """
                jitter-buffer: fixed:70
                quality:
                  concealment: false
                  listening: monotic
                  estimates: false
                  unverified: true
                  codecs: [{codec: PCMU, scale: narrowband, ie: 1, source: lab}]
                problems:
                  loss: {note: 2, service: 4}
                  late: {note: 2, service: 4}
                  lowMos: {narrowband: 3, wideband: 3, fullband: 3, time-percent: 30}
                  jitter: 40ms
                  slowSetUp: {note: 6s, service: 11s}
                  slowAck: 3s
                  retransmissions: 4
                  relayLoss: {percent: 2, packets: 20}
                  noAudio: 3s
                  audioStartedLate: {note: 3s, service: 4s}
                  audioGap: {note: 3s, service: 6s}
                  audioStopped: 6s
                join: {headers: [X-One], groups: [X-Two]}
                """);
        String json = new Offhook()
                .with("calls", "--format", "json", "--config", file.toString(), SAMPLE.toString())
                .out();
        Map<String, Object> shown =
                Json.asObject(Json.asObject(Json.object(json).get("capture")).get("settings"));
        assertThat(shown.keySet()).containsExactlyInAnyOrderElementsOf(keys(AnalysisSettings.SCHEMA, ""));
    }

    private static List<String> keys(ConfigSchema<?> schema, String path) {
        List<String> keys = new ArrayList<>();
        for (ConfigKey<?> key : schema.keys()) {
            if (key.type() instanceof ConfigSchema<?> section) {
                keys.addAll(keys(section, path + key.name() + "."));
            } else {
                keys.add(path + key.name() + (key.name().equals("codecs") ? ".PCMU" : ""));
            }
        }
        return keys;
    }

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void theDocumentHasTheTableOfKeys() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        String expected = "\n" + ConfigTable.markdown(AnalysisSettings.SCHEMA) + "\n";
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + expected + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(expected);
    }

    @Test
    void samplesOfTheDocumentAreRight() throws IOException {
        Matcher sample = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(DOCUMENT));
        assertThat(sample.find()).isTrue();
        assertThat(read(sample.group(1)).limits()).isNotEqualTo(ProblemLimits.DEFAULT);
    }
}
