package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.offhook.cli.Offhook;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigTable;
import io.offhook.store.RetentionSettings;
import io.offhook.testkit.peers.Certificates;
import io.offhook.web.access.PasswordHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeConfigTest {
    private static final Path DOCUMENT = Path.of("../../docs/SERVE.md");
    private static final String BEGIN = "<!-- keys: written by ServeConfigTest from the schema -->\n";
    private static final String END = "<!-- end of keys -->";

    private static ServeConfig read(String text) {
        return ConfigReader.of(ServeConfig.SCHEMA).read(text, "serve.yaml");
    }

    @Test
    void listensOnLoopbackWithoutAudioUnlessToldOtherwise() {
        ServeConfig defaults = ServeConfig.defaults();
        assertThat(defaults.listen()).isNull();
        assertThat(defaults.isAudioAllowed()).isFalse();
        assertThat(defaults.passwords()).isEmpty();
        assertThat(defaults.tls()).isNull();
        assertThat(defaults.alerts().rules()).isEmpty();
    }

    @Test
    void readsEveryKey(@TempDir Path folder) throws IOException {
        Certificates.Pem pem = Certificates.selfSigned(folder, "page", "EC", "ip:127.0.0.1");
        ServeConfig config = read("""
                listen: 0.0.0.0:8443
                passwords: ["%s"]
                tls: {certificate: "%s", key: "%s"}
                allow-audio: true
                upload-limit: 10MiB
                analysis: {problems: {jitter: 50ms}}
                retention: {tables: 24h, keep: 90d, texts: 30d, size: 100GiB}
                alerts:
                  rules: [{name: bad, kind: bad-calls, raise: 20, to: [noc]}]
                  targets: {noc: {command: {run: [/bin/true]}}}
                """.formatted(PasswordHash.of("secret"), pem.certificate(), pem.key()));
        assertThat(config.listen()).isEqualTo("0.0.0.0:8443");
        assertThat(config.passwords()).hasSize(1);
        assertThat(config.tls()).isNotNull();
        assertThat(config.isAudioAllowed()).isTrue();
        assertThat(config.mostUploadBytes()).isEqualTo(10L << 20);
        assertThat(config.analysis().limits().jitterMs()).isEqualTo(50);
        assertThat(config.alerts().rules()).hasSize(1);
        assertThat(config.retention())
                .isEqualTo(new RetentionSettings(
                        Duration.ofHours(24), Duration.ofDays(90), Duration.ofDays(30), 100L << 30));
    }

    @Test
    void aSizeNeedsFilesThatCanBeDeleted() {
        assertThat(ServeConfig.defaults().retention().isNothing()).isTrue();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("retention: {size: 100GiB}"))
                .satisfies(thrown -> assertThat(thrown.faults().toString())
                        .contains("serve.yaml:1")
                        .contains("needs tables"));
    }

    @Test
    void reportsAllFaultsWithTheirLines() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("""
                        passwords: [plain]
                        tls: {certificate: none.pem, key: none.key}
                        port: 8080
                        """))
                .satisfies(thrown -> assertThat(thrown.faults())
                        .extracting(Object::toString)
                        .anyMatch(fault -> fault.contains("no hash of a password"))
                        .anyMatch(fault -> fault.contains("none.pem"))
                        .anyMatch(fault -> fault.contains("port") && fault.contains(":3")));
    }

    @Test
    void printsTheHashOfAPassword() {
        Offhook.Result result =
                new Offhook().input("secret\n".getBytes(StandardCharsets.UTF_8)).with("serve", "--hash-password");
        assertThat(result.code()).isZero();
        assertThat(PasswordHash.isHash(result.out().strip())).isTrue();
    }

    @Test
    void refusesToShowCallsToOthersWithoutAPassword() {
        Offhook.Result result = Offhook.run("serve", "../../samples/calls.pcap", "--listen", "0.0.0.0:0");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("needs a password", "--hash-password");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(Offhook.run("serve").err()).contains("FILE is missing", "-i NAME", "--db FILE");
        assertThat(Offhook.run("serve", "x.pcap", "--listen", "nowhere").err()).contains("ADDRESS:PORT");
    }

    @Test
    void theDocumentHasTheTableOfKeys() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        String expected = "\n" + ConfigTable.markdown(ServeConfig.SCHEMA) + "\n";
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + expected + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(expected);
    }
}
