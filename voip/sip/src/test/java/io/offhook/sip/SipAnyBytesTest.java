package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any bytes can be read: cut anywhere, changed anywhere, or made to take long. */
class SipAnyBytesTest {
    private static final String INVITE = SipMessageViewTest.INVITE;

    @Test
    void everyTruncationGivesTheHeadersThatAreThere() {
        SipMessageView full = Native.view(INVITE);
        int headersEnd = full.bodyOffset();
        SipMessageView view = new SipMessageView();
        for (int length = 0; length <= INVITE.length(); length++) {
            byte[] cut = Native.octets(INVITE.substring(0, length));
            WrapStatus status = view.wrap(cut, 0, length);
            if (length < "INVITE sip:".length()) {
                assertThat(status).isEqualTo(WrapStatus.MALFORMED);
            } else if (length < headersEnd - 1) {
                assertThat(status).as("%d bytes", length).isEqualTo(WrapStatus.TRUNCATED);
                assertThat(view.isHeaderComplete()).isFalse();
                assertThat(view.bodyLength()).isZero();
            } else {
                assertThat(status).isEqualTo(WrapStatus.OK);
            }
            assertThat(view.method()).isEqualTo(status == WrapStatus.MALFORMED ? SipMethod.OTHER : SipMethod.INVITE);
            int usable = view.headerCount() - (view.isLastHeaderCut() ? 1 : 0);
            for (int i = 0; i < usable; i++) {
                assertThat(view.value(i)).isEqualTo(full.value(i));
            }
            assertThat(SipMessageView.callIdHash(cut, 0, length))
                    .isEqualTo(status == WrapStatus.MALFORMED ? 0 : view.callIdHash());
            readEverything(view);
        }
        assertThat(view.headerCount()).isEqualTo(full.headerCount());
    }

    @Test
    void aShorterMessageShowsNothingOfTheOneBeforeIt() {
        SipMessageView used = new SipMessageView();
        for (int length = 0; length <= INVITE.length(); length++) {
            used.wrap(Native.text(INVITE), 0, INVITE.length());
            MemorySegment cut = Native.text(INVITE.substring(0, length));
            SipMessageView fresh = new SipMessageView();
            byte[] octets = Native.octets(INVITE.substring(0, length));

            assertThat(used.wrap(cut, 0, length)).as("%d bytes", length).isEqualTo(fresh.wrap(octets, 0, length));
            assertThat(used.captureHash()).isEqualTo(fresh.captureHash());
            assertThat(used.startLine()).isEqualTo(fresh.startLine());
            assertThat(used.requestUri()).isEqualTo(fresh.requestUri());
            assertThat(used.headerCount()).isEqualTo(fresh.headerCount());
            assertThat(used.callIdHash()).isEqualTo(fresh.callIdHash());
            assertThat(used.fromTag()).isEqualTo(fresh.fromTag());
            assertThat(used.topViaBranch()).isEqualTo(fresh.topViaBranch());
            assertThat(used.contentLength()).isEqualTo(fresh.contentLength());
            assertThat(used.bodyOffset()).isEqualTo(fresh.bodyOffset());
            assertThat(used.bodyLength()).isEqualTo(fresh.bodyLength());
        }
    }

