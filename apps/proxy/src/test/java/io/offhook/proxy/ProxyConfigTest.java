package io.offhook.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigTable;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.limit.Rates;
import io.offhook.proxy.log.LogLevel;
import io.offhook.sip.SipTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that are read, the faults reported in others, what a reload can take over, and the document. */
@Timeout(60)
class ProxyConfigTest {
    private static final Path DOCUMENT = Path.of("../../docs/PROXY.md");
    private static final Path SAMPLES = Path.of("../../samples");
    private static final String BEGIN = "<!-- made from the description by ProxyConfigTest -->\n";
    private static final String END = "<!-- end -->";
    private static final String ONE = "listeners: [{name: a, address: 127.0.0.1}]\n";

    private static ProxyConfig read(String text) {
        return ProxyConfig.reader().read(text, "p.yaml");
    }

    private static List<String> faults(String text) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(e).isNotNull();
        return e.faults().stream().map(ConfigFault::toString).toList();
    }

    /** With {@code -Doffhook.write=true}, it is written. */
    @Test
    void theDocumentHasTheTableOfKeys() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        String expected = "\n" + ConfigTable.markdown(ProxyConfig.schema()) + "\n";
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + expected + document.substring(to));
            return;
        }
        assertThat(document.substring(from, to)).isEqualTo(expected);
    }

    @Test
    void samplesOfTheDocumentAreRight() throws IOException {
        Matcher sample = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(DOCUMENT));
        int samples = 0;
        while (sample.find()) {
            samples++;
            String text = sample.group(1);
            read(text.contains("listeners:") ? text : ONE + text);
        }
        assertThat(samples).isGreaterThanOrEqualTo(6);
    }

    @Test
    void theRelayOfTheMeasurementsIsWhatItSays() {
        ProxyConfig relay = ProxyConfig.readerForThisMachine().read(SAMPLES.resolve("proxy-relay.yaml"));
        assertThat(relay.listeners()).singleElement().satisfies(listener -> {
            assertThat(listener.transport()).isEqualTo(SipTransport.UDP);
            assertThat(listener.address()).hasToString("127.0.0.1");
            assertThat(listener.port()).isEqualTo(5070);
            assertThat(listener.isLoopback()).isTrue();
        });
        assertThat(relay.lanes()).isEqualTo(2);
        assertThat(relay.sip().recordsRoute()).isTrue();
        assertThat(relay.sip().maxForwards()).isEqualTo(70);
        assertThat(relay.routing().relay().allow()).singleElement().hasToString("127.0.0.0/8");
        assertThat(relay.operation().log().level()).isEqualTo(LogLevel.OFF);
        assertThat(relay.limits().source()).isEqualTo(Rates.UNLIMITED);
    }

    @Test
    void theSampleOfACompanyIsRight() {
        ProxyConfig company = ProxyConfig.reader().read(SAMPLES.resolve("proxy.yaml"));
        assertThat(company.listeners()).extracting(ListenerConfig::port).containsExactly(5060, 5060, 5061, 5060);
        assertThat(company.routing().rules()).hasSize(7);
        assertThat(company.limits().user().concurrentCalls()).isEqualTo(5);
    }

    @Test
    void withoutAFileItServesLoopbackOnly() {
        ProxyConfig defaults = ProxyConfig.defaults();
        assertThat(defaults.isOpen()).isTrue();
        assertThat(defaults.listeners())
                .allMatch(ListenerConfig::isLoopback)
                .allMatch(listener -> listener.port() == 5060)
                .extracting(ListenerConfig::transport)
                .containsExactly(SipTransport.UDP, SipTransport.TCP);
        assertThat(defaults.lanes()).isZero();
        assertThat(defaults.sip().timers().t1Ms()).isEqualTo(500);
        assertThat(defaults.sip().timers().cMs()).isGreaterThan(180_000);
        assertThat(defaults.defence().overload().isEnabled()).isTrue();
        assertThat(defaults.ban().isEnabled()).isTrue();
        assertThat(defaults.operation().log().level()).isEqualTo(LogLevel.INFO);
    }

    @Test
    void reportsAllThatMakesNoSense() {
        assertThat(faults("""
                listeners:
                  - {name: a, address: 127.0.0.1}
                  - {name: a, transport: tls, address: 127.0.0.1, certificate: x.pem}
                  - {name: b, transport: tcp, address: 127.0.0.1, key: y}
                  - {name: c, transport: ws, address: 127.0.0.1, port: 5060}
                  - {name: d, address: 0.0.0.0}
                  - {name: e, address: 224.0.1.75}
                  - {name: f, transport: sctp, address: localhost, advertise: "a b"}
                lanes: 1000
                sip: {timers: {t1: 5s, t2: 4s}, server: "a\\r\\nb"}
                limits: {source: {call-burst: 5}}
                ban: {first: 2h, most: 1h, scanner: [x]}
                overload: {retry-after-least: 30}
                routes: [{match: {listeners: [g]}, then: local}]
                statistics: {metrics: localhost:9464}
                """))
                .containsExactly(
                        "p.yaml:3:5: listeners[1].key: is missing; tls needs it",
                        "p.yaml:3:5: listeners[1]: listener name a is used twice; line 2 has it",
                        "p.yaml:4:56: listeners[2].key: has no effect with tcp; tls and wss use it",
                        "p.yaml:5:5: listeners[3]: address TCP 127.0.0.1:5060 is used twice; line 4 has it",
                        "p.yaml:6:24: listeners[4].address: is all addresses of the host: peers need advertise to know one"
                                + " of them",
                        "p.yaml:7:5: listeners[5]: 224.0.1.75 is not the address of a host",
                        "p.yaml:8:26: listeners[6].transport: \"sctp\" is not known; one of udp, tcp, tls, ws, wss",
                        "p.yaml:8:41: listeners[6].address: \"localhost\" is not an IPv4 or IPv6 address",
                        "p.yaml:8:63: listeners[6].advertise: \"a b\" is not a host with a port, such as"
                                + " sip.example.org:5060, 203.0.113.1 or [2001:db8::1]:5060",
                        "p.yaml:9:8: lanes: 1000 is outside 0 to 256",
                        "p.yaml:10:20: sip.timers.t1: is longer than t2",
                        "p.yaml:10:41: sip.server: is not 1 to 100 printable characters of ASCII",
                        "p.yaml:11:31: limits.source.call-burst: has no effect without calls",
                        "p.yaml:12:14: ban.first: is longer than most",
                        "p.yaml:12:28: ban.scanner: \"scanner\" is not known; did you mean \"scanners\"?",
                        "p.yaml:13:31: overload.retry-after-least: is larger than retry-after-most",
                        "p.yaml:15:23: statistics.metrics: \"localhost:9464\" is not an address and a port, such as"
                                + " 127.0.0.1:9060");
    }

    @Test
    void reportsThatNothingIsThere() {
        assertThat(faults("{}")).containsExactly("p.yaml:1:1: listeners: is missing; it is: list of: section");
        assertThat(faults("listeners: []")).containsExactly("p.yaml:1:1: there are no listeners");
    }

    @Test
    void isNotOpenToTheWorld() {
        String open = """
                listeners:
                  - {name: in, address: 127.0.0.1}
                  - {name: out, address: 192.0.2.1}
                """;
        assertThat(faults(open + "open: true"))
                .containsExactly(
                        "p.yaml:3:5: listeners[1]: listener out is not on loopback: with open, everybody who reaches it"
                                + " could call without a password");
        for (String all : List.of("allow: [0.0.0.0/0]", "allow: ['::/0'], from: [0.0.0.0/0]")) {
            assertThat(faults(open + "relay: {" + all + "}"))
                    .containsExactly(
                            "p.yaml:3:5: listeners[1]: listener out would relay for everybody to everywhere: limit"
                                    + " relay.allow or relay.from");
        }
        assertThat(read(open + "relay: {allow: [0.0.0.0/0], from: [10.0.0.0/8]}")
                        .isOpen())
                .isFalse();
    }

    @Test
    void looksAtTheMachine(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("cert.pem"), "x");
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> ProxyConfig.readerForThisMachine().read("""
                listeners:
                  - {name: a, transport: tls, address: 127.0.0.1, certificate: F/cert.pem, key: F/none.key}
                routers: {r: {jar: F/none.jar}}
                credentials: {c: {user: u, password-file: F/none.password}}
                statistics: {call-records: F/none/calls.jsonl}
                """.replace("F/", folder + "/"), "p.yaml"));
        assertThat(e.faults())
                .extracting(ConfigFault::text)
                .containsExactly(
                        "there is no folder " + folder + "/none for the call records",
                        folder + "/none.key cannot be read",
                        folder + "/none.jar cannot be read",
                        folder + "/none.password cannot be read");
    }

    @Test
    void environmentAndArgumentsOverrideTheFile() {
        ProxyConfig config = ProxyConfig.reader()
                .environment("OFFHOOK_PROXY_", java.util.Map.of("OFFHOOK_PROXY_SIP_TIMERS_T1", "100ms"))
                .argument("lanes", "3", "--lanes")
                .read(ONE + "lanes: 1", "p.yaml");
        assertThat(config.lanes()).isEqualTo(3);
        assertThat(config.sip().timers().t1Ms()).isEqualTo(100);
    }

    @Test
    void takesRoutesLimitsAndCertificatesOverWhileItRuns() {
        ProxyConfig before = read("""
                listeners: [{name: a, transport: tls, address: 127.0.0.1, certificate: a.pem, key: a.key}]
                domains: [example.org]
                """);
        ProxyConfig after = read("""
                listeners: [{name: a, transport: tls, address: 127.0.0.1, certificate: b.pem, key: b.key}]
                domains: [example.org, example.com]
                routes: [{match: {prefix: "0"}, then: {group: {name: g}}}]
                groups: {g: {members: [{uri: "sip:192.0.2.1"}]}}
                trunks: {t: {sources: [10.0.0.0/8]}}
                routers: {r: {jar: r.jar}}
                credentials: {c: {user: u, password-file: f}}
                relay: {allow: [10.0.0.0/8]}
                headers: [{remove: [X-A]}]
                limits: {source: {calls: 5}, user: {calls: 1}}
                ban: {threshold: 10, first: 1m, points: {scanner: 0}, scanners: [x], allow: [10.0.0.0/8]}
                overload: {target: 5ms}
                sip: {record-route: false, max-forwards: 20, timers: {t1: 250ms}, forking: {recurse: true}, server: none}
                log: {level: debug}
                shutdown-grace: 1s
                """);
        assertThat(before.needsRestart(after)).isEmpty();
        assertThat(after.needsRestart(before)).isEmpty();
    }

    @Test
    void saysWhatNeedsANewStart() {
        ProxyConfig before = read(ONE + "lanes: 2\nlimits: {table-size: 2048}");
        ProxyConfig after = read("""
                listeners: [{name: a, address: 127.0.0.1, port: 5062}, {name: b, address: 127.0.0.2}]
                lanes: 3
                limits: {table-size: 4096}
                hide-topology: true
                statistics: {metrics: 127.0.0.1:9464}
                domains: [example.org]
                """);
        assertThat(before.needsRestart(after))
                .extracting(ConfigDifference::toString)
                .containsExactly(
                        "p.yaml:1:49: listeners[0].port: 5062 is new",
                        "p.yaml:1:56: listeners[1]: {name: b, address: 127.0.0.2} is new",
                        "p.yaml:2:8: lanes: 3; it was 2 in line 2",
                        "p.yaml:4:16: hide-topology: true; it was false in line 1",
                        "p.yaml:3:22: limits.table-size: 4096; it was 2048 in line 3",
                        "p.yaml:5:23: statistics.metrics: 127.0.0.1:9464 is new");
    }

    @Test
    void onlyAProxyThatRecordsItsRouteHidesOthers() {
        assertThatThrownBy(() -> ProxyConfig.reader().read("""
                        listeners: [{name: a, address: 127.0.0.1}]
                        hide-topology: true
                        sip: {record-route: false}
                        """, "p.yaml"))
                .hasMessageContaining("hide-topology needs sip.record-route");
    }
}
