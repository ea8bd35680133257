package io.offhook.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigReader;
import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.log.ProxyLog.CategoryLevel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProxyLogTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MovableClock clock = new MovableClock();

    private ProxyLog log(LogConfig config) {
        return new ProxyLog(config, LineOutput.of(out), clock);
    }

    private String written(ProxyLog log) {
        log.start();
        log.close();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesWhatIsOnAndNothingElse() {
        ProxyLog log = log(LogConfig.of(LogLevel.WARNING));
        Log sip = log.of(LogCategory.SIP);
        sip.error("e");
        sip.warning("w");
        sip.info("i");
        sip.debug("d");
        log.level(LogCategory.SIP, LogLevel.TRACE);
        sip.trace("t");
        log.of(LogCategory.DNS).info("other category");
        log.level(LogCategory.SIP, LogLevel.OFF);
        sip.error("off");
        assertThat(written(log)).isEqualTo("""
                2027-01-15T08:00:00.000Z error sip e
                2027-01-15T08:00:00.000Z warning sip w
                2027-01-15T08:00:00.000Z trace sip t
                """);
    }

    @Test
    void returnsByItselfWhenTheTimeOfALevelIsOver() throws Exception {
        ProxyLog log = log(LogConfig.of(LogLevel.INFO));
        Log sip = log.of(LogCategory.SIP);
        log.level(LogCategory.SIP, LogLevel.DEBUG, 600);
        clock.forward(599_001);
        assertThat(sip.isDebug()).isTrue();
        assertThat(log.levels())
                .contains(new CategoryLevel(LogCategory.SIP, LogLevel.DEBUG, LogLevel.INFO, 1))
                .contains(new CategoryLevel(LogCategory.DNS, LogLevel.INFO, LogLevel.INFO, 0));
        clock.forward(999);
        log.start();
        while (sip.isDebug()) {
            Thread.onSpinWait(); // the writer looks at the clock about 50 times a second
        }
        assertThat(sip.level()).isEqualTo(LogLevel.INFO);
        log.close();
    }

    @Test
    void aReloadChangesWhatALevelReturnsToAndNotWhatIsSetForATime() throws Exception {
        ProxyLog log = log(LogConfig.of(LogLevel.INFO));
        log.level(LogCategory.SIP, LogLevel.DEBUG, 10);
        log.levels(LogConfig.of(LogLevel.ERROR));
        assertThat(log.of(LogCategory.SIP).level()).isEqualTo(LogLevel.DEBUG);
        assertThat(log.of(LogCategory.DNS).level()).isEqualTo(LogLevel.ERROR);
        clock.forward(10_000);
        log.start();
        while (log.of(LogCategory.SIP).isWarning()) {
            Thread.onSpinWait();
        }
        assertThat(log.of(LogCategory.SIP).level()).isEqualTo(LogLevel.ERROR);
        log.close();
    }

    @Test
    void setForGoodEndsWhatIsSetForATime() throws Exception {
        ProxyLog log = log(LogConfig.of(LogLevel.INFO));
        log.level(LogCategory.SIP, LogLevel.DEBUG, 10);
        log.level(LogCategory.SIP, LogLevel.TRACE);
        clock.forward(20_000);
        log.start();
        log.of(LogCategory.DNS).info("seen by the writer");
        while (log.written() == 0) {
            Thread.onSpinWait();
        }
        assertThat(log.of(LogCategory.SIP).level()).isEqualTo(LogLevel.TRACE);
        log.close();
    }

    @Test
    void refusesATimeOutOfRange() {
        ProxyLog log = log(LogConfig.of(LogLevel.INFO));
        for (long seconds : new long[] {0, -1, ProxyLog.MOST_SECONDS + 1}) {
            assertThatThrownBy(() -> log.level(LogCategory.SIP, LogLevel.DEBUG, seconds))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void acceptsOnlySoManyMessagesASecondAndReportsTheRest() {
        ProxyLog log = log(new LogConfig(null, LogFormat.TEXT, LogLevel.INFO, Map.of(), 64, 3));
        for (int i = 0; i < 10; i++) {
            log.of(LogCategory.LIMIT).warning("flood " + i);
        }
        assertThat(log.dropped()).isEqualTo(7);
        clock.forward(1000);
        log.of(LogCategory.LIMIT).warning("next second");
        assertThat(written(log))
                .contains("flood 2\n")
                .doesNotContain("flood 3")
                .contains("next second\n")
                .contains("7 log messages were dropped: more than 3 a second, or more than 64 waiting");
    }

    @Test
    void nothingFromTheNetworkSteersATerminalOrForgesALine() {
        ProxyLog text = log(LogConfig.of(LogLevel.INFO));
        text.of(LogCategory.SIP)
                .write(LogLevel.WARNING, "bad \u001b[2J\n2027 error sip forged", "INVITE\r\nX: \u001b]0;t\u0007\r\n");
        assertThat(written(text)).isEqualTo("""
                2027-01-15T08:00:00.000Z warning sip bad \\x1b[2J\\n2027 error sip forged
                    INVITE
                    X: \\x1b]0;t\\x07
                """);
        out.reset();
        ProxyLog json = log(new LogConfig(null, LogFormat.JSON, LogLevel.INFO, Map.of(), 64, 100));
        json.of(LogCategory.SIP).write(LogLevel.WARNING, "bad \u001b[2J\n", "a\r\n\u0007");
        assertThat(written(json)).isEqualTo("""
                {"time":"2027-01-15T08:00:00.000Z","level":"warning","category":"sip","text":"bad \\u001b[2J\\n",\
                "detail":"a\\r\\n\\u0007"}
                """);
    }

    @Test
    void readsItsConfiguration() throws Exception {
        LogConfig config = ConfigReader.of(LogConfig.schema()).read("""
                file: /var/log/offhook.log
                format: json
                level: warning
                levels:
                  sip: debug
                  dns: off
                """, "log.yaml");
        assertThat(config.file()).isEqualTo("/var/log/offhook.log");
        assertThat(config.format()).isEqualTo(LogFormat.JSON);
        assertThat(config.level(LogCategory.SIP)).isEqualTo(LogLevel.DEBUG);
        assertThat(config.level(LogCategory.DNS)).isEqualTo(LogLevel.OFF);
        assertThat(config.level(LogCategory.ROUTING)).isEqualTo(LogLevel.WARNING);
        LogConfig empty = ConfigReader.of(LogConfig.schema()).read("", "log.yaml");
        assertThat(empty).isEqualTo(LogConfig.of(LogLevel.INFO));
    }
}