    @Test
    void mutatedMessagesNeverThrow() {
        long seed = 20261121;
        Random random = new Random(seed);
        SipMessageView view = new SipMessageView();
        byte[] original = INVITE.getBytes(StandardCharsets.UTF_8);
        byte[] spice = "\r\n \t:;,<>\"\\=@\0%".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 4000; i++) {
            byte[] bytes = original.clone();
            int changes = 1 + random.nextInt(12);
            for (int j = 0; j < changes; j++) {
                int at = i % 2 == 0 ? random.nextInt(bytes.length) : 25 + random.nextInt(bytes.length - 25);
                bytes[at] = random.nextBoolean() ? spice[random.nextInt(spice.length)] : (byte) random.nextInt(256);
            }
            if (view.wrap(bytes, 0, bytes.length) != WrapStatus.MALFORMED) {
                assertThat(SipMessageView.callIdHash(bytes, 0, bytes.length))
                        .as("seed %d, message %d", seed, i)
                        .isEqualTo(view.callIdHash());
            }
            readEverything(view);
        }
    }

    /** Patterns that a careless scan needs the square of their length for: minutes where this takes milliseconds. */
    @Test
    void hostilePatternsTakeLinearTime() {
        String start = "INVITE sip:a@b SIP/2.0\r\n";
        List<String> patterns = new ArrayList<>();
        for (String header : new String[] {"From: ", "Contact: ", "Via: SIP/2.0/UDP a", "Reason: "}) {
            for (String piece : new String[] {
                ";\\\"", ",\\\"", "<", "\"", "\\", ";", ",", "\r\n ", "a\r\n ", " ", ";tag", "\"<", "a@"
            }) {
                patterns.add(start + header + "\"" + piece.repeat(60_000 / piece.length()) + "\r\n\r\n");
            }
        }
        patterns.add("\r".repeat(60_000));
        patterns.add(start + "a:\r\n".repeat(12_000));
        patterns.add(start + "Content-Type: multipart/mixed;boundary=b\r\n\r\n" + "--b\r\n".repeat(12_000));
        patterns.add(start + "Content-Type: multipart/mixed;boundary=b\r\n\r\n"
                + "--b\r\nContent-Type: multipart/x;boundary=b\r\n\r\n".repeat(1200));
        assertTimeout(Duration.ofSeconds(20), () -> {
            for (String pattern : patterns) {
                SipMessageView view = Native.view(pattern);
                view.fromTag();
                view.toTag();
                view.topViaBranch();
                view.reasonCause();
                view.contactUri();
                view.callIdHash();
                view.findSdp(new SipMultipart());
                SipValueCursor cursor = new SipValueCursor();
                cursor.start(view, SipHeader.CONTACT);
                while (cursor.next()) {
                    assertThat(cursor.length()).isPositive();
                }
            }
        });
    }

    /** Calls every accessor and holds what must be true of any bytes. */
    static void readEverything(SipMessageView view) {
        byte[] octets = view.octets();
        assertThat(view.bodyOffset() + view.bodyLength()).isLessThanOrEqualTo(octets.length);
        assertThat(view.bodyLength()).isNotNegative();
        for (int i = 0; i < view.headerCount(); i++) {
            assertThat(view.valueOffset(i) + view.valueLength(i)).isLessThanOrEqualTo(octets.length);
            assertThat(view.nameLength(i)).isPositive();
            assertThat(view.value(i)).doesNotContain("\r", "\n");
            assertThat(view.name(i)).isNotEmpty();
        }
        assertThat(view.callIdEquals(view.callId())).isTrue();
        SipAddressView address = new SipAddressView();
        SipValueCursor cursor = new SipValueCursor();
        SipViaView via = new SipViaView();
        for (SipHeader header : SipHeader.values()) {
            view.firstValue(header);
            view.text(header);
            cursor.start(view, header);
            while (cursor.next()) {
                assertThat(cursor.length()).isPositive();
                address.wrap(octets, cursor.offset(), cursor.length());
                assertThat(SipUri.parse(address.uri()).toString()).isNotNull();
                address.displayName();
                address.tag();
                address.parameter("expires");
                via.wrap(octets, cursor.offset(), cursor.length());
                via.sentBy();
                via.transport();
                via.branch();
                via.parameter("received");
            }
        }
        view.startLine();
        view.methodText();
        view.requestUri();
        view.reasonPhrase();
        view.cseqNumber();
        view.cseqMethodText();
        assertThat(view.cseqMethod()).isEqualTo(SipMethod.of(view.cseqMethodText()));
        view.fromUser();
        view.toUser();
        view.contentType();
        view.expires();
        SipMultipart part = new SipMultipart();
        if (view.findSdp(part)) {
            assertThat(part.offset()).isGreaterThanOrEqualTo(view.bodyOffset());
            assertThat(part.offset() + part.length()).isLessThanOrEqualTo(view.bodyOffset() + view.bodyLength());
            SessionDescription.parse(octets, part.offset(), part.length());
        }
    }
}
