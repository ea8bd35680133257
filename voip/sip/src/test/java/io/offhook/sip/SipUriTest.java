package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipUriTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // text | scheme | user | password | host | port | parameters | headers
                "sip:alice@atlanta.com | sip | alice | '' | atlanta.com | -1 | '' | ''",
                "sip:alice:secretword@atlanta.com;transport=tcp | sip | alice | secretword | atlanta.com | -1 | transport=tcp | ''",
                "sips:alice@atlanta.com?subject=project%20x&priority=urgent | sips | alice | '' | atlanta.com | -1 | '' | subject=project%20x&priority=urgent",
                "sip:+1-212-555-1212:1234@gateway.com;user=phone | sip | +1-212-555-1212 | 1234 | gateway.com | -1 | user=phone | ''",
                "sip:atlanta.com;method=REGISTER?to=alice%40atlanta.com | sip | '' | '' | atlanta.com | -1 | method=REGISTER | to=alice%40atlanta.com",
                "sip:alice;day=tuesday@atlanta.com | sip | alice;day=tuesday | '' | atlanta.com | -1 | '' | ''",
                "sip:1@192.0.2.4:5080;lr | sip | 1 | '' | 192.0.2.4 | 5080 | lr | ''",
                "sip:1@[2001:db8::10]:5070 | sip | 1 | '' | [2001:db8::10] | 5070 | '' | ''",
                "sip:[2001:db8::10] | sip | '' | '' | [2001:db8::10] | -1 | '' | ''",
                "sip:1@2001:db8::10 | sip | 1 | '' | 2001:db8::10 | -1 | '' | ''",
                "SIP:BOB@Host | sip | BOB | '' | Host | -1 | '' | ''",
                "sip:a@b@c | sip | a@b | '' | c | -1 | '' | ''",
                "sip:a@b;x=c@d | sip | a | '' | b | -1 | x=c@d | ''",
                "sip:a@b:99999 | sip | a | '' | b | -1 | '' | ''",
                "tel:+358-555-1234567;postd=pp22 | tel | +358-555-1234567 | '' | '' | -1 | postd=pp22 | ''",
                "urn:service:sos.fire | urn | service:sos.fire | '' | '' | -1 | '' | ''",
                "im:fred@example.com | im | fred | '' | example.com | -1 | '' | ''",
                "bob@host:5060 | '' | bob | '' | host | 5060 | '' | ''",
                "host:5060 | '' | '' | '' | host | 5060 | '' | ''",
                "nonsense | '' | '' | '' | nonsense | -1 | '' | ''",
                "'' | '' | '' | '' | '' | -1 | '' | ''",
                "<sip:a@b;lr>;tag=x | sip | a | '' | b | -1 | lr | ''",
            })
    void takesUrisApart(
            String text,
            String scheme,
            String user,
            String password,
            String host,
            int port,
            String parameters,
            String headers) {
        assertThat(SipUri.parse(text)).isEqualTo(new SipUri(scheme, user, password, host, port, parameters, headers));
    }

    @Test
    void writesWhatItRead() {
        for (String text : new String[] {
            "sip:alice:secretword@atlanta.com:5060;transport=tcp;lr?subject=x",
            "tel:+358-555-1234567;postd=pp22",
            "sip:atlanta.com",
            "urn:service:sos",
            "sip:1@[2001:db8::10]:5070",
        }) {
            assertThat(SipUri.parse(text)).hasToString(text);
        }
    }

    @Test
    void findsParametersInAnyCase() {
        SipUri uri = SipUri.parse("sip:a@b;Transport=TCP;lr;x=");

        assertThat(uri.parameter("transport")).isEqualTo("TCP");
        assertThat(uri.parameter("LR")).isEmpty();
        assertThat(uri.parameter("x")).isEmpty();
        assertThat(uri.parameter("absent")).isEmpty();
    }

    @Test
    void decodesEscapesAndKeepsWhatIsNone() {
        assertThat(SipUri.decoded("%2B358%20x%C3%BC")).isEqualTo("+358 x\u00fc");
        assertThat(SipUri.decoded("100%")).isEqualTo("100%");
        assertThat(SipUri.decoded("%zz%4")).isEqualTo("%zz%4");
        assertThat(SipUri.decoded("%ff")).isEqualTo("\ufffd");
    }
}
