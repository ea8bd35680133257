package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of RFC 4475, as far as they bear on reading a message rather than on answering it. */
class SipTortureTest {
    @Test
    void shortTortuousInvite() {
        // 3.1.1.1
        SipMessageView view = wrap(Native.lines(
                        "INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0",
                        "TO :",
                        " sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n",
                        "from   : \"J Rosenberg \\\\\\\"\"       <sip:jdrosen@example.com>",
                        "  ;",
                        "  tag = 98asjd8",
                        "MaX-fOrWaRdS: 0068",
                        "Call-ID: wsinv.ndaksdj@192.0.2.1",
                        "Content-Length   : 150",
                        "cseq: 0009",
                        "  INVITE",
                        "Via  : SIP  /   2.0",
                        " /UDP",
                        "    192.0.2.2;branch=390skdjuw",
                        "s :",
                        "NewFangledHeader:   newfangled value",
                        " continued newfangled value",
                        "UnknownHeaderWithUnusualValue: ;;,,;;,;",
                        "Content-Type: application/sdp",
                        "Route:",
                        " <sip:services.example.com;lr;unknownwith=value;unknown-no-value>",
                        "v:  SIP  / 2.0  / TCP     spindle.example.com   ;",
                        "  branch  =   z9hG4bK9ikj8  ,",
                        " SIP  /    2.0   / UDP  192.168.255.111   ; branch=",
                        " z9hG4bK30239",
                        "m:\"Quoted string \\\"\\\"\" <sip:jdrosen@example.com> ; newparam =",
                        "      newvalue ;",
                        "  secondparam ; q = 0.33",
                        "")
                + Native.lines(
                        "v=0",
                        "o=mhandley 29739 7272939 IN IP4 192.0.2.3",
                        "s=-",
                        "c=IN IP4 192.0.2.4",
                        "t=0 0",
                        "m=audio 49217 RTP/AVP 0 12",
                        "m=video 3227 RTP/AVP 31",
                        "a=rtpmap:31 LPC"));

        assertThat(view.method()).isEqualTo(SipMethod.INVITE);
        assertThat(view.toUri()).isEqualTo("sip:vivekg@chair-dnrc.example.com");
        assertThat(view.toTag()).isEqualTo("1918181833n");
        assertThat(view.fromDisplayName()).isEqualTo("J Rosenberg \\\"");
        assertThat(view.fromTag()).isEqualTo("98asjd8");
        assertThat(view.maxForwards()).isEqualTo(68);
        assertThat(view.cseqNumber()).isEqualTo(9);
        assertThat(view.cseqMethod()).isEqualTo(SipMethod.INVITE);
        assertThat(view.text(SipHeader.SUBJECT)).isEmpty();
        assertThat(view.topViaTransport()).isEqualTo("UDP");
        assertThat(view.topViaSentBy()).isEqualTo("192.0.2.2");
        assertThat(view.topViaBranch()).isEqualTo("390skdjuw");
        assertThat(branches(view)).containsExactly("390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239");
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.NONE);
        SipAddressView contact = new SipAddressView();
        assertThat(view.address(SipHeader.CONTACT, contact)).isTrue();
        assertThat(contact.displayName()).isEqualTo("Quoted string \"\"");
        assertThat(contact.parameter("newparam")).isEqualTo("newvalue");
        assertThat(contact.parameter("Q")).isEqualTo("0.33");
        SipMultipart part = new SipMultipart();
        assertThat(view.findSdp(part)).isTrue();
        SessionDescription sdp = SessionDescription.parse(view.octets(), part.offset(), part.length());
        assertThat(sdp.media()).extracting(MediaDescription::port).containsExactly(49217, 3227);
    }

    @Test
    void wideRangeOfValidCharacters() {
        // 3.1.1.2
        String method = "!interesting-Method0123456789_*+`.%indeed'~";
        SipMessageView view = wrap(Native.lines(
                method + " sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too."
                        + "(doesn't-it)@example.com SIP/2.0",
                "Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
                "To: \"BEL:\\\u0007 NUL:\\\u0000 DEL:\\\u007F\" "
                        + "<sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>",
                "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>"
                        + ";fromParam''~+*_!.-%=\"\u0440\u0430\u0431\u043e\u0442\u0430\u044e\u0449\u0438\u0439\""
                        + ";tag=_token~1'+`*%!-.",
                "Call-ID: intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{",
                "CSeq: 139122385 " + method,
                "Max-Forwards: 255",
                "extensionHeader-!.%*+_`'~:\ufeff\u5927\u505c\u96fb",
                "Content-Length: 0",
                ""));

        assertThat(view.method()).isEqualTo(SipMethod.OTHER);
        assertThat(view.methodText()).isEqualTo(method);
        assertThat(view.cseqMethodText()).isEqualTo(method);
        assertThat(view.callId()).isEqualTo("intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{");
        assertThat(view.fromTag()).isEqualTo("_token~1'+`*%!-.");
        assertThat(view.fromDisplayName()).isEqualTo("token1~` token2'+_ token3*%!.-");
        assertThat(view.toDisplayName()).isEqualTo("BEL:\u0007 NUL:\u0000 DEL:\u007F");
        assertThat(view.toUser()).isEqualTo("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
        assertThat(view.topViaBranch()).isEqualTo("z9hG4bK-.!%66*_+`'~");
        assertThat(SipUri.parse(view.requestUri()).host()).isEqualTo("example.com");
        assertThat(view.malformedLines()).isZero();
    }

    @Test
    void escapedCharactersAndNulls() {
        // 3.1.1.3 and 3.1.1.4
        SipMessageView view = wrap(Native.lines(
                "INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0",
                "To: sip:%75se%72@example.com",
                "From: <sip:I%20have%20spaces@example.net>;tag=938",
                "Contact: <sip:%00@host5.example.com>, <sip:%00%00@host5.example.com>",
                ""));

        assertThat(SipUri.parse(view.requestUri()).displayUser()).isEqualTo("sips:user@example.com");
        assertThat(SipUri.parse(view.requestUri()).host()).isEqualTo("example.net");
        assertThat(view.toUser()).isEqualTo("user");
        assertThat(view.fromUser()).isEqualTo("I have spaces");
        assertThat(view.contactUri()).isEqualTo("sip:%00@host5.example.com");
    }

    @Test
    void percentWhenItIsNotAnEscape() {
        // 3.1.1.5
        SipMessageView view = wrap(Native.lines(
                "RE%47IST%45R sip:registrar.example.com SIP/2.0",
                "To: \"%Z%45\" <sip:resource@example.com>",
                "From: \"%Z%45\" <sip:resource@example.com>;tag=f232jadfj23",
                "Call-ID: esc02.asdfnqwo34rq23i34jrjasdcnl23nrlknsdf",
                "CSeq: 29344 RE%47IST%45R",
                ""));

        assertThat(view.method()).isEqualTo(SipMethod.OTHER);
        assertThat(view.methodText()).isEqualTo("RE%47IST%45R");
        assertThat(view.fromDisplayName()).isEqualTo("%Z%45");
    }

    @Test
    void noLwsBetweenDisplayNameAndBracket() {
        // 3.1.1.6
        SipMessageView view = wrap(Native.lines(
                "OPTIONS sip:user@example.com SIP/2.0", "From: caller<sip:caller@example.com>;tag=323", ""));

        assertThat(view.fromDisplayName()).isEqualTo("caller");
        assertThat(view.fromUser()).isEqualTo("caller");
        assertThat(view.fromTag()).isEqualTo("323");
    }

    @Test
    void longValues() {
        // 3.1.1.7
        String longText = "longvalue".repeat(100);
        SipMessageView view = wrap(Native.lines(
                "INVITE sip:user@example.com SIP/2.0",
                "To: \"I have a user name of " + longText + "\"<sip:user@example.com:6000;" + longText + "=" + longText
                        + ";shortparam=a>",
                "F: sip:" + longText + "@example.net;tag=12" + longText + "982424",
                "Call-ID: longreq.one" + longText,
                ""));

        assertThat(view.fromUser()).isEqualTo(longText);
        assertThat(view.fromTag()).isEqualTo("12" + longText + "982424");
        assertThat(view.callId()).isEqualTo("longreq.one" + longText);
        assertThat(SipUri.parse(view.toUri()).port()).isEqualTo(6000);
        assertThat(SipUri.parse(view.toUri()).parameter("shortparam")).isEqualTo("a");
    }

    @Test
    void extraTrailingOctetsAndSemicolonInUserPart() {
        // 3.1.1.8 and 3.1.1.9
        SipMessageView view =
                wrap(Native.lines("OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0", "Content-Length: 0", "")
                        + "INVITE sip:joe@example.com SIP/2.0\r\n");

        assertThat(SipUri.parse(view.requestUri()).user()).isEqualTo("user;par=u%40example.net");
        assertThat(view.bodyLength()).isZero();
        assertThat(view.contentLengthProblem()).isEqualTo(ContentLengthProblem.TOO_SHORT);
    }

    @Test
    void unreasonableAndUnregisteredThings() {
        // 3.1.1.10 (transports), 3.1.1.12 (an unusual reason phrase), 3.1.1.13 (none)
        SipMessageView via = wrap(Native.lines(
                "OPTIONS sip:user@example.com SIP/2.0",
                "Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw",
                "Via: SIP/2.0/UNKNOWN t2;branch=z9hG4bK2, SIP/2.0/TLS t3;branch=z9hG4bK3",
                ""));
        assertThat(branches(via)).containsExactly("z9hG4bKkdjuw", "z9hG4bK2", "z9hG4bK3");

        SipMessageView unusual = wrap(Native.lines("SIP/2.0 200 = 2**3 * 5**2 \u043d\u043e \u0441\u0442\u043e", ""));
        assertThat(unusual.reasonPhrase()).isEqualTo("= 2**3 * 5**2 \u043d\u043e \u0441\u0442\u043e");

        SipMessageView none = wrap(Native.lines("SIP/2.0 100 ", "Call-ID: noreason.asndj203insdf99223ndf", ""));
        assertThat(none.statusCode()).isEqualTo(100);
        assertThat(none.reasonPhrase()).isEmpty();
        assertThat(none.callId()).isEqualTo("noreason.asndj203insdf99223ndf");
    }

    @Test
    void separatorsAndContentLengthThatAreWrong() {
        // 3.1.2.1 (extraneous separators), 3.1.2.2 (too long), 3.1.2.3 (negative)
        SipMessageView separators = wrap(Native.lines(
                "INVITE sip:user@example.com SIP/2.0",
                "Via: SIP/2.0/UDP 192.0.2.15;;,;,,",
                "Contact: \"Joe\" <sip:joe@example.org>;;;;",
                "From: \"Harry\" <sip:harry@example.net>;;tag=1",
                ""));
        assertThat(separators.topViaSentBy()).isEqualTo("192.0.2.15");
        assertThat(separators.contactUri()).isEqualTo("sip:joe@example.org");
        assertThat(separators.fromTag()).isEqualTo("1");

        SipMessageView tooLong = wrap(Native.lines("INVITE sip:a@b SIP/2.0", "Content-Length: 9999", "", "v=0"));
        assertThat(tooLong.contentLengthProblem()).isEqualTo(ContentLengthProblem.TOO_LONG);
        assertThat(tooLong.bodyLength()).isEqualTo(5);

        SipMessageView negative = wrap(Native.lines("INVITE sip:a@b SIP/2.0", "Content-Length: -999", "", "v=0"));
        assertThat(negative.contentLengthProblem()).isEqualTo(ContentLengthProblem.NEGATIVE);
        assertThat(negative.bodyLength()).isEqualTo(5);
    }

    @Test
    void scalarFieldsWithOverlargeValues() {
        // 3.1.2.4 and 3.1.2.5
        SipMessageView request = wrap(Native.lines(
                "REGISTER sip:example.com SIP/2.0",
                "CSeq: 36893488147419103232 REGISTER",
                "Max-Forwards: 300",
                "Expires: 10000000000000000000000000000000000000",
                ""));
        assertThat(request.cseqNumber()).isEqualTo(-1);
        assertThat(request.cseqMethod()).isEqualTo(SipMethod.REGISTER);
        assertThat(request.expires()).isEqualTo(-1);
        assertThat(request.maxForwards()).isEqualTo(300);
    }

    @Test
    void unterminatedQuotesAndBentRequestLines() {
        // 3.1.2.6 to 3.1.2.12
        SipMessageView quote = wrap(
                Native.lines("INVITE sip:user@example.com SIP/2.0", "To: \"Mr. J. User <sip:j.user@example.com>", ""));
        assertThat(quote.toUser()).isEqualTo("j.user");

        assertThat(wrap(Native.lines("INVITE <sip:user@example.com> SIP/2.0", ""))
                        .requestUri())
                .isEqualTo("<sip:user@example.com>");
        assertThat(wrap(Native.lines("INVITE sip:user@example.com; lr SIP/2.0", ""))
                        .requestUri())
                .isEqualTo("sip:user@example.com; lr");
        assertThat(wrap(Native.lines("INVITE  sip:user@example.com  SIP/2.0", ""))
                        .requestUri())
                .isEqualTo("sip:user@example.com");
        assertThat(wrap(Native.lines("OPTIONS sip:remote-target@example.com SIP/2.0  ", ""))
                        .requestUri())
                .isEqualTo("sip:remote-target@example.com");
        assertThat(wrap(Native.lines("INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0", ""))
                        .requestUri())
                .endsWith("%3E");
        SipMessageView date = wrap(Native.lines(
                "INVITE sip:user@example.com SIP/2.0", "Date: Fri, 01 Jan 2010 16:00:00 EST", "Call-ID: d", ""));
        assertThat(date.firstValue(SipHeader.DATE)).isEqualTo("Fri, 01 Jan 2010 16:00:00 EST");
    }

    @Test
    void malformedNamesAndUris() {
        // 3.1.2.13 to 3.1.2.15
        SipMessageView name = wrap(Native.lines(
                "OPTIONS sip:t.watson@example.org SIP/2.0",
                "To: \"Watson, Thomas\" < sip:t.watson@example.org >",
                "From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43",
                "Contact: Bell, Alexander <sip:a.g.bell@example.com>",
                ""));
        assertThat(name.fromDisplayName()).isEqualTo("Bell, Alexander");
        assertThat(name.fromUser()).isEqualTo("a.g.bell");
        assertThat(name.fromTag()).isEqualTo("43");
        assertThat(name.toUri()).isEqualTo("sip:t.watson@example.org");
    }

    @Test
    void otherVersionsAndOverlargeResponseCodesAreNotSip2() {
        // 3.1.2.16 and 3.1.2.19
        SipMessageView view = new SipMessageView();
        byte[] version = Native.octets(Native.lines("OPTIONS sip:t.watson@example.org SIP/7.0", ""));
        assertThat(view.wrap(version, 0, version.length)).isEqualTo(WrapStatus.MALFORMED);
        byte[] code = Native.octets(Native.lines("SIP/2.0 4294967301 better not break the receiver", ""));
        assertThat(view.wrap(code, 0, code.length)).isEqualTo(WrapStatus.MALFORMED);
    }

    @Test
    void cseqMethodMismatchAndMissingOrDoubledFields() {
        // 3.1.2.17, 3.3.1, 3.3.8 and 3.3.9
        SipMessageView mismatch =
                wrap(Native.lines("OPTIONS sip:user@example.com SIP/2.0", "CSeq: 8 INVITE", "CSeq: 9 OPTIONS", ""));
        assertThat(mismatch.method()).isEqualTo(SipMethod.OPTIONS);
        assertThat(mismatch.cseqMethod()).isEqualTo(SipMethod.INVITE);
        assertThat(mismatch.cseqNumber()).isEqualTo(8);

        SipMessageView missing = wrap(Native.lines("INVITE sip:user@example.com SIP/2.0", "CSeq: 193942 INVITE", ""));
        assertThat(missing.callId()).isEmpty();
        assertThat(missing.callIdHash()).isZero();
        assertThat(missing.fromUri()).isEmpty();
        assertThat(missing.topViaBranch()).isEmpty();

        SipMessageView doubled = wrap(Native.lines(
                "OPTIONS sip:user@example.com SIP/2.0",
                "Call-ID: multi01.98asdh@192.0.2.1",
                "Call-ID: multi01.98asdh@192.0.2.2",
                "Content-Length: 0",
                "Content-Length: 5",
                "",
                "abc"));
        assertThat(doubled.callId()).isEqualTo("multi01.98asdh@192.0.2.1");
        assertThat(doubled.contentLengthProblem()).isEqualTo(ContentLengthProblem.CONTRADICTORY);
    }

    @Test
    void multipartWithBinaryPart() {
        // 3.1.1.11
        SipMessageView view = wrap(Native.lines(
                "MESSAGE sip:kumiko@example.org SIP/2.0",
                "Call-ID: mpart01.20f7ad",
                "Content-Type: multipart/mixed;boundary=7a9cbec02ceef655",
                "Content-Length: 553",
                "",
                "--7a9cbec02ceef655",
                "Content-Type: text/plain",
                "Content-Transfer-Encoding: binary",
                "",
                "Hello",
                "--7a9cbec02ceef655",
                "Content-Type: application/octet-stream",
                "Content-Transfer-Encoding: binary",
                "",
                "\u0001\u0002\u0000\u0003",
                "--7a9cbec02ceef655--"));

        assertThat(view.findSdp(new SipMultipart())).isFalse();
        assertThat(view.callId()).isEqualTo("mpart01.20f7ad");
    }

    @Test
    void leadingLineEnds() {
        // 3.3.14
        SipMessageView view = wrap("\r\n\r\n" + Native.lines("OPTIONS sip:user@example.com SIP/2.0", "i: x", ""));

        assertThat(view.callId()).isEqualTo("x");
        assertThat(view.offset()).isEqualTo(4);
    }

    private static SipMessageView wrap(String message) {
        byte[] octets = Native.octets(message);
        SipMessageView view = new SipMessageView();
        assertThat(view.wrap(octets, 0, octets.length)).isEqualTo(WrapStatus.OK);
        SipAnyBytesTest.readEverything(view);
        return view;
    }

    private static List<String> branches(SipMessageView view) {
        SipValueCursor cursor = new SipValueCursor();
        SipViaView via = new SipViaView();
        List<String> branches = new ArrayList<>();
        cursor.start(view, SipHeader.VIA);
        while (cursor.next()) {
            via.wrap(view.octets(), cursor.offset(), cursor.length());
            branches.add(via.branch());
        }
        return branches;
    }
}
