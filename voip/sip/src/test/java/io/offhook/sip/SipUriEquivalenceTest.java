package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 3261, 19.1.4, and what else its rules say. */
class SipUriEquivalenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sip:%61lice@atlanta.com;transport=TCP | sip:alice@AtLanTa.CoM;Transport=tcp",
                "sip:carol@chicago.com | sip:carol@chicago.com;newparam=5",
                "sip:carol@chicago.com | sip:carol@chicago.com;security=on",
                "sip:carol@chicago.com;newparam=5 | sip:carol@chicago.com;security=on",
                "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com | sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com",
                "sip:alice@atlanta.com?subject=project%20x&priority=urgent | sip:alice@atlanta.com?priority=urgent&subject=project%20x",
                "sip:a@[2001:db8::1]:5060 | sip:a@[2001:DB8:0:0::1]:5060",
                "SIP:a@b | sip:a@B",
                "sip:a@b;lr | sip:a@b",
                "sip:a%3bx@b | sip:a%3Bx@b",
                "tel:+1-201-555-0123 | tel:+1.201.555.0123",
            })
    void areEquivalent(String one, String other) {
        assertThat(SipUri.parse(one).isEquivalentTo(SipUri.parse(other))).isTrue();
        assertThat(SipUri.parse(other).isEquivalentTo(SipUri.parse(one))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SIP:ALICE@AtLanTa.CoM;Transport=udp | sip:alice@AtLanTa.CoM;Transport=UDP",
                "sip:bob@biloxi.com | sip:bob@biloxi.com:5060",
                "sip:bob@biloxi.com | sip:bob@biloxi.com;transport=udp",
                "sip:bob@biloxi.com | sip:bob@biloxi.com:6000;transport=tcp",
                "sip:carol@chicago.com | sip:carol@chicago.com?Subject=next%20meeting",
                "sip:bob@phone21.boxesbybob.com | sip:bob@192.0.2.4",
                "sip:carol@chicago.com;security=on | sip:carol@chicago.com;security=off",
                "sip:a@b | sips:a@b",
                "sip:a@b | sip:b",
                "sip:a:secret@b | sip:a@b",
                "sip:a:secret@b | sip:a:Secret@b",
                "sip:a@b;user=phone | sip:a@b",
                "sip:a@b;ttl=1 | sip:a@b",
                "sip:a@b;maddr=239.1.1.1 | sip:a@b",
                "sip:a@b;method=INVITE | sip:a@b",
                "sip:a%3Bx@b | sip:a;x@b",
                "sip:a@b?x=1 | sip:a@b?x=2",
                "sip:a@b?x=1 | sip:a@b?x=1&y=2",
                "tel:+12015550123 | tel:12015550123",
                "tel:7042;phone-context=example.com | tel:7042",
            })
    void areNotEquivalent(String one, String other) {
        assertThat(SipUri.parse(one).isEquivalentTo(SipUri.parse(other))).isFalse();
        assertThat(SipUri.parse(other).isEquivalentTo(SipUri.parse(one))).isFalse();
    }
}
