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
                  codecs:
                    - {codec: opus, scale: fullband, ie: 100, bpl: 12, source: lab}
                problems:
                  loss: {note: 0.5, service: 2}
                  lowMos: {wideband: 3.2, time-percent: 50}
                  jitter: 50ms
                  slowSetUp: {service: 6s}
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
                .containsExactly(new QualitySettings.CodecValues("opus", MosScale.FULLBAND, 100, 12, "lab"));
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

    /** A key that the schema has and JSON does not show would be forgotten. */
    @Test
    void showsEveryKeyThatIsNotTheDefault() throws IOException {
        Path file = Files.writeString(folder.resolve("all.yaml"), """
                jitter-buffer: fixed:70
                quality:
                  concealment: false
                  listening: monotic
                  estimates: false
                  codecs: [{codec: PCMU, scale: narrowband, ie: 1, source: lab}]
                problems:
                  loss: {note: 2, service: 4}
                  late: {note: 2, service: 4}
                  lowMos: {narrowband: 3, wideband: 3, fullband: 3, time-percent: 30}
                  jitter: 40ms
                  slowSetUp: {note: 6s, service: 11s}
                  slowAck: 3s
                  retransmissions: 4
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
