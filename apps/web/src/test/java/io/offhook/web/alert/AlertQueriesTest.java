package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertQueriesTest {
    private static final long S = StoredSamples.S;
    private static final long NOW = 1_795_000_000L;
    private static final String REGISTRAR = "192.0.2.1:5060";

    private StoredSamples samples;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        samples = new StoredSamples(folder);
    }

    @AfterEach
    void close() throws Exception {
        samples.close();
    }

    private AlertQueries.Measured measure(AlertKind kind) throws SQLException {
        AlertRule rule = new AlertRule(
                "r", kind, new AlertRule.Window(60 * S, 600 * S), new AlertRule.Limits(1, 1, 1), 0, 60 * S, List.of());
        return AlertQueries.measure(samples.connection(), rule, NOW * S);
    }

    @Test
    void measuresNothingInAnEmptyDatabase() throws Exception {
        for (AlertKind kind : AlertKind.values()) {
            AlertQueries.Measured measured = measure(kind);
            assertThat(measured.sample()).as(kind.label()).isZero();
            assertThat(Double.isNaN(measured.value()) || measured.value() == 0).isTrue();
        }
    }

    @Test
    void measuresTheShareOfBadCallsThatEndedInTheWindow() throws Exception {
        samples.call(NOW - 61, true, true);
        samples.call(NOW, true, true);
        samples.call(NOW - 60, true, true);
        samples.call(NOW - 30, true, false);
        samples.call(NOW - 30, false, false);
        assertThat(measure(AlertKind.BAD_CALLS).sample()).isEqualTo(3);
        assertThat(measure(AlertKind.BAD_CALLS).value()).isCloseTo(100.0 / 3, within(1e-9));
    }

    @Test
    void measuresTheAnswerSeizureRatio() throws Exception {
        for (int i = 0; i < 8; i++) {
            samples.call(NOW - 10, i < 2, false);
        }
        assertThat(measure(AlertKind.LOW_ASR).value()).isEqualTo(25);
        assertThat(measure(AlertKind.LOW_ASR).sample()).isEqualTo(8);
    }

    @Test
    void measuresByHowMuchTheAnswerSeizureRatioFell() throws Exception {
        for (int i = 0; i < 20; i++) {
            samples.call(NOW - 70 - i, i < 15, false); // 75 % in the ten minutes before
            samples.call(NOW - 10, i < 5, false); // 25 % in the last one
            samples.call(NOW - 700, false, false); // too old to be compared with
        }
        samples.call(NOW - 20, false, false);
        AlertQueries.Measured measured = measure(AlertKind.ASR_DROP);
        assertThat(measured.value()).isCloseTo(75 - 100 * 5 / 21.0, within(1e-9));
        assertThat(measured.sample()).isEqualTo(20);
    }

    @Test
    void measuresNoDropWithoutCallsToCompareWith() throws Exception {
        samples.call(NOW - 10, false, false);
        assertThat(measure(AlertKind.ASR_DROP).value()).isNaN();
        assertThat(measure(AlertKind.ASR_DROP).sample()).isZero();
    }

    @Test
    void measuresRegistersASecond() throws Exception {
        for (int i = 0; i < 120; i++) {
            samples.request(NOW - 1 - i % 60, "REGISTER", "198.51.100.7:" + i, REGISTRAR, "alice", "r" + i);
        }
        samples.request(NOW - 61, "REGISTER", "198.51.100.7:5060", REGISTRAR, "alice", "old");
        samples.request(NOW - 5, "INVITE", "198.51.100.7:5060", REGISTRAR, "alice", "call");
        assertThat(measure(AlertKind.REGISTRATION_STORM).value()).isEqualTo(2);
    }

    @Test
    void findsTheSourceThatAsksManyTargetsAndReachesNone() throws Exception {
        for (int i = 0; i < 50; i++) {
            samples.request(NOW - 20, "OPTIONS", "203.0.113.9:5071", "192.0.2." + i + ":5060", "100", "scan" + i);
            // the proxy forwards what it gets
            samples.request(NOW - 19, "OPTIONS", "192.0.2.1:5060", "192.0.2." + i + ":5060", "100", "scan" + i);
        }
        for (int i = 0; i < 200; i++) { // a trunk with many calls, of which half are answered
            samples.request(NOW - 20, "INVITE", "198.51.100.2:5060", REGISTRAR, "u" + i, "trunk" + i);
            samples.response(
                    NOW - 19, i % 2 == 0 ? 200 : 404, "INVITE", REGISTRAR, "198.51.100.2:5060", "u" + i, "trunk" + i);
        }
        AlertQueries.Measured measured = measure(AlertKind.SCANNER);
        assertThat(measured.source()).isEqualTo("203.0.113.9");
        assertThat(measured.value()).isEqualTo(50);
    }

    @Test
    void countsRefusalsOfAScannerThatAsksOneTarget() throws Exception {
        for (int i = 0; i < 30; i++) {
            samples.request(NOW - 20, "INVITE", "[2001:db8::9]:5071", REGISTRAR, "100", "scan" + i);
            samples.response(NOW - 20, 404, "INVITE", REGISTRAR, "[2001:db8::9]:5071", "100", "scan" + i);
        }
        AlertQueries.Measured measured = measure(AlertKind.SCANNER);
        assertThat(measured.source()).isEqualTo("[2001:db8::9]");
        assertThat(measured.value()).isEqualTo(30);
    }

    @Test
    void findsTheSourceThatTriesPasswords() throws Exception {
        for (int i = 0; i < 40; i++) {
            String attacker = "203.0.113.9:" + (5000 + i);
            samples.response(NOW - 20, 401, "REGISTER", REGISTRAR, attacker, "al'ice", "b" + i);
            samples.response(NOW - 19, 403, "REGISTER", REGISTRAR, attacker, "al'ice", "b" + i);
        }
        for (int i = 0; i < 500; i++) { // phones behind one address, challenged and then registered
            samples.response(NOW - 20, 401, "REGISTER", REGISTRAR, "198.51.100.7:" + (1024 + i), "p" + i, "p" + i);
            samples.response(NOW - 19, 200, "REGISTER", REGISTRAR, "198.51.100.7:" + (1024 + i), "p" + i, "p" + i);
        }
        AlertQueries.Measured measured = measure(AlertKind.BRUTE_FORCE);
        assertThat(measured.source()).isEqualTo("203.0.113.9");
        assertThat(measured.value()).isEqualTo(80);
        assertThat(measured.detail()).isEqualTo("al'ice");
    }

    @Test
    void addsUpOwnDrops() throws Exception {
        samples.drop(NOW - 10, "kernelDrops", 70);
        samples.drop(NOW - 10, "ringDrops", 100);
        samples.drop(NOW - 5, "kernelDrops", 130);
        samples.drop(NOW - 100, "kernelDrops", 5000);
        AlertQueries.Measured measured = measure(AlertKind.OWN_DROPS);
        assertThat(measured.value()).isEqualTo(300);
        assertThat(measured.detail()).isEqualTo("kernelDrops");
    }
}
