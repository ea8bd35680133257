package io.offhook.sip.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipUri;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GruusTest {
    private static final String UUID = "<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>";
    private static final AddressOfRecord ALICE = new AddressOfRecord("alice", "example.com");

    private final Gruus gruus = gruus("0123456789abcdef");
    private final Registering registering = new Registering(RegistrarPolicy.DEFAULT, gruus);

    private static Gruus gruus(String secret) {
        return new Gruus(secret.getBytes(StandardCharsets.US_ASCII));
    }

    private SipUri made(String parameter) {
        Matcher matcher = Pattern.compile(parameter + "=\"([^\"]*)\"")
                .matcher(registering.answered("Contact").getLast());
        assertThat(matcher.find()).as(registering.last.toString()).isTrue();
        return SipUri.parse(matcher.group(1));
    }

    private void register(String callId, long cseq, String instance) {
        assertThat(registering.register(
                        callId,
                        cseq,
                        "Contact: <sip:a@192.0.2.1>;+sip.instance=\"" + instance + "\"",
                        "Supported: gruu"))
                .isEqualTo(RegisterFinding.UPDATED);
    }

    private Gruu read(SipUri uri) {
        return Objects.requireNonNull(gruus.read(uri));
    }

    @Test
    void thePublicOneNamesUserAndPhone() {
        register("a", 1, UUID);

        assertThat(made("pub-gruu"))
                .hasToString("sip:alice@example.com;gr=urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
        assertThat(read(made("pub-gruu"))).isEqualTo(new Gruu(ALICE, UUID, 0));
        assertThat(read(made("pub-gruu")).leadsTo(registering.bindings.getFirst()))
                .isTrue();
    }

    @Test
    void anInstanceThatIsNoUrnIsEscaped() {
        register("a", 1, "<a;b=%c>");

        assertThat(made("pub-gruu")).hasToString("sip:alice@example.com;gr=a%3Bb%3D%25c");
        assertThat(read(made("pub-gruu")).instance()).isEqualTo("<a;b=%c>");
        assertThat(read(made("temp-gruu")).instance()).isEqualTo("<a;b=%c>");
    }

    @Test
    void aTemporaryOneHidesTheUserAndLeadsToThePhone() {
        register("a", 1, UUID);
        SipUri first = made("temp-gruu");
        register("a", 2, UUID);
        SipUri second = made("temp-gruu");

        assertThat(first.toString())
                .startsWith("sip:tgruu.")
                .endsWith("@example.com;gr")
                .doesNotContain("alice");
        assertThat(first.user().length()).isLessThan(100);
        assertThat(second).isNotEqualTo(first);
        for (SipUri temporary : new SipUri[] {first, second}) {
            assertThat(read(temporary).addressOfRecord()).isEqualTo(ALICE);
            assertThat(read(temporary).leadsTo(registering.bindings.getFirst())).isTrue();
        }
    }

    @Test
    void temporaryOnesEndWithTheCallIdOfTheRegistration() {
        register("a", 1, UUID);
        SipUri temporary = made("temp-gruu");
        SipUri forever = made("pub-gruu");
        register("b", 1, UUID);

        assertThat(read(temporary).leadsTo(registering.bindings.getFirst())).isFalse();
        assertThat(read(forever).leadsTo(registering.bindings.getFirst())).isTrue();
    }

    @Test
    void whatWasMadeElsewhereOrAlteredIsNone() {
        register("a", 1, UUID);
        SipUri temporary = made("temp-gruu");

        assertThat(gruus("fedcba9876543210").read(temporary)).isNull();
        assertThat(gruus.read(SipUri.parse(temporary.toString().replace("example.com", "example.org"))))
                .isNull();
        String user = temporary.user();
        for (int i = 6; i < user.length(); i++) {
            char other = user.charAt(i) == 'A' ? 'B' : 'A';
            SipUri altered =
                    SipUri.parse("sip:" + user.substring(0, i) + other + user.substring(i + 1) + "@example.com;gr");
            // the last character may hold bits that mean nothing
            assertThat(i < user.length() - 1 ? gruus.read(altered) : null).isNull();
            assertThat(gruus.read(SipUri.parse("sip:" + user.substring(0, i) + "@example.com;gr")))
                    .isNull();
        }
        for (String none : new String[] {
            "sip:alice@example.com",
            "sip:alice@example.com;gr",
            "sip:alice@example.com;grr=x",
            "tel:+1;gr=x",
            "sip:tgruu.@example.com;gr",
            "sip:tgruu.%@example.com;gr",
            "sip:tgruu." + "A".repeat(5000) + "@example.com;gr"
        }) {
            assertThat(gruus.read(SipUri.parse(none))).as(none).isNull();
        }
    }

    @Test
    void onlyWhoSupportsThemGetsThem() {
        registering.register("a", 1, "Contact: <sip:a@192.0.2.1>;+sip.instance=\"" + UUID + "\"");
        assertThat(registering.answered("Contact").getFirst())
                .contains("+sip.instance")
                .doesNotContain("gruu");
        registering.register("a", 2, "Contact: <sip:a@192.0.2.2>", "Supported: gruu");
        assertThat(registering.answered("Contact").getLast()).doesNotContain("gruu");
    }

    @Test
    void targetsAreOrderedAndAPhoneIsOne() {
        registering.register("a", 1, "Contact: <sip:low@192.0.2.1>;q=0.1, <sip:high@192.0.2.1>;q=0.9");
        registering.nowMs += 1;
        registering.register(
                "b",
                1,
                "Contact: <sip:f1@192.0.2.1>;reg-id=1;q=0.5;+sip.instance=\"" + UUID + "\"",
                "Supported: outbound");
        registering.nowMs += 1;
        registering.register(
                "c",
                1,
                "Contact: <sip:f2@192.0.2.1>;reg-id=2;q=0.5;+sip.instance=\"" + UUID + "\"",
                "Supported: outbound");
        registering.register("d", 1, "Contact: <sip:new@192.0.2.1>;q=0.9");

        assertThat(RegisteredTarget.of(registering.bindings, null, registering.nowMs))
                .extracting(target -> target.binding().contact() + target.others())
                .containsExactly(
                        "sip:new@192.0.2.1[]",
                        "sip:high@192.0.2.1[]",
                        "sip:f2@192.0.2.1[sip:f1@192.0.2.1]",
                        "sip:low@192.0.2.1[]");
        assertThat(RegisteredTarget.of(registering.bindings, new Gruu(ALICE, UUID, 0), registering.nowMs))
                .extracting(target -> target.binding().contact())
                .containsExactly("sip:f2@192.0.2.1");
        assertThat(RegisteredTarget.of(registering.bindings, null, registering.nowMs + 3_600_000))
                .isEmpty();
    }
}
