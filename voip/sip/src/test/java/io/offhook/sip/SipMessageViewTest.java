package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipMessageViewTest {
    private static final String BODY = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n";
    static final String INVITE = Native.lines(
                    "INVITE sip:bob@biloxi.example.com SIP/2.0",
                    "Via: SIP/2.0/UDP pc33.atlanta.example.com:5066;branch=z9hG4bKnashds8;rport",
                    "Via: SIP/2.0/TCP proxy.example.com;branch=z9hG4bKlower",
                    "Max-Forwards: 70",
                    "From: \"Alice, \\\"A\\\" <x>\" <sip:alice%2B1@atlanta.example.com:5070;transport=udp>;tag=1928301774",
                    "To: Bob <sip:bob@biloxi.example.com>",
                    "Call-ID: a84b4c76e66710@pc33.atlanta.example.com",
                    "CSeq: 314159 INVITE",
                    "Contact: <sip:alice@pc33.atlanta.example.com>",
                    "P-Asserted-Identity: \"Alice\" <sip:+15551234@atlanta.example.com>, <tel:+15551234>",
                    "Reason: Q.850;cause=16;text=\"Terminated\"",
                    "User-Agent: Phone/1.0 (a, b)",
                    "Expires: 180",
                    "Retry-After: 18000;duration=3600",
                    "X-Own: something",
                    "Content-Type: Application/SDP ; charset=utf-8",
                    "Content-Length: " + BODY.length(),
                    "")
            + BODY;

    @Test
    void readsRequest() {
        SipMessageView view = new SipMessageView();
        MemorySegment bytes = Native.text(INVITE);

        assertThat(view.wrap(bytes, 0, (int) bytes.byteSize())).isEqualTo(WrapStatus.OK);

        assertThat(view.isRequest()).isTrue();
        assertThat(view.method()).isEqualTo(SipMethod.INVITE);
        assertThat(view.methodText()).isEqualTo("INVITE");
        assertThat(view.requestUri()).isEqualTo("sip:bob@biloxi.example.com");
        assertThat(view.statusCode()).isEqualTo(-1);
        assertThat(view.reasonPhrase()).isEmpty();
        assertThat(view.callId()).isEqualTo("a84b4c76e66710@pc33.atlanta.example.com");
        assertThat(view.cseqNumber()).isEqualTo(314159);
        assertThat(view.cseqMethod()).isEqualTo(SipMethod.INVITE);
        assertThat(view.fromDisplayName()).isEqualTo("Alice, \"A\" <x>");
        assertThat(view.fromUri()).isEqualTo("sip:alice%2B1@atlanta.example.com:5070;transport=udp");
        assertThat(view.fromUser()).isEqualTo("alice+1");
        assertThat(view.fromTag()).isEqualTo("1928301774");
        assertThat(view.fromTagHash()).isNotZero();
        assertThat(view.toDisplayName()).isEqualTo("Bob");
        assertThat(view.toUser()).isEqualTo("bob");
        assertThat(view.toTag()).isEmpty();
        assertThat(view.toTagHash()).isZero();
        assertThat(view.topViaBranch()).isEqualTo("z9hG4bKnashds8");
        assertThat(view.topViaSentBy()).isEqualTo("pc33.atlanta.example.com:5066");
        assertThat(view.topViaTransport()).isEqualTo("UDP");
        assertThat(view.contactUri()).isEqualTo("sip:alice@pc33.atlanta.example.com");
        assertThat(view.assertedIdentityUri()).isEqualTo("sip:+15551234@atlanta.example.com");
        assertThat(view.reason()).isEqualTo("Q.850;cause=16;text=\"Terminated\"");
        assertThat(view.reasonCause()).isEqualTo(16);
        assertThat(view.userAgent()).isEqualTo("Phone/1.0 (a, b)");
        assertThat(view.expires()).isEqualTo(180);
        assertThat(view.maxForwards()).isEqualTo(70);
        assertThat(view.retryAfter()).isEqualTo(18000);
        assertThat(view.contentType()).isEqualTo("application/sdp");
        assertThat(view.contentLength()).isEqualTo(BODY.length());
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.NONE);
        assertThat(Native.string(view.octets(), view.bodyOffset(), view.bodyLength()))
                .isEqualTo(BODY);
        assertThat(view.headerCount()).isEqualTo(16);
        assertThat(view.header(14 - 1)).isEqualTo(SipHeader.OTHER);
        assertThat(view.name(13)).isEqualTo("X-Own");
        assertThat(view.value(13)).isEqualTo("something");
        assertThat(view.length()).isEqualTo(INVITE.length());
        assertThat(view.malformedLines()).isZero();
        assertThatThrownBy(() -> view.value(16)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void readsResponse() {
        SipMessageView view = Native.view(Native.lines(
                "SIP/2.0 486 Busy Here", "Call-ID: x", "CSeq: 4294967295 INVITE", "To: <sip:a@b>;TAG=z", ""));

        assertThat(view.isRequest()).isFalse();
        assertThat(view.statusCode()).isEqualTo(486);
        assertThat(view.reasonPhrase()).isEqualTo("Busy Here");
        assertThat(view.method()).isEqualTo(SipMethod.OTHER);
        assertThat(view.methodText()).isEmpty();
        assertThat(view.requestUri()).isEmpty();
        assertThat(view.cseqNumber()).isEqualTo(4294967295L);
        assertThat(view.toTag()).isEqualTo("z");
        assertThat(view.bodyLength()).isZero();
        assertThat(view.reasonCause()).isEqualTo(-1);
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.NONE);
    }

    @Test
    void saysMalformedAndHasNothingForWhatIsNotSip() {
        SipMessageView view = Native.view(INVITE);
        MemorySegment other = Native.text("GET / HTTP/1.1\r\nCall-ID: x\r\n\r\n");

        assertThat(view.wrap(other, 0, (int) other.byteSize())).isEqualTo(WrapStatus.MALFORMED);

        assertThat(view.headerCount()).isZero();
        assertThat(view.callId()).isEmpty();
        assertThat(view.callIdHash()).isZero();
        assertThat(view.bodyLength()).isZero();
        assertThat(view.startLine()).isEmpty();
        assertThat(view.wrap(other, 0, 0)).isEqualTo(WrapStatus.MALFORMED);
    }

    @Test
    void readsEveryCompactForm() {
        StringBuilder message = new StringBuilder("INVITE sip:a@b SIP/2.0\r\n");
        List<SipHeader> expected = new ArrayList<>();
        for (SipHeader header : SipHeader.values()) {
            if (header.compactForm() != 0) {
                message.append(header.compactForm()).append(": v\r\n");
                message.append(Character.toUpperCase(header.compactForm())).append("\t : v\r\n");
                expected.add(header);
                expected.add(header);
            }
        }
        SipMessageView view = Native.view(message + "\r\n");

        assertThat(expected).hasSize(40);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(view.header(i)).isEqualTo(expected.get(i));
            assertThat(view.value(i)).isEqualTo("v");
        }
    }

    @Test
    void readsEveryLongNameInAnyCase() {
        for (SipHeader header : SipHeader.values()) {
            if (header == SipHeader.OTHER) {
                continue;
            }
            for (String name : new String[] {
                header.text(),
                header.text().toUpperCase(Locale.ROOT),
                header.text().toLowerCase(Locale.ROOT)
            }) {
                SipMessageView view = Native.view("INVITE sip:a@b SIP/2.0\r\n" + name + ":v\r\n\r\n");
                assertThat(view.header(0)).isEqualTo(header);
                assertThat(view.find(header, 0)).isZero();
                assertThat(view.find(header, 1)).isEqualTo(-1);
            }
            SipMessageView longer = Native.view("INVITE sip:a@b SIP/2.0\r\n" + header.text() + "x: v\r\n\r\n");
            assertThat(longer.header(0)).isEqualTo(SipHeader.OTHER);
        }
    }

    @Test
    void unfoldsValues() {
        SipMessageView view = Native.view(Native.lines(
                "INVITE sip:a@b SIP/2.0",
                "Subject: I know you're there,",
                "         pick up the phone \t",
                "\tand answer!",
                "Call-ID:",
                "   folded@host",
                "Empty:",
                "From: <sip:x@y>",
                "   ;tag",
                "   =t",
                ""));

        assertThat(view.text(SipHeader.SUBJECT)).isEqualTo("I know you're there, pick up the phone and answer!");
        assertThat(view.callId()).isEqualTo("folded@host");
        assertThat(view.value(view.find(SipHeader.OTHER, 0))).isEmpty();
        assertThat(view.fromTag()).isEqualTo("t");
        assertThat(view.headerCount()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"crlf", "lf", "cr", "crcrlf"})
    void takesAnyLineEnd(String kind) {
        String end = kind.replace("cr", "\r").replace("lf", "\n");
        String headers = INVITE.substring(0, INVITE.length() - BODY.length());
        SipMessageView view = new SipMessageView();
        MemorySegment bytes = Native.text(headers.replace("\r\n", end) + BODY);

        assertThat(view.wrap(bytes, 0, (int) bytes.byteSize())).isEqualTo(WrapStatus.OK);

        assertThat(view.headerCount()).isEqualTo(16);
        assertThat(view.callId()).isEqualTo("a84b4c76e66710@pc33.atlanta.example.com");
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.NONE);
        assertThat(Native.string(view.octets(), view.bodyOffset(), view.bodyLength()))
                .isEqualTo(BODY);
        byte[] octets = view.octets();
        assertThat(SipMessageView.callIdHash(octets, 0, octets.length)).isEqualTo(view.callIdHash());
    }

    @Test
    void walksValuesOverLinesAndCommas() {
        SipMessageView view = Native.view(Native.lines(
                "REGISTER sip:b SIP/2.0",
                "Contact: \"a, b\" <sip:1@h;x=\"q,r\">;q=0.5 , <sip:2,3@h>,, sip:4@h;p=\"x\\\",y\"",
                "Date: Sat, 13 Nov 2010 23:29:00 GMT",
                "m:",
                "m: <sip:5@h>",
                ""));
        SipValueCursor cursor = new SipValueCursor();
        List<String> contacts = new ArrayList<>();
        cursor.start(view, SipHeader.CONTACT);
        while (cursor.next()) {
            contacts.add(cursor.text());
        }
        assertThat(cursor.next()).isFalse();

        assertThat(contacts)
                .containsExactly(
                        "\"a, b\" <sip:1@h;x=\"q,r\">;q=0.5", "<sip:2,3@h>", "sip:4@h;p=\"x\\\",y\"", "<sip:5@h>");
        cursor.start(view, SipHeader.DATE);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.text()).isEqualTo("Sat, 13 Nov 2010 23:29:00 GMT");
        assertThat(cursor.next()).isFalse();
        assertThat(new SipValueCursor().next()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<sip:alice@h>;tag=1                    | ''      | sip:alice@h           | alice   | 1",
                "sip:alice@h;tag=1                      | ''      | sip:alice@h           | alice   | 1",
                "Alice <sip:alice@h>;tag=1              | Alice   | sip:alice@h           | alice   | 1",
                "A. G. Bell <sip:agb@h> ;tag= a48s      | A. G. Bell | sip:agb@h          | agb     | a48s",
                "\"J \\\\ Doe\"<sip:jd@h>;x=\";tag=no\";tag=y | J \\ Doe | sip:jd@h          | jd      | y",
                "<tel:+358-555;phone-context=x>;tag=2   | ''      | tel:+358-555;phone-context=x | +358-555 | 2",
                "tel:911;tag=2                          | ''      | tel:911               | 911     | 2",
                "<sip:host.example.com>                 | ''      | sip:host.example.com  | ''      | ''",
                "<sip:1.2.3.4:5060>;tag=                | ''      | sip:1.2.3.4:5060      | ''      | ''",
                "<sip:%61lice:secret@h;user=phone>      | ''      | sip:%61lice:secret@h;user=phone | alice | ''",
                "<sip:+1;ext=5@h>                       | ''      | sip:+1;ext=5@h        | +1;ext=5 | ''",
                "<urn:service:sos>                      | ''      | urn:service:sos       | service:sos | ''",
                "\"open <sip:a@h>;tag=3                 | \"open  | sip:a@h               | a       | 3",
                "Bob <sip:bob@h;tag=4                   | Bob     | sip:bob@h;tag=4       | bob     | ''",
                "<sip:bob@h;tag=inner>                  | ''      | sip:bob@h;tag=inner   | bob     | ''",
                "1000@h:5060                            | ''      | 1000@h:5060           | 1000    | ''",
                "''                                     | ''      | ''                    | ''      | ''",
            })
    void takesAddressesApart(String from, String name, String uri, String user, String tag) {
        SipMessageView view = Native.view(Native.lines("INVITE sip:a@b SIP/2.0", "f: " + from, ""));

        assertThat(view.fromDisplayName()).isEqualTo(name);
        assertThat(view.fromUri()).isEqualTo(uri);
        assertThat(view.fromUser()).isEqualTo(user);
        assertThat(view.fromTag()).isEqualTo(tag);
    }

    @ParameterizedTest
    @CsvSource({
        "SIP/2.0/UDP 1.2.3.4:5060;branch=b,                        UDP, 1.2.3.4:5060, b",
        "SIP / 2.0 / TCP   first.example.com: 4000;ttl=16 ;branch = b  ; x, TCP, first.example.com: 4000, b",
        "SIP/2.0/WSS df7jal23ls0d.invalid;rport;BRANCH=\"q\",      WSS, df7jal23ls0d.invalid, q",
        "SIP/2.0/TLS [2001:db8::1]:5061,                           TLS, [2001:db8::1]:5061, ''",
        "garbage,                                                  '', '', ''",
    })
    void takesViaApart(String via, String transport, String sentBy, String branch) {
        SipMessageView view = Native.view(Native.lines("INVITE sip:a@b SIP/2.0", "v: " + via, ""));

        assertThat(view.topViaTransport()).isEqualTo(transport);
        assertThat(view.topViaSentBy()).isEqualTo(sentBy);
        assertThat(view.topViaBranch()).isEqualTo(branch);
        assertThat(view.topViaBranchHash() != 0).isEqualTo(!branch.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 6,                    6, NONE",
        "Content-Length: 0006,                 6, NONE",
        "X: y,                                 6, MISSING",
        "Content-Length: 4,                    4, TOO_SHORT",
        "Content-Length: 0,                    0, TOO_SHORT",
        "Content-Length: 7,                    6, TOO_LONG",
        "Content-Length: 9999999999999999999,  6, TOO_LONG",
        "Content-Length: -1,                   6, NEGATIVE",
        "Content-Length: bad,                  6, NOT_A_NUMBER",
        "Content-Length:,                      6, NOT_A_NUMBER",
        "Content-Length: 6 7,                  6, NOT_A_NUMBER",
        "l: 6!Content-Length: 6,               6, NONE",
        "l: 5!Content-Length: 6,               5, CONTRADICTORY",
    })
    void boundsBodyByContentLength(String header, int length, ContentLengthProblem problem) {
        SipMessageView view = Native.view("BYE sip:a@b SIP/2.0\r\n" + header.replace("!", "\r\n") + "\r\n\r\nabcdef");

        assertThat(view.bodyLength()).isEqualTo(length);
        assertThat(view.contentLengthProblem()).isEqualTo(problem);
    }

    @Test
    void lineEndsAndZerosAfterTheBodyAreNoProblem() {
        SipMessageView view = Native.view("BYE sip:a@b SIP/2.0\r\nl: 0\r\n\r\n\r\n\0\0");

        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.NONE);
        assertThat(view.bodyLength()).isZero();
    }

    @Test
    void countsHeadersAboveTheLimit() {
        StringBuilder message = new StringBuilder("INVITE sip:a@b SIP/2.0\r\n");
        for (int i = 0; i < 300; i++) {
            message.append("X-").append(i).append(": ").append(i).append("\r\n folded\r\n");
        }
        SipMessageView view = Native.view(message + "\r\nbody");

        assertThat(view.headerCount()).isEqualTo(256);
        assertThat(view.headerOverflow()).isEqualTo(44);
        assertThat(view.isHeaderComplete()).isTrue();
        assertThat(view.value(255)).isEqualTo("255 folded");
        assertThat(view.bodyLength()).isEqualTo(4);
    }

    @Test
    void skipsLinesThatAreNoHeaders() {
        SipMessageView view = Native.view(Native.lines(
                "INVITE sip:a@b SIP/2.0",
                " folded onto nothing",
                "no colon here",
                "\tfolded onto no header",
                ": no name",
                "Bad Name: v",
                "Call-ID: x",
                ""));

        assertThat(view.callId()).isEqualTo("x");
        assertThat(view.headerCount()).isEqualTo(2);
        assertThat(view.name(0)).isEqualTo("Bad Name");
        assertThat(view.malformedLines()).isEqualTo(5);
    }

    @Test
    void readsUtf8AndReplacesWhatIsNot() {
        SipMessageView view = Native.view(Native.lines(
                "MESSAGE sip:j\u00fcrgen@b SIP/2.0", "From: J\u00fcrgen \u4f60 <sip:j\u00fcrgen@b>", "i: \u00fc", ""));

        assertThat(view.requestUri()).isEqualTo("sip:j\u00fcrgen@b");
        assertThat(view.fromDisplayName()).isEqualTo("J\u00fcrgen \u4f60");
        assertThat(view.fromUser()).isEqualTo("j\u00fcrgen");
        assertThat(view.callIdEquals("\u00fc")).isTrue();
        assertThat(view.callIdEquals("x")).isFalse();
        byte[] latin1 = "i: \u00e9".getBytes(StandardCharsets.ISO_8859_1);
        byte[] message = new byte[24 + latin1.length];
        System.arraycopy("INVITE sip:a@b SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII), 0, message, 0, 24);
        System.arraycopy(latin1, 0, message, 24, latin1.length);
        assertThat(Native.view(message).callId()).isEqualTo("\ufffd");
    }

    @Test
    void positionsAreThoseInTheCopyOfASegment() {
        MemorySegment segment = Native.text("before\r\n" + INVITE + "after");
        SipMessageView view = new SipMessageView();

        assertThat(view.wrap(segment, 6, 2 + INVITE.length())).isEqualTo(WrapStatus.OK);
        segment.fill((byte) 'x');

        assertThat(view.offset()).isEqualTo(2);
        assertThat(Native.string(view.octets(), view.offset(), view.length())).isEqualTo(INVITE);
        int callId = view.find(SipHeader.CALL_ID, 0);
        assertThat(Native.string(view.octets(), view.valueOffset(callId), view.valueLength(callId)))
                .isEqualTo(view.callId());
        byte[] octets = Native.octets("before\r\n" + INVITE + "after");
        assertThat(view.wrap(octets, 6, 2 + INVITE.length())).isEqualTo(WrapStatus.OK);
        assertThat(view.octets()).isSameAs(octets);
        assertThat(view.offset()).isEqualTo(8);
        assertThat(Native.string(octets, view.bodyOffset(), view.bodyLength())).isEqualTo(BODY);
        assertThatThrownBy(() -> view.wrap(octets, 6, octets.length)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> view.wrap(octets, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void takesWhatIsAboveTheLimitForNotCaptured() {
        String start = "MESSAGE sip:a@b SIP/2.0\r\nContent-Length: 300000\r\n\r\n";
        MemorySegment segment = Native.text(start + "m".repeat(300_000));
        SipMessageView view = new SipMessageView();

        assertThat(view.wrap(segment, 0, (int) segment.byteSize())).isEqualTo(WrapStatus.OK);

        assertThat(view.bodyLength()).isEqualTo(SipText.LIMIT - start.length());
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.TOO_LONG);
    }

    @Test
    void tellsCapturesApartByAllTheirBytes() {
        byte[] octets = Native.octets("xx\r\n" + INVITE + "\r\nxx");
        SipMessageView view = new SipMessageView();
        Set<Long> hashes = new HashSet<>();
        for (int length = 0; length <= octets.length - 4; length++) {
            view.wrap(octets, 2, length);
            hashes.add(view.captureHash());
        }
        assertThat(hashes).hasSize(octets.length - 3);
        long hash = view.captureHash();
        octets[0] = octets[octets.length - 1] = 'y';
        view.wrap(octets, 2, octets.length - 4);
        assertThat(view.captureHash()).isEqualTo(hash);
        octets[octets.length - 3] ^= 1;
        view.wrap(octets, 2, octets.length - 4);
        assertThat(view.captureHash()).isNotEqualTo(hash);
    }

    @Test
    void callIdHashAgreesWithTheIndexHoweverItIsWritten() {
        long plain = hash("Call-ID: abc@host");
        assertThat(plain).isNotZero();
        assertThat(hash("i:abc@host")).isEqualTo(plain);
        assertThat(hash("CALL-id \t:\t abc@host  ")).isEqualTo(plain);
        assertThat(hash("Call-ID:\r\n abc@host")).isEqualTo(plain);
        assertThat(hash("Subject: x\r\n Call-ID: no\r\nContent-Type: c\r\nI : abc@host"))
                .isEqualTo(plain);
        assertThat(hash("Call-ID: abc@hosT")).isNotEqualTo(plain);
        assertThat(hash("Call-ID: abc def ghij")).isEqualTo(hash("Call-ID: abc\r\n def \r\n\tghij"));
        assertThat(hash("Call-ID: abc def ghij")).isNotEqualTo(hash("Call-ID: abc  def ghij"));
        assertThat(hash("Call-IDx: abc@host")).isZero();
        assertThat(hash("Call-ID:")).isZero();
        assertThat(hash("From: x\r\n\r\nCall-ID: in the body")).isZero();
    }

    private static long hash(String headers) {
        byte[] message = Native.octets("INVITE sip:a@b SIP/2.0\r\n" + headers + "\r\n\r\n");
        long hash = SipMessageView.callIdHash(message, 0, message.length);
        assertThat(Native.view(message).callIdHash()).isEqualTo(hash);
        return hash;
    }

    @Test
    void comparesCallIds() {
        SipMessageView view = Native.view(INVITE);
        String callId = "a84b4c76e66710@pc33.atlanta.example.com";

        assertThat(view.callIdEquals(callId)).isTrue();
        assertThat(view.callIdEquals(callId + "x")).isFalse();
        assertThat(view.callIdEquals(callId.substring(1))).isFalse();
        assertThat(view.callIdEquals("")).isFalse();
        byte[] other = Native.octets(">" + callId);
        assertThat(view.callIdEquals(other, 1, callId.length())).isTrue();
        assertThat(view.callIdEquals(other, 0, callId.length())).isFalse();
        assertThat(view.callIdEquals(other, 1, callId.length() - 1)).isFalse();
    }

    @Test
    void hashesTheBranchOfTheHopBefore() {
        SipMessageView request = new SipMessageView();
        byte[] before =
                "OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bK1\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        request.wrap(before, 0, before.length);
        long branch = request.topViaBranchHash();
        assertThat(request.secondViaBranchHash()).isZero();
        for (String line :
                new String[] {"Via: SIP/2.0/UDP b;branch=z9hG4bK2\r\nVia: ", "v: SIP/2.0/UDP b;branch=z9hG4bK2, "}) {
            byte[] passedOn = ("OPTIONS sip:a SIP/2.0\r\n" + line + "SIP/2.0/UDP a;branch=z9hG4bK1\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8);
            request.wrap(passedOn, 0, passedOn.length);
            assertThat(request.secondViaBranchHash()).isEqualTo(branch);
            assertThat(request.topViaBranchHash()).isNotEqualTo(branch);
        }
    }
}
