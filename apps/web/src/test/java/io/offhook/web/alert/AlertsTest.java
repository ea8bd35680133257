package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.offhook.web.FixedData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertsTest {
    private static final long S = StoredSamples.S;
    private static final long NOW = 1_795_000_000L;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private HttpServer hook;
    private StoredSamples samples;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        samples = new StoredSamples(folder);
        hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        hook.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        hook.start();
    }

    @AfterEach
    void close() throws Exception {
        hook.stop(0);
        samples.close();
    }

    private static AlertRule rule(String name, AlertKind kind, double raise, String... to) {
        return new AlertRule(
                name,
                kind,
                new AlertRule.Window(60 * S, 3600 * S),
                new AlertRule.Limits(raise, raise, 1),
                0,
                60 * S,
                to.length == 0 ? List.of("hook") : List.of(to));
    }

    private Alerts alerts(FixedData data, int mostAnHour, AlertRule... rules) {
        URI uri = URI.create("http://127.0.0.1:" + hook.getAddress().getPort() + "/");
        AlertConfig config = new AlertConfig(
                List.of(rules), Map.of("hook", new TargetConfig.Webhook(uri, null, 10 * S)), mostAnHour);
        return Alerts.stopped(config, data, ns -> {});
    }

    private String next() throws InterruptedException {
        return String.valueOf(received.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void raisesAndClearsByWhatIsInTheDatabase() throws Exception {
        try (Alerts alerts = alerts(samples.data(), 10, rule("bad", AlertKind.BAD_CALLS, 50))) {
            alerts.evaluate(NOW * S);
            assertThat(alerts.current()).isEmpty();
            samples.call(NOW + 3, true, true);
            alerts.evaluate((NOW + 5) * S);
            assertThat(next())
                    .contains("\"state\":\"raised\"")
                    .contains("100 % of calls were bad in 60 s (raised at 50)");
            assertThat(alerts.current()).hasSize(1);
            assertThat(alerts.current().getFirst().sinceNs()).isEqualTo((NOW + 5) * S);
            assertThat(alerts.figures().rules()).containsExactly(new Alerts.RuleFigure("bad", true));
            samples.call(NOW + 6, true, false);
            samples.call(NOW + 7, true, false);
            alerts.evaluate((NOW + 10) * S);
            assertThat(next()).contains("\"state\":\"cleared\"").contains("33.3 % of calls");
            assertThat(alerts.current()).isEmpty();
        }
    }

    private static List<AlertRule> rulesOfAllKinds(String... to) {
        List<AlertRule> rules = new ArrayList<>();
        for (AlertKind kind : AlertKind.values()) {
            rules.add(rule(kind.label(), kind, kind == AlertKind.REGISTRATION_STORM ? 0.5 : 10, to));
        }
        return rules;
    }

    private void provokeAllKinds() throws Exception {
        for (int i = 0; i < 40; i++) {
            String phone = "203.0.113.9:" + (5000 + i);
            samples.request(NOW - 9, "REGISTER", phone, "192.0.2.1:5060", "u" + i, "c" + i);
            samples.response(NOW - 8, 403, "REGISTER", "192.0.2.1:5060", phone, "u" + i, "c" + i);
            samples.call(NOW - 7, false, true);
            samples.call(NOW - 70, true, false);
        }
        samples.drop(NOW - 1, "ringDrops", 10);
    }

    @Test
    void evaluatesEachKindOfRule() throws Exception {
        List<AlertRule> rules = rulesOfAllKinds("hook");
        provokeAllKinds();
        try (Alerts alerts = alerts(samples.data(), 100, rules.toArray(AlertRule[]::new))) {
            alerts.evaluate(NOW * S);
            assertThat(alerts.current()).extracting(Alert::kind).containsExactly(AlertKind.values());
            assertThat(alerts.current())
                    .extracting(Alert::text)
                    .anyMatch(text -> text.startsWith("203.0.113.9: 40 targets"))
                    .anyMatch(text -> text.contains("; mostly u"));
        }
    }

    @Test
    void sendsEachKindOfAlertToAWebhookACommandAndAMailbox(@TempDir Path folder) throws Exception {
        Path mark = folder.resolve("notices");
        Files.createFile(mark);
        Path script = folder.resolve("notify.sh");
        Files.writeString(script, "#!/bin/sh\ncat >> '" + mark + "'\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        provokeAllKinds();
        int kinds = AlertKind.values().length;
        URI uri = URI.create("http://127.0.0.1:" + hook.getAddress().getPort() + "/");
        try (SmtpServer server = new SmtpServer()) {
            TargetConfig.Mail.Server smtp = new TargetConfig.Mail.Server("127.0.0.1", server.port(), false, null, null);
            Map<String, TargetConfig> targets = Map.of(
                    "hook",
                    new TargetConfig.Webhook(uri, null, 10 * S),
                    "command",
                    new TargetConfig.Command(List.of(script.toString()), 60 * S),
                    "mail",
                    new TargetConfig.Mail(smtp, "offhook@example.com", List.of("noc@example.com")));
            AlertConfig config = new AlertConfig(rulesOfAllKinds("hook", "command", "mail"), targets, 100);
            try (Alerts alerts = Alerts.stopped(config, samples.data(), ns -> {})) {
                alerts.evaluate(NOW * S);
                assertThat(alerts.current()).hasSize(kinds);
                while (alerts.figures().targets().stream()
                        .anyMatch(target -> target.sent() + target.failed() < kinds)) {
                    Thread.onSpinWait();
                }
                assertThat(alerts.figures().targets()).allMatch(target -> target.sent() == kinds);
            }
            String commanded = Files.readString(mark);
            String posted = String.join("", received);
            for (AlertKind kind : AlertKind.values()) {
                String field = "\"kind\":\"" + kind.label() + "\"";
                assertThat(commanded).contains(field);
                assertThat(posted).contains(field);
                assertThat(server.mail).contains("Subject: Offhook: " + kind.label() + " raised");
            }
        }
    }

    @Test
    void holdsBackBeyondTheLimitOfAnHourAndSaysHowMany() throws Exception {
        try (Alerts alerts = alerts(
                samples.data(),
                1,
                rule("a", AlertKind.OWN_DROPS, 1),
                rule("b", AlertKind.OWN_DROPS, 1),
                rule("c", AlertKind.OWN_DROPS, 1))) {
            samples.drop(NOW - 1, "ringDrops", 5);
            alerts.evaluate(NOW * S);
            assertThat(next()).contains("\"name\":\"a\"").contains("\"suppressed\":0");
            assertThat(alerts.figures().suppressed()).isEqualTo(2);
            assertThat(alerts.current()).hasSize(3);
            alerts.evaluate((NOW + 3700) * S); // all are cleared, which is as many notices, of which one may pass
            assertThat(next()).contains("\"state\":\"cleared\"").contains("\"suppressed\":2");
            assertThat(alerts.figures().suppressed()).isEqualTo(4);
        }
    }

    @Test
    void countsWhatCannotBeEvaluatedAndKeepsWhatIsRaised() throws Exception {
        boolean[] isBroken = {false};
        FixedData data = new FixedData(() -> {
            if (isBroken[0]) {
                throw new java.sql.SQLException("gone");
            }
            return samples.data().connect();
        });
        try (Alerts alerts = alerts(data, 10, rule("a", AlertKind.OWN_DROPS, 1))) {
            samples.drop(NOW - 1, "ringDrops", 5);
            alerts.evaluate(NOW * S);
            List<Alert> before = alerts.current();
            assertThat(before).hasSize(1);
            try (java.sql.Statement statement = samples.connection().createStatement()) {
                statement.execute("ALTER TABLE drops RENAME TO elsewhere");
            }
            isBroken[0] = true;
            alerts.evaluate((NOW + 5) * S);
            alerts.evaluate((NOW + 10) * S);
            assertThat(alerts.figures().failures()).isEqualTo(2);
            assertThat(alerts.current()).isEqualTo(before);
        }
    }

    @Test
    void triesAgainWithLongerPausesAndThenCountsAFailure() throws Exception {
        BlockingQueue<Long> pauses = new LinkedBlockingQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        int[] attempts = {0};
        NoticeSender failing = notice -> {
            if (++attempts[0] == 6) {
                over.countDown(); // that of the second notice
                return;
            }
            throw new IOException("no");
        };
        try (TargetQueue queue = new TargetQueue("x", failing, pauses::add)) {
            queue.add(Notices.hostile());
            queue.add(Notices.hostile());
            assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(pauses).containsExactly(S, 2 * S, 4 * S, 8 * S);
            assertThat(queue.counts().failed()).isEqualTo(1);
            assertThat(queue.counts().lastFailure()).isEqualTo("no");
        }
    }

    @Test
    void dropsAndCountsWhatADeadTargetLeaves() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (TargetQueue queue = new TargetQueue(
                "x",
                notice -> {
                    isAsked.countDown();
                    never.await();
                },
                ns -> {})) {
            queue.add(Notices.hostile());
            assertThat(isAsked.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 150; i++) {
                queue.add(Notices.hostile());
            }
            assertThat(queue.counts().dropped()).isEqualTo(50);
        }
    }
}
