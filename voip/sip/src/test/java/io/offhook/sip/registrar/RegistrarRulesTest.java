package io.offhook.sip.registrar;

import static io.offhook.sip.registrar.RegisterFinding.CLEARED;
import static io.offhook.sip.registrar.RegisterFinding.MALFORMED;
import static io.offhook.sip.registrar.RegisterFinding.NO_OUTBOUND;
import static io.offhook.sip.registrar.RegisterFinding.OUT_OF_ORDER;
import static io.offhook.sip.registrar.RegisterFinding.QUERIED;
import static io.offhook.sip.registrar.RegisterFinding.TOO_BRIEF;
import static io.offhook.sip.registrar.RegisterFinding.TOO_MANY;
import static io.offhook.sip.registrar.RegisterFinding.UNSUPPORTED;
import static io.offhook.sip.registrar.RegisterFinding.UPDATED;
import static io.offhook.sip.registrar.RegisterFinding.WRONG_STAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrarRulesTest {
    private static final String INSTANCE = ";+sip.instance=\"<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>\"";
    private static final String OTHER_INSTANCE = ";+sip.instance=\"<urn:uuid:00000000-0000-1000-8000-000a95a0e128>\"";

    private final Registering registering = new Registering();

    @Test
    void bindsAContactAndReturnsIt() {
        assertThat(registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>;q=0.7;audio", "Expires: 600"))
                .isEqualTo(UPDATED);

        assertThat(registering.answered("Contact")).containsExactly("<sip:alice@192.0.2.1>;audio;q=0.7;expires=600");
        assertThat(registering.answered("Date")).containsExactly("Fri, 15 Jan 2027 08:00:00 GMT");
        Binding binding = registering.bindings.getFirst();
        assertThat(binding.contact()).isEqualTo("sip:alice@192.0.2.1");
        assertThat(binding.parameters()).isEqualTo(";audio");
        assertThat(binding.q()).isEqualTo(700);
        assertThat(binding.callId()).isEqualTo("a");
        assertThat(binding.cseq()).isEqualTo(1);
        assertThat(binding.source()).isEqualTo(Endpoint.of("192.0.2.1", 5060));
        assertThat(binding.transport()).isEqualTo(SipTransport.UDP);
        assertThat(binding.flowToken()).containsExactly(1, 2, 3);
        assertThat(binding.expiresAtMs()).isEqualTo(Registering.NOW + 600_000);
        assertThat(binding.updatedAtMs()).isEqualTo(Registering.NOW);
    }

    @Test
    void aBindingSurvivesItsEncodedForm() {
        registering.register(
                "a",
                0xffff_ffffL,
                "Contact: <sip:alice@192.0.2.1>;reg-id=2" + INSTANCE,
                "Supported: path, outbound",
                "Path: <sip:edge.example.com;lr;ob>",
                "User-Agent: Phone/1.0");
        Binding binding = registering.bindings.getFirst();

        Binding read = java.util.Objects.requireNonNull(Binding.of(binding.encoded()));

        assertThat(read).isEqualTo(binding).hasSameHashCodeAs(binding);
        assertThat(read.cseq()).isEqualTo(0xffff_ffffL);
        assertThat(read.regId()).isEqualTo(2);
        assertThat(read.path()).isEqualTo("<sip:edge.example.com;lr;ob>");
        assertThat(read.instance()).isEqualTo("<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>");
        assertThat(read.userAgent()).isEqualTo("Phone/1.0");
        for (int length = 0; length < binding.encoded().length; length++) {
            assertThat(Binding.of(java.util.Arrays.copyOf(binding.encoded(), length)))
                    .isNull();
        }
        assertThat(Binding.of(java.util.Arrays.copyOf(binding.encoded(), binding.encoded().length + 1)))
                .isNull();
    }

    @Test
    void aRequestWithoutContactsReturnsTheBindings() {
        registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>;expires=600");
        registering.nowMs += 100_500;

        assertThat(registering.register("b", 1)).isEqualTo(QUERIED);
        assertThat(registering.answered("Contact")).containsExactly("<sip:alice@192.0.2.1>;expires=500");
        assertThat(registering.last.bindings()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // of the contact | of the header | granted
                "'' | '' | 3600",
                ";expires=120 | Expires: 600 | 120",
                "'' | Expires: 600 | 600",
                ";expires=7200 | '' | 3600",
                ";expires=99999999999999999999 | '' | 3600",
                ";expires=soon | '' | 3600",
                ";expires=\"90\" | '' | 90",
                "'' | Expires: Thu%2C 01 Dec 1994 | 3600",
                "'' | Expires: 4294967296 | 3600",
                ";EXPIRES=100 | '' | 100",
            })
    void grantsWhatWasAskedForWithinItsLimits(String ofContact, String ofHeader, int granted) {
        registering.register(
                "a",
                1,
                "Contact: <sip:alice@192.0.2.1>" + ofContact,
                ofHeader.isEmpty() ? "X: 1" : ofHeader.replace("%2C", ","));

        assertThat(registering.bindings.getFirst().expiresAtMs()).isEqualTo(Registering.NOW + granted * 1000L);
    }

    @Test
    void refusesLessThanTheLeastAndChangesNothing() {
        registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>");
        List<Binding> before = registering.bindings;

        assertThat(registering.register(
                        "a", 2, "Contact: <sip:alice@192.0.2.1>;expires=0, <sip:alice@192.0.2.2>;expires=59"))
                .isEqualTo(TOO_BRIEF);
        assertThat(registering.last.finding().status()).isEqualTo(423);
        assertThat(registering.answered("Min-Expires")).containsExactly("60");
        assertThat(registering.bindings).isSameAs(before);
    }

    @Test
    void expiresZeroRemovesOneContactAndAnUnknownOneIsNoFault() {
        registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>, <sip:alice@192.0.2.2>");
        assertThat(registering.register("a", 2, "m: sip:alice@192.0.2.1;expires=0"))
                .isEqualTo(UPDATED);
        assertThat(registering.contacts()).containsExactly("sip:alice@192.0.2.2");
        assertThat(registering.register("a", 3, "Contact: <sip:alice@192.0.2.9>", "Expires: 0"))
                .isEqualTo(UPDATED);
        assertThat(registering.contacts()).containsExactly("sip:alice@192.0.2.2");
    }

    @Test
    void contactsAreComparedAsUris() {
        registering.register("a", 1, "Contact: <sip:%61lice@Phone.Example.com;transport=TCP;x=1>");
        registering.register("a", 2, "Contact: <sip:alice@phone.example.com;transport=tcp>");
        assertThat(registering.contacts()).containsExactly("sip:alice@phone.example.com;transport=tcp");

        registering.register("a", 3, "Contact: <sip:alice@phone.example.com>");
        assertThat(registering.contacts()).hasSize(2);
    }

    @Test
    void aStarRemovesAll() {
        registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>");
        registering.register("b", 1, "Contact: <sip:alice@192.0.2.2>");

        assertThat(registering.register("a", 2, "Contact: *", "Expires: 0")).isEqualTo(CLEARED);
        assertThat(registering.bindings).isEmpty();
        assertThat(registering.answered("Contact")).isEmpty();
    }

    @Test
    void aStarNeedsExpiresZeroAndToBeAlone() {
        registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>");

        assertThat(registering.register("a", 2, "Contact: *")).isEqualTo(WRONG_STAR);
        assertThat(registering.register("a", 2, "Contact: *", "Expires: 60")).isEqualTo(WRONG_STAR);
        assertThat(registering.register("a", 2, "Contact: *, <sip:alice@192.0.2.1>", "Expires: 0"))
                .isEqualTo(WRONG_STAR);
        assertThat(registering.last.finding().status()).isEqualTo(400);
        assertThat(registering.bindings).hasSize(1);
    }

    @Test
    void ofTheSameCallIdTheCseqMustGrow() {
        registering.register("a", 5, "Contact: <sip:alice@192.0.2.1>");

        assertThat(registering.register("a", 5, "Contact: <sip:alice@192.0.2.1>;expires=0"))
                .isEqualTo(OUT_OF_ORDER);
        assertThat(registering.register("a", 4, "Contact: <sip:alice@192.0.2.2>, <sip:alice@192.0.2.1>"))
                .isEqualTo(OUT_OF_ORDER);
        assertThat(registering.register("a", 5, "Contact: *", "Expires: 0")).isEqualTo(OUT_OF_ORDER);
        assertThat(registering.last.finding().status()).isEqualTo(500);
        assertThat(registering.contacts()).containsExactly("sip:alice@192.0.2.1");
        assertThat(registering.register("b", 1, "Contact: <sip:alice@192.0.2.1>"))
                .isEqualTo(UPDATED);
        assertThat(registering.register("b", 2, "Contact: *", "Expires: 0")).isEqualTo(CLEARED);
    }

    @Test
    void anExpiredBindingIsNone() {
        registering.register("a", 5, "Contact: <sip:alice@192.0.2.1>;expires=60");
        registering.nowMs += 60_000;

        assertThat(registering.register("a", 1)).isEqualTo(QUERIED);
        assertThat(registering.answered("Contact")).isEmpty();
        assertThat(registering.register("a", 1, "Contact: <sip:alice@192.0.2.1>"))
                .isEqualTo(UPDATED);
    }

    @Test
    void oneAddressOfRecordHasSoManyBindings() {
        Registering two = new Registering(new RegistrarPolicy(60, 3600, 3600, 2, 0, List.of()), null);
        two.register("a", 1, "Contact: <sip:a@192.0.2.1>, <sip:a@192.0.2.2>");

        assertThat(two.register("a", 2, "Contact: <sip:a@192.0.2.3>")).isEqualTo(TOO_MANY);
        assertThat(two.register("a", 3, "Contact: <sip:a@192.0.2.3>, <sip:a@192.0.2.1>;expires=0"))
                .isEqualTo(UPDATED);
        assertThat(two.contacts()).containsExactly("sip:a@192.0.2.2", "sip:a@192.0.2.3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Contact: <>",
                "Contact: <sip:>",
                "Contact: nothing",
                "Contact: <sip:a b@192.0.2.1>",
                "Contact: <sip:a\"@192.0.2.1>",
                "Contact: <sip:a@192.0.2.1",
                "Contact: <sip:ä@192.0.2.1>",
                "Contact: <sip:a@192.0.2.1>;+sip.instance=\"<urn x>\"",
                "Path: <sip:p\u00e4th;lr>",
            })
    void refusesContactsThatWouldSpoilARequestLine(String header) {
        RegisterFinding finding = registering.register("a", 1, header);
        if (header.endsWith("192.0.2.1")) {
            assertThat(finding).as("an open bracket is closed by the end").isEqualTo(UPDATED);
        } else {
            assertThat(finding).isEqualTo(MALFORMED);
        }
    }

    @Test
    void refusesRequestsWithoutTheirHeaders() {
        String whole = "REGISTER sip:example.com SIP/2.0\r\nTo: <sip:a@example.com>\r\nCall-ID: a\r\n"
                + "CSeq: 1 REGISTER\r\n\r\n";
        assertThat(registering.register(Registering.request(whole))).isEqualTo(QUERIED);
        for (String absent : List.of("To: <sip:a@example.com>\r\n", "Call-ID: a\r\n", "CSeq: 1 REGISTER\r\n")) {
            assertThat(registering.register(Registering.request(whole.replace(absent, ""))))
                    .as("without " + absent)
                    .isEqualTo(MALFORMED);
        }
        assertThat(registering.register(Registering.request(whole.replace("1 REGISTER", "1 INVITE"))))
                .isEqualTo(MALFORMED);
        assertThat(registering.register(Registering.request(whole.replace("sip:a@example.com", "tel:+1"))))
                .isEqualTo(MALFORMED);
    }

    @Test
    void refusesUnknownExtensionsThatAreRequired() {
        assertThat(registering.register("a", 1, "Require: path, Unheard, other", "Contact: <sip:a@192.0.2.1>"))
                .isEqualTo(UNSUPPORTED);
        assertThat(registering.answered("Unsupported")).containsExactly("other, unheard");
        assertThat(registering.register("a", 1, "Require: path, gruu, outbound"))
                .isEqualTo(QUERIED);
    }

    @Test
    void keepsThePathAndReturnsItToWhoSupportsIt() {
        registering.register(
                "a", 1, "Contact: <sip:a@192.0.2.1>", "Path: <sip:p1;lr>, <sip:p2;lr>", "Path: <sip:p3;lr>", "k: path");
        assertThat(registering.bindings.getFirst().path()).isEqualTo("<sip:p1;lr>, <sip:p2;lr>, <sip:p3;lr>");
        assertThat(registering.answered("Path")).containsExactly("<sip:p1;lr>, <sip:p2;lr>, <sip:p3;lr>");

        registering.register("a", 2, "Contact: <sip:a@192.0.2.1>", "Path: <sip:p1;lr>");
        assertThat(registering.answered("Path")).isEmpty();
        assertThat(registering.bindings.getFirst().path()).isEqualTo("<sip:p1;lr>");
    }

    @Test
    void returnsTheServiceRoute() {
        Registering routed = new Registering(
                new RegistrarPolicy(60, 3600, 3600, 2, 0, List.of("<sip:home.example.com;lr>", "<sip:two;lr>")), null);
        routed.register("a", 1, "Contact: <sip:a@192.0.2.1>");
        assertThat(routed.answered("Service-Route")).containsExactly("<sip:home.example.com;lr>", "<sip:two;lr>");
        routed.register("a", 2, "Contact: *", "Expires: 0");
        assertThat(routed.answered("Service-Route")).isEmpty();
    }

    @Test
    void aFlowReplacesTheSameFlowWhateverItsUri() {
        String outbound = "Supported: outbound";
        registering.register("a", 1, "Contact: <sip:a@192.0.2.1:1111>;reg-id=1" + INSTANCE, outbound);
        assertThat(registering.answered("Require")).containsExactly("outbound");
        assertThat(registering.answered("Flow-Timer")).containsExactly("120");
        registering.register("b", 1, "Contact: <sip:a@192.0.2.1:2222>;reg-id=2" + INSTANCE, outbound);
        registering.register(
                "c",
                1,
                "Contact: <sip:a@192.0.2.1:3333>;reg-id=1" + INSTANCE.toUpperCase(java.util.Locale.ROOT),
                outbound);

        assertThat(registering.contacts()).containsExactly("sip:a@192.0.2.1:2222", "sip:a@192.0.2.1:3333");
        registering.register("d", 1, "Contact: <sip:a@192.0.2.1:3333>;reg-id=1" + OTHER_INSTANCE, outbound);
        assertThat(registering.bindings).hasSize(3);
        assertThat(registering.register("e", 1, "Contact: <sip:a@x>;reg-id=2;expires=0" + INSTANCE, outbound))
                .isEqualTo(UPDATED);
        assertThat(registering.contacts()).containsExactly("sip:a@192.0.2.1:3333", "sip:a@192.0.2.1:3333");
    }

    @Test
    void withoutSupportForOutboundARegIdMeansNothing() {
        registering.register("a", 1, "Contact: <sip:a@192.0.2.1:1111>;reg-id=1" + INSTANCE);

        assertThat(registering.bindings.getFirst().regId()).isZero();
        assertThat(registering.answered("Require")).isEmpty();
    }

    @Test
    void ofFlowsOnlyOneIsRegisteredAtATime() {
        assertThat(registering.register(
                        "a",
                        1,
                        "Contact: <sip:a@192.0.2.1>;reg-id=1" + INSTANCE + ", <sip:a@192.0.2.2>",
                        "Supported: outbound"))
                .isEqualTo(MALFORMED);
    }

    @Test
    void outboundThroughAProxyNeedsOneThatKeepsTheFlow() {
        String contact = "Contact: <sip:a@192.0.2.1>;reg-id=1" + INSTANCE;
        String via = "Via: SIP/2.0/UDP phone;branch=z9hG4bK2";

        assertThat(registering.register("a", 1, contact, via, "Supported: outbound, path"))
                .isEqualTo(NO_OUTBOUND);
        assertThat(registering.last.finding().status()).isEqualTo(439);
        assertThat(registering.register(
                        "a", 1, contact, via, "Supported: outbound, path", "Path: <sip:inner;lr>, <sip:edge;lr;ob>"))
                .isEqualTo(UPDATED);
        assertThat(registering.register(
                        "a", 2, contact, via, "Supported: outbound, path", "Path: <sip:inner;lr;ob>, <sip:edge;lr>"))
                .isEqualTo(NO_OUTBOUND);
        assertThat(registering.register("a", 3, contact, via))
                .as("outbound is not asked for")
                .isEqualTo(UPDATED);
    }

    @Test
    void canonicalAddressesOfRecord() {
        for (String to : List.of(
                "sip:%61lice@EXAMPLE.com",
                "sips:alice@example.com:5061;transport=tls;user=phone", "<sip:alice:secret@Example.com?x=1>")) {
            assertThat(AddressOfRecord.of(io.offhook.sip.SipUri.parse(to)))
                    .isEqualTo(new AddressOfRecord("alice", "example.com"));
        }
        assertThat(AddressOfRecord.of(io.offhook.sip.SipUri.parse("sip:A@[2001:DB8:0::1]")))
                .isEqualTo(new AddressOfRecord("A", "[2001:db8::1]"));
        assertThat(new AddressOfRecord("a b@c%ü", "d").uri()).isEqualTo("sip:a%20b%40c%25%C3%BC@d");
        assertThat(AddressOfRecord.of(io.offhook.sip.SipUri.parse("tel:+1"))).isNull();
        assertThat(AddressOfRecord.of(io.offhook.sip.SipUri.parse("sip:"))).isNull();
        assertThat(AddressOfRecord.of(io.offhook.sip.SipUri.parse("sip:a%00b@c")))
                .isNull();
    }

    @Test
    void parametersWithQuotesAreKeptAndOursAreNot() {
        registering.register(
                "a",
                1,
                "Contact: \"A;expires=1\" <sip:a@192.0.2.1;x=y>;methods=\"INVITE;q=0.1,\\\"\";Q=0.25;temp-gruu=\"x\" ;+audio ; expires=100");

        assertThat(registering.answered("Contact"))
                .containsExactly("<sip:a@192.0.2.1;x=y>;methods=\"INVITE;q=0.1,\\\"\";+audio;q=0.25;expires=100");
    }

    @Test
    void parametersThatBreakTheGrammarAreNotReturned() {
        registering.register("a", 1, "Contact: <sip:a@192.0.2.1>;ok=1;a=<b>;=c;d=\"e;f");

        assertThat(registering.answered("Contact")).containsExactly("<sip:a@192.0.2.1>;ok=1;expires=3600");
    }

    /** What a phone sends comes back in headers and goes into request lines: it must not break out of them. */
    @Test
    void whateverIsRegisteredTheAnswerIsWellFormed() {
        long seed = new java.util.Random().nextLong();
        java.util.Random random = new java.util.Random(seed);
        String alphabet = "\"\\<>;,=*@:%\t \r\n\u0000\u00fcaAsip01?&+.-";
        String[] parts = {
            "<sip:a@b>", ";expires=", ";q=0.", ";+sip.instance=\"<urn:x>\"", ";reg-id=1", "sip:", "tel:1", "*"
        };
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder contact = new StringBuilder(random.nextBoolean() ? "<sip:a@b" : "");
            for (int j = random.nextInt(12); j > 0; j--) {
                contact.append(
                        random.nextInt(3) == 0
                                ? parts[random.nextInt(parts.length)]
                                : alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Registering each = new Registering();
            each.register("a", 1, "Contact: " + contact, "Supported: gruu, outbound, path");
            RegistrarAnswers.assertWellFormed(each.last, "seed " + seed + ": " + contact);
            accepted += each.bindings.size();
        }
        assertThat(accepted).isGreaterThan(500);
    }
}
