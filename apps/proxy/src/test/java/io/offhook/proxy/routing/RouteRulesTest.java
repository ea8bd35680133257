package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of a configuration: which one is for a request, and what it makes of it. */
@Timeout(60)
class RouteRulesTest {
    private static final String RULES = """
            domains: [example.org, "*.branch.example.org", "voip.example.net:5080"]
            relay: {allow: [198.51.100.0/24]}
            groups:
              carrier: {members: [{uri: "sip:192.0.2.10"}]}
            trunks:
              office: {sources: [203.0.113.64/26], listeners: [outside]}
            credentials:
              at-carrier: {realm: carrier.example, user: us, password-file: /etc/offhook/carrier}
            routes:
              - name: emergency
                match: {prefix: "112", to-us: true}
                then: {group: {name: carrier}}
              - name: premium
                match: {user: "0?0?900[0-9]*"}
                then: {reply: {status: 403, reason: Premium numbers are barred}}
              - name: dial-out
                match: {user: "0([1-9][0-9]+)", methods: [INVITE], to-us: true}
                rewrite: {replace: "+358$1", host: gw.example.com}
                headers: {add: {P-Charge: us}, remove: [X-Internal]}
                credentials: at-carrier
                then: {group: {name: carrier}}
              - name: reception
                match: {user: "reception|info", domains: [example.org]}
                then: {targets: {sets: [["sip:100@192.0.2.20", "sip:192.0.2.21"], ["sip:night@192.0.2.22"]]}}
              - name: short
                match: {prefix: "*7", to-us: true}
                rewrite: {strip: 2, prepend: "7"}
                then: local
              - name: of-office
                match: {trunks: [office]}
                then: relay
              - name: foreigners
                match: {from-domains: ["*.invalid"]}
                then: {reply: {status: 404}}
              - name: blocked
                match: {sources: [203.0.113.0/28], from-user: "[0-9]+", authenticated: false}
                then: {reply: {status: 486}}
            """;

