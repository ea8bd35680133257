package io.offhook.sip.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipValueCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads answers of the registrar back, as a phone does. */
final class RegistrarAnswers {
    private RegistrarAnswers() {}

    /** Each binding is one Contact with its URI and expiry, and no header is there that was not meant. */
    static void assertWellFormed(RegisterOutcome outcome, String what) {
        byte[] bytes = ("SIP/2.0 200 OK\r\n" + String.join("\r\n", outcome.headers()) + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        SipMessageView view = new SipMessageView();
        view.wrap(bytes, 0, bytes.length);
        assertThat(view.headerCount()).as(what).isEqualTo(outcome.headers().size());
        assertThat(view.malformedLines()).as(what).isZero();
        SipValueCursor cursor = new SipValueCursor();
        SipAddressView contact = new SipAddressView();
        cursor.start(view, SipHeader.CONTACT);
        List<Binding> bindings = outcome.bindings();
        for (Binding binding : bindings == null ? List.<Binding>of() : bindings) {
            assertThat(cursor.next()).as(what).isTrue();
            contact.wrap(view.octets(), cursor.offset(), cursor.length());
            assertThat(contact.uri()).as(what).isEqualTo(binding.contact());
            assertThat(contact.parameter("expires")).as(what).matches("[0-9]+");
            assertThat(contact.parameter("+sip.instance")).as(what).isEqualTo(binding.instance());
            assertThat(binding.encoded().length).as(what).isLessThanOrEqualTo(Binding.MOST_BYTES);
            assertThat(Binding.of(binding.encoded())).as(what).isEqualTo(binding);
        }
        if (bindings != null) {
            assertThat(cursor.next()).as(what).isFalse();
        }
    }
}
