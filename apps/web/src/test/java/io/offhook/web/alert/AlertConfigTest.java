package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertConfigTest {
    private static AlertConfig read(String yaml) {
        return ConfigReader.of(AlertConfig.schema()).read(yaml, "serve.yaml");
    }

    @Test
    void readsRulesAndTargets() {
        AlertConfig config = read("""
            rules:
            - name: bad calls
              kind: bad-calls
              window: 5m
              raise: 20
              clear: 10
              minimum: 30
              for: 30s
              repeat: 2h
              to: [noc, pager, mail]
            - {name: scan, kind: scanner, raise: 100, to: [noc]}
            targets:
              noc: {webhook: {url: 'https://hooks.example.com/x', token: abc}}
              pager: {command: {run: [/usr/local/bin/page, --now]}}
              mail: {mail: {host: smtp.example.com, user: u, password: p, from: a@example.com, to: [b@example.com]}}
            """);
        AlertRule bad = config.rules().getFirst();
        assertThat(bad.kind()).isEqualTo(AlertKind.BAD_CALLS);
        assertThat(bad.limits()).isEqualTo(new AlertRule.Limits(20, 10, 30));
        assertThat(bad.window().ns()).isEqualTo(300_000_000_000L);
        assertThat(bad.repeatNs()).isEqualTo(7200_000_000_000L);
        assertThat(config.rules().get(1).limits().clear()).isEqualTo(100);
        assertThat(config.mostAnHour()).isEqualTo(60);
        assertThat(config.targets())
                .containsEntry(
                        "noc",
                        new TargetConfig.Webhook(URI.create("https://hooks.example.com/x"), "abc", 10_000_000_000L))
                .containsEntry(
                        "pager", new TargetConfig.Command(List.of("/usr/local/bin/page", "--now"), 30_000_000_000L))
                .containsEntry(
                        "mail",
                        new TargetConfig.Mail(
                                new TargetConfig.Mail.Server("smtp.example.com", 587, true, "u", "p"),
                                "a@example.com",
                                List.of("b@example.com")));
        assertThat(read("")).isEqualTo(new AlertConfig(List.of(), java.util.Map.of(), 60));
    }

    @Test
    void reportsWhatDoesNotFit() {
        assertThatThrownBy(() -> read("""
            rules:
            - {name: a, kind: bad-calls, raise: 20, clear: 30, to: [nobody]}
            - {name: a, kind: low-asr, raise: 40, clear: 30}
            targets:
              x: {webhook: {url: 'file:///etc/passwd'}}
              y: {mail: {host: h, from: "a@example.com\\r\\nBcc: b@example.com", to: []}}
              z: {command: {run: []}}
            """))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most raise")
                .hasMessageContaining("at least raise")
                .hasMessageContaining("is no URL")
                .hasMessageContaining("is no address");
        assertThatThrownBy(() -> read("rules: [{name: a, kind: scanner, raise: 1, to: [nobody]}]"))
                .hasMessageContaining("nobody");
    }
}