    private static final Routing ROUTING = new Routing(Queries.config(RULES), Queries.OWN);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sip:112@example.org | sip:112@example.org by carrier",
                "sip:112@example.com | reply 403",
                "sip:0900123@example.com | reply 403 Premium numbers are barred",
                "sip:0401234@example.org | sip:+358401234@gw.example.com by carrier",
                "sip:0401234;phone-context=x@EXAMPLE.ORG.;user=phone | sip:+358401234;phone-context=x@gw.example.com;user=phone by carrier",
                "sip:%30401234@192.0.2.1:5060 | sip:+358401234@gw.example.com by carrier",
                "sip:info@example.org | sip:100@192.0.2.20 and sip:info@192.0.2.21 then sip:night@192.0.2.22",
                "sip:information@example.org | local sip:information@example.org",
                "sip:*7100@example.org | local sip:7100@example.org",
                "sip:bob@helsinki.branch.example.org | local sip:bob@helsinki.branch.example.org",
                "sip:bob@branch.example.org | reply 403",
                "sip:bob@192.0.2.1 | local sip:bob@192.0.2.1",
                "sip:bob@192.0.2.1:5062 | reply 403",
                "sip:bob@voip.example.net:5080 | local sip:bob@voip.example.net:5080",
                "sip:bob@voip.example.net | reply 403",
                "tel:+358401234 | reply 403"
            })
    void theFirstRuleThatIsForARequestDecides(String uri, String decision) throws Exception {
        RoutingConfig config = Queries.config(RULES.replace("relay: {allow", "relay: {from: [127.0.0.1], allow"));
        assertThat(Queries.text(Queries.decide(new Routing(config, Queries.OWN), Queries.invite(uri))))
                .isEqualTo(decision);
    }

    @Test
    void looksAtTheSender() throws Exception {
        String uri = "sip:bob@example.com";
        assertThat(decide("INVITE", uri, "sip:x@a.invalid", "203.0.113.65", "office"))
                .isEqualTo("relay");
        assertThat(decide("INVITE", uri, "sip:x@a.invalid", "203.0.113.65", "")).isEqualTo("reply 404");
        assertThat(decide("INVITE", uri, "sip:x@invalid", "203.0.113.65", "")).isEqualTo("relay");
        assertThat(decide("INVITE", uri, "sip:12@a", "203.0.113.7", "")).isEqualTo("reply 486");
        assertThat(decide("INVITE", uri, "sip:12@a", "203.0.113.17", "")).isEqualTo("relay");
        assertThat(decide("INVITE", uri, "sip:1x@a", "203.0.113.7", "")).isEqualTo("relay");
        assertThat(decide("MESSAGE", "sip:0401234@example.org", "sip:x@a", "203.0.113.65", ""))
                .isEqualTo("local sip:0401234@example.org");
    }

    private static String decide(String method, String uri, String from, String source, String trunk) throws Exception {
        return Queries.text(Queries.decide(ROUTING, Queries.query(method, uri, from, source, trunk)));
    }

    @Test
    void passesHeadersAndCredentialsToTheTarget() throws Exception {
        RouteDecision.Fork fork =
                (RouteDecision.Fork) Queries.decide(ROUTING, Queries.invite("sip:0401234@example.org"));
        Target target = fork.sets().getFirst().targets().getFirst();
        assertThat(target.headers())
                .containsExactly(HeaderChange.remove("X-Internal"), HeaderChange.add("P-Charge", "us"));
        assertThat(target.credentials()).isEqualTo("at-carrier");
    }

    @Test
    void countsWhatEachRuleDecided() throws Exception {
        Routing routing = new Routing(Queries.config(RULES), Queries.OWN);
        for (String uri :
                List.of("sip:112@example.org", "sip:112@example.org", "sip:info@example.org", "sip:x@example.org")) {
            Queries.decide(routing, Queries.invite(uri));
        }
        assertThat(routing.matched()).containsExactly(2, 0, 0, 1, 0, 0, 0, 0);
        assertThat(routing.unmatched()).isEqualTo(1);
    }

    @Test
    void relaysOnlyWhatIsAllowed() {
        RelayConfig relay = Queries.config("relay: {allow: [127.0.0.0/8, '2001:db8::/32'], from: [10.0.0.0/8]}")
                .relay();
        assertThat(relay.allows(io.offhook.packet.IpAddress.ofIpv4(0x7f00_0001)))
                .isTrue();
        assertThat(relay.allows(io.offhook.packet.IpAddress.ofIpv4(0x0a00_0001)))
                .isFalse();
        assertThat(relay.allowsFrom(io.offhook.packet.IpAddress.ofIpv4(0x0a00_0001)))
                .isTrue();
        assertThat(relay.allowsFrom(io.offhook.packet.IpAddress.ofIpv4(0x7f00_0001)))
                .isFalse();
        assertThat(Queries.config("{}").relay().allowsFrom(io.offhook.packet.IpAddress.ofIpv4(0x7f00_0001)))
                .isFalse();
    }

    @Test
    void aRuleThatGoesOnByARewrittenUriIsABranch() throws Exception {
        Routing routing = new Routing(
                Queries.config("routes: [{rewrite: {host: '[2001:db8::7]:5070'}, then: relay}]"), Queries.OWN);
        assertThat(Queries.text(Queries.decide(routing, Queries.invite("sip:bob@example.com:5061;lr"))))
                .isEqualTo("sip:bob@[2001:db8::7]:5070;lr");
    }

    @Test
    void escapesWhatAUserPartCannotHave() throws Exception {
        Routing routing =
                new Routing(Queries.config("routes: [{rewrite: {prepend: 'a b@ä#'}, then: local}]"), Queries.OWN);
        assertThat(Queries.text(Queries.decide(routing, Queries.invite("sip:7@example.com"))))
                .isEqualTo("local sip:a%20b%40%C3%A4%237@example.com");
    }

    @Test
    void anExpressionThatTakesForeverMatchesNothing() {
        for (String expression : List.of("(a|aa)+b", "(a*)*b", "(.*a){20}b", "(a|b|ab)*c")) {
            assertThat(UserPattern.of(expression).match("a".repeat(200)))
                    .as(expression)
                    .isNull();
        }
        assertThat(UserPattern.of("(.*)(a+)").match("a".repeat(256))).isNotNull();
        assertThat(UserPattern.of(".*").match("a".repeat(257))).isNull();
    }

    private static List<String> faults(String yaml) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> Queries.config(yaml));
        assertThat(e).isNotNull();
        return e.faults().stream().map(ConfigFault::toString).toList();
    }

    @Test
    void reportsAllThatMakesNoSense() {
        assertThat(faults("""
                domains: [example.org, "a b", sip:x@y]
                groups:
                  g: {members: []}
                  h: {members: [{uri: "sip:a"}, {uri: "sip:a"}, {uri: "http://b"}, {uri: "sip:c:70000"}], credentials: no}
                trunks:
                  t: {sources: [10.0.0.0/8, 10.0.0.1/8], listeners: [nowhere]}
                  u: {sources: [10.0.0.0/8]}
                routes:
                  - {name: a, match: {user: "(0"}, then: local}
                  - {name: a, match: {user: "0"}, rewrite: {replace: "$1"}, then: local}
                  - {name: b, match: {trunks: [x], listeners: [inside, inside]}, then: {group: {name: k}}}
                  - {name: b, match: {prefix: "0"}, rewrite: {strip: 1}, then: {reply: {status: 200}}}
                  - {then: {targets: {sets: [[]]}}}
                  - {match: {methods: [invite]}, then: {router: {name: r}}, headers: {add: {Via: x, "a b": c}}}
                  - {then: {rely: {}}}
                headers:
                  - {on: requests}
                  - {from-trunks: [t], to-groups: [z], remove: [Call-ID, X-A]}
                """))
                .containsExactly(
                        "r.yaml:1:24: domains[1]: \"a b\" is not a domain such as example.org, *.example.org,"
                                + " 192.0.2.1:5070 or \"[2001:db8::1]\"",
                        "r.yaml:1:31: domains[2]: \"sip:x@y\" is not a domain such as example.org, *.example.org,"
                                + " 192.0.2.1:5070 or \"[2001:db8::1]\"",
                        "r.yaml:3:16: groups.g.members: has no member",
                        "r.yaml:4:33: groups.h.members[1]: member sip:a is listed twice; line 4 has it: use weight",
                        "r.yaml:4:55: groups.h.members[2].uri: \"http://b\" is not a SIP URI such as"
                                + " sip:192.0.2.1:5060;transport=tcp",
                        "r.yaml:4:74: groups.h.members[3].uri: \"sip:c:70000\" has a port outside 1 to 65535",
                        "r.yaml:4:104: groups.h.credentials: there is no credentials no; there are none",
                        "r.yaml:6:29: trunks.t.sources[1]: 10.0.0.1/8 has host bits; the block is 10.0.0.0/8",
                        "r.yaml:6:54: trunks.t.listeners[0]: there is no listener nowhere; there are inside, outside",
                        "r.yaml:7:17: trunks.u.sources[0]: source 10.0.0.0/8 is used twice; line 6 has it",
                        "r.yaml:9:29: routes[0].match.user: \"(0\" is not a regular expression: Unclosed group at"
                                + " character 3",
                        "r.yaml:10:5: routes[1]: rule name a is used twice; line 9 has it",
                        "r.yaml:10:44: routes[1].rewrite: replace uses group $1, but match.user has 0 groups",
                        "r.yaml:11:56: routes[2].match.listeners[1]: listener inside is listed twice",
                        "r.yaml:12:81: routes[3].then.reply.status: 200 is outside 300 to 699",
                        "r.yaml:13:29: routes[4].then.targets.sets: has no target, or a list without one",
                        "r.yaml:14:5: routes[5]: is never reached: the rule in line 13 is for all requests",
                        "r.yaml:14:24: routes[5].match.methods[0]: \"invite\" is not a method in capital letters, such as"
                                + " INVITE",
                        "r.yaml:14:56: routes[5].then.router.name: there is no router r; there are none",
                        "r.yaml:14:76: routes[5].headers.add: Via cannot be changed: transactions, dialogs or signatures"
                                + " depend on it",
                        "r.yaml:14:76: routes[5].headers.add: \"a b\" is not a header name of 1 to 64 letters, digits and"
                                + " -.!%*_+`'~",
                        "r.yaml:15:12: routes[6].then: \"rely\" is not known; did you mean \"reply\"?",
                        "r.yaml:17:5: headers[0].remove: is missing, and so are replace and add: the rule changes nothing",
                        "r.yaml:18:48: headers[1].remove: Call-ID cannot be changed: transactions, dialogs or signatures"
                                + " depend on it");
    }

    @Test
    void reportsNamesThatAreMissingAndRulesThatAreNeverReached() {
        assertThat(faults("""
                groups: {carrier: {members: [{uri: "sip:a"}]}}
                routes:
                  - {name: all, then: {group: {name: carier}}}
                  - {name: all, match: {trunks: [office]}, then: {router: {name: prices}}, credentials: mine}
                """))
                .containsExactly(
                        "r.yaml:3:38: routes[0].then.group.name: there is no group carier; there are carrier",
                        "r.yaml:4:5: routes[1]: rule name all is used twice; line 3 has it",
                        "r.yaml:4:5: routes[1]: is never reached: the rule in line 3 is for all requests",
                        "r.yaml:4:34: routes[1].match.trunks[0]: there is no trunk office; there are none",
                        "r.yaml:4:66: routes[1].then.router.name: there is no router prices; there are none",
                        "r.yaml:4:89: routes[1].credentials: there is no credentials mine; there are none");
    }
}
