package io.offhook.proxy.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.metrics.Metric;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Path DOCUMENT = Path.of("../../docs/PROXY-METRICS.md");
    private static final Pattern SAMPLE =
            Pattern.compile("(offhook_proxy_[a-z_]+)(\\{([a-z]+=\"([^\"\\\\\\n]|\\\\.)*\"(,|(?=})))+})? (-?[0-9.E-]+)");

    private final ProxyStatistics statistics = new ProxyStatistics(1, 64, InstantSource.system());

    @AfterEach
    void close() {
        statistics.close();
    }

    private String text() {
        LaneStatistics lane = statistics.lane(0);
        Endpoint hop = Endpoint.of("2001:db8::2", 5060);
        int row = lane.neighbours().row(hop.high(), hop.low(), hop.port(), 0);
        lane.message(row, MessageWay.SENT, SipMethod.INVITE, 0);
        lane.message(row, MessageWay.SENT_AGAIN, SipMethod.INVITE, 0);
        lane.message(row, MessageWay.RECEIVED, SipMethod.INVITE, 486);
        lane.neighbours().finalResponse(row, 3_000_000);
        lane.queueDelay(40_000);
        lane.queueDelay(700_000);
        lane.queueDelay(2_000_000);
        statistics.add(() -> List.of(new SocketFigure("udp \"odd\"\nlane 0", 1, 2, 3, 4, 5)));
        MemberFigure down = new MemberFigure("sip:192.0.2.140", 1, 0, "down", 0, new MemberFigure.Options(9, 3, 0));
        MemberFigure quiet = new MemberFigure("sip:192.0.2.141", 1, 0, "usable", 0, null);
        statistics.groups(() -> List.of(new GroupFigure("carrier", 4, 5, 6, List.of(down, quiet))));
        return Metrics.text(statistics);
    }

    @Test
    void writesWhatPrometheusReads() {
        String text = text();
        Set<String> declared = new HashSet<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                assertThat(declared.add(line.split(" ", -1)[2])).as(line).isTrue();
            } else if (!line.startsWith("# HELP ")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                String name = sample.group(1).replaceFirst("_(bucket|sum|count)$", "");
                assertThat(declared.contains(name) || declared.contains(sample.group(1)))
                        .as(line)
                        .isTrue();
            }
        }
        assertThat(declared).hasSize(ProxyMetric.values().length);
    }

    @Test
    void countsMessagesAndDelays() {
        assertThat(text())
                .contains("offhook_proxy_requests_total{direction=\"out\",method=\"INVITE\"} 1\n")
                .contains("offhook_proxy_responses_total{direction=\"in\",method=\"INVITE\",code=\"486\"} 1\n")
                .contains("offhook_proxy_retransmissions_total{direction=\"out\",method=\"INVITE\",code=\"0\"} 1\n")
                .contains("offhook_proxy_neighbour_messages_total{neighbour=\"[2001:db8::2]:5060\",direction=\"out\","
                        + "repeated=\"yes\"} 1\n")
                .contains("offhook_proxy_queue_delay_seconds_bucket{le=\"0.00005\"} 1\n")
                .contains("offhook_proxy_queue_delay_seconds_bucket{le=\"0.001\"} 2\n")
                .contains("offhook_proxy_queue_delay_seconds_bucket{le=\"0.0025\"} 3\n")
                .contains("offhook_proxy_queue_delay_seconds_bucket{le=\"+Inf\"} 3\n")
                .contains("offhook_proxy_queue_delay_seconds_count 3\n")
                .contains("offhook_proxy_hop_final_seconds_bucket{hop=\"[2001:db8::2]:5060\",le=\"0.005\"} 1\n")
                .contains("offhook_proxy_socket_drops_total{socket=\"udp \\\"odd\\\"\\nlane 0\"} 5\n");
    }

    @Test
    void hasTheStateOfEachMemberOfAGroup() {
        String down = "{group=\"carrier\",member=\"sip:192.0.2.140\",";
        assertThat(text())
                .contains("offhook_proxy_group_member_state" + down + "state=\"down\"} 1\n")
                .contains("offhook_proxy_group_member_state" + down + "state=\"usable\"} 0\n")
                .contains("offhook_proxy_group_member_state{group=\"carrier\",member=\"sip:192.0.2.141\","
                        + "state=\"usable\"} 1\n")
                .contains("offhook_proxy_group_options_total" + down + "event=\"failed\"} 3\n")
                .containsOnlyOnce("event=\"sent\"")
                .contains("offhook_proxy_group_events_total{group=\"carrier\",event=\"last-resort\"} 5\n");
    }

    @Test
    void namesHaveTheirUnits() {
        for (ProxyMetric metric : ProxyMetric.values()) {
            String name = metric.fullName();
            assertThat(name).matches("offhook_proxy_[a-z_]+");
            assertThat(name.endsWith("_total")).as(name).isEqualTo(metric.type() == Metric.Type.COUNTER);
            if (metric.type() == Metric.Type.HISTOGRAM) {
                assertThat(name).endsWith("_seconds");
            }
            assertThat(metric.help()).endsWith(".");
        }
    }

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void theDocumentListsAllMetrics() throws Exception {
        StringBuilder table = new StringBuilder("\n| metric | type | labels | |\n|---|---|---|---|\n");
        for (ProxyMetric metric : ProxyMetric.values()) {
            String labels = String.join("`, `", metric.labels());
            table.append("| `").append(metric.fullName()).append("` | ");
            table.append(metric.type().label()).append(" | ");
            table.append(labels.isEmpty() ? "" : "`" + labels + "`").append(" | ");
            table.append(metric.help()).append(" |\n");
        }
        table.append('\n');
        String begin = "<!-- made from the code by MetricsTest -->\n";
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(begin) + begin.length();
        int to = document.indexOf("<!-- end -->");
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + table + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(table.toString());
    }

    @Test
    void servesMetricsAndNothingElse() throws Exception {
        try (MetricsServer server =
                MetricsServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), statistics)) {
            HttpURLConnection found = get(server, "/metrics", "GET");
            assertThat(found.getResponseCode()).isEqualTo(200);
            assertThat(found.getContentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
            assertThat(new String(found.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("# HELP offhook_proxy_start_time_seconds ");
            assertThat(get(server, "/metrics", "HEAD").getResponseCode()).isEqualTo(200);
            assertThat(get(server, "/metrics/../etc", "GET").getResponseCode()).isEqualTo(404);
            assertThat(get(server, "/metricsx", "GET").getResponseCode()).isEqualTo(404);
            assertThat(get(server, "/", "GET").getResponseCode()).isEqualTo(404);
            assertThat(get(server, "/metrics", "DELETE").getResponseCode()).isEqualTo(405);
        }
    }

    private static HttpURLConnection get(MetricsServer server, String path, String method) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setReadTimeout(10_000);
        return connection;
    }

    @Test
    void readsItsConfiguration() {
        StatisticsConfig config = ConfigReader.of(StatisticsConfig.schema())
                .read("metrics: '[::1]:9060'\ncall-records: /var/log/calls.jsonl\n", "s.yaml");
        assertThat(config.metrics()).isEqualTo(Endpoint.of("::1", 9060));
        assertThat(config.callRecords()).isEqualTo("/var/log/calls.jsonl");
        assertThat(ConfigReader.of(StatisticsConfig.schema()).read("", "s.yaml"))
                .isEqualTo(new StatisticsConfig(null, null, 16_384, 1024, 64));
        for (String wrong : List.of("localhost:9060", "127.0.0.1", "127.0.0.1:70000", "'::1:9060'", ":9060")) {
            assertThatThrownBy(() -> ConfigReader.of(StatisticsConfig.schema()).read("metrics: " + wrong, "s.yaml"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("metrics");
        }
    }
}
