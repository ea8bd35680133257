package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMethod;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The messages of RFC 4475 and RFC 5118 through a proxy that sends all requests to Bob: valid ones leave with all that is not
 * the proxy's as it came; invalid ones are answered as the RFC says, or dropped where they cannot be. The comments have their
 * sections.
 */
class ProxyTortureTest {
    private static final String BODY = lines(
            "v=0",
            "o=mhandley 29739 7272939 IN IP4 192.0.2.3",
            "s=-",
            "c=IN IP4 192.0.2.4",
            "t=0 0",
            "m=audio 49217 RTP/AVP 0");

    private ProxyScene scene = new ProxyScene();

    @BeforeEach
    void sendAllToBob() {
        scene = new ProxyScene();
        scene.decision = (context, request) -> context.fork(
                List.of(List.of(
                        new ForkTarget(request.requestUri(), List.of(), ProxyScene.hop(BOB), HeaderChanges.NONE))),
                scene.nowNs);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    private static String withBody(String... lines) {
        return lines(lines) + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
    }

    private static final Pattern HOPS = Pattern.compile("(?im)^(Max-Forwards\\s*:\\s*)\\d+");
    private static final Pattern ADDED = Pattern.compile(
            "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=[^\r]*\r\n|Record-Route: <sips?:[0-9a-f]*@?192.0.2.1:5060;lr;k=[0-9a-f]{16}>\r\n");

    /** The request passes, with all that is not ours as it was. */
    private Received passes(String request) {
        scene.send(ALICE, request);
        Received forwarded = scene.take(BOB);
        String text = ADDED.matcher(forwarded.text()).replaceAll("");
        if (!request.contains("Max-Breadth")) {
            text = text.replaceFirst("Max-Breadth: 60\r\n", "");
        }
        if (!HOPS.matcher(request).find()) {
            text = text.replaceFirst("Max-Forwards: 70\r\n", "");
        }
        text = text.replaceFirst(";received=198\\.51\\.100\\.1", "");
        assertThat(HOPS.matcher(text).replaceAll("$1N"))
                .isEqualTo(HOPS.matcher(request).replaceAll("$1N"));
        assertThat(scene.isQuiet(ALICE)).isTrue();
        return forwarded;
    }

    private Received refused(int status, String request) {
        scene.send(ALICE, request);
        assertThat(scene.isQuiet(BOB)).as("forwarded: %s", request).isTrue();
        // whoever the Via names at this address
        String line = scene.log.getLast();
        Received answer = scene.take(line.substring(0, line.indexOf(" <- ")));
        assertThat(answer.brief()).isEqualTo(String.valueOf(status));
        return answer;
    }

    private void dropped(String message) {
        int before = scene.log.size();
        scene.send(ALICE, message);
        assertThat(scene.log).hasSize(before);
    }

    // RFC 4475, 3.1.1: valid messages

    @Test
    void shortTortuousInvite() {
        // 3.1.1.1 wsinv
        Received invite = passes(withBody(
                "INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0",
                "TO :",
                " sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n",
                "from   : \"J Rosenberg \\\\\\\"\"       <sip:jdrosen@example.com>",
                "  ;",
                "  tag = 98asjd8",
                "MaX-fOrWaRdS: 0068",
                "Call-ID: wsinv.ndaksdj@192.0.2.1",
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
                "  secondparam ; q = 0.33"));
        assertThat(invite.view().maxForwards()).isEqualTo(67);
        scene.send(BOB, invite.answer(486, "b"));
        assertThat(scene.take("198.51.100.1:5060").view().topViaBranch()).isEqualTo("390skdjuw");
    }

    @Test
    void wideRangeOfValidCharacters() {
        // 3.1.1.2 intmeth
        String method = "!interesting-Method0123456789_*+`.%indeed'~";
        Received request = passes(lines(
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
        scene.send(BOB, request.answer(200, "b"));
        assertThat(scene.log.getLast()).startsWith("198.51.100.1:5060 <- SIP/2.0 200");
    }

    @Test
    void escapesAndNulls() {
        // 3.1.1.3 esc01
        passes(withBody(
                "INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0",
                "To: sip:%75se%72@example.com",
                "From: <sip:I%20have%20spaces@example.net>;tag=938",
                "Max-Forwards: 87",
                "i: esc01.239409asdfakjkn23onasd0-3234",
                "CSeq: 234234 INVITE",
                "Via: SIP/2.0/UDP host5.example.net;branch=z9hG4bKkdjuw",
                "C: application/sdp",
                "Contact:",
                "  <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>"));
        // 3.1.1.4 escnull
        passes(lines(
                "REGISTER sip:example.com SIP/2.0",
                "To: sip:null-%00-null@example.com",
                "From: sip:null-%00-null@example.com;tag=839923423",
                "Max-Forwards: 70",
                "Call-ID: escnull.39203ndfvkjdasfkq3w4otrq0adsfdfnavd",
                "CSeq: 14398234 REGISTER",
                "Via: SIP/2.0/UDP host5.example.com;branch=z9hG4bKkdjuw",
                "Contact: <sip:%00@host5.example.com>",
                "Contact: <sip:%00%00@host5.example.com>",
                "L:0",
                ""));
        // 3.1.1.5 esc02: a method that only looks like REGISTER
        Received escaped = passes(lines(
                "RE%47IST%45R sip:registrar.example.com SIP/2.0",
                "To: \"%Z%45\" <sip:resource@example.com>",
                "From: \"%Z%45\" <sip:resource@example.com>;tag=f232jadfj23",
                "Call-ID: esc02.asdfnqwo34rq23i34jrjasdcnl23nrlknsdf",
                "Via: SIP/2.0/TCP host.example.com;branch=z9hG4bK209%fzsnel234",
                "CSeq: 29344 RE%47IST%45R",
                "Max-Forwards: 70",
                "Contact: <sip:alias1@host1.example.com>",
                "C%6Fntact: <sip:alias2@host2.example.com>",
                "Contact: <sip:alias3@host3.example.com>",
                "l: 0",
                ""));
        assertThat(escaped.view().method()).isEqualTo(SipMethod.OTHER);
    }

    @Test
    void missingSpacesAndLongValues() {
        // 3.1.1.6 lwsdisp
        passes(lines(
                "OPTIONS sip:user@example.com SIP/2.0",
                "To: sip:user@example.com",
                "From: caller<sip:caller@example.com>;tag=323",
                "Max-Forwards: 70",
                "Call-ID: lwsdisp.1234abcd@funky.example.com",
                "CSeq: 60 OPTIONS",
                "Via: SIP/2.0/UDP funky.example.com;branch=z9hG4bKkdjuw",
                "l: 0",
                ""));
        // 3.1.1.7 longreq
        String text = "longvalue".repeat(30);
        StringBuilder vias = new StringBuilder();
        for (int i = 33; i > 0; i--) {
            vias.append("v: SIP/2.0/TCP sip").append(i).append(".example.com\r\n");
        }
        scene.broken.add("TCP " + BOB);
        passes(withBody(
                "INVITE sip:user@example.com SIP/2.0",
                "To: \"I have a user name of " + text + "\"<sip:user@example.com:6000;unknownparam1=very" + text
                        + ";longparam" + text + "=shortvalue;verylong" + text + "ParameterNameWithNoValue>",
                "F: sip:amazinglylongcallername" + text + "@example.net;tag=12" + text + "982424;unknownheaderparam"
                        + text + "=x;unknown" + text + "name=y",
                "Call-ID: longreq.one" + text + "longcallid",
                "CSeq: 3882340 INVITE",
                "Unknown-" + text + "-Name: unknown-" + text + "-value;unknown-" + text + "-parameter-name = unknown-"
                        + text + "-parameter-value",
                "Via: SIP/2.0/TCP sip33.example.com;branch=z9hG4bK3" + text,
                vias + "V: SIP/2.0/TCP host.example.com;received=192.0.2.5;branch=verylong" + text + "branchvalue",
                "Max-Forwards: 70",
                "Contact: <sip:amazinglylongcallername" + text + "@host5.example.net>",
                "Content-Type: application/sdp"));
    }

    @Test
    void trailingOctetsAndSemicolons() {
        // 3.1.1.8 dblreq: what follows the message is no part of it
        String register = lines(
                "REGISTER sip:example.com SIP/2.0",
                "To: sip:j.user@example.com",
                "From: sip:j.user@example.com;tag=43251j3j324",
                "Max-Forwards: 8",
                "I: dblreq.0ha0isndaksdj99sdfafnl3lk233412",
                "Contact: sip:j.user@host.example.com",
                "CSeq: 8 REGISTER",
                "Via: SIP/2.0/UDP 192.0.2.125;branch=z9hG4bKkdjuw23492",
                "Content-Length: 0",
                "");
        scene.send(ALICE, register + "\r\nINVITE sip:joe@example.com SIP/2.0\r\nt: sip:joe@example.com\r\n\r\n");
        assertThat(scene.take(BOB).text()).endsWith("Content-Length: 0\r\n\r\n").doesNotContain("joe");
        // 3.1.1.9 semiuri
        passes(lines(
                "OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0",
                "To: sip:j_user@example.com",
                "From: sip:caller@example.org;tag=33242",
                "Max-Forwards: 3",
                "Call-ID: semiuri.0ha0isndaksdj",
                "CSeq: 8 OPTIONS",
                "Accept: application/sdp, application/pkcs7-mime,",
                "        multipart/mixed, multipart/signed,",
                "        message/sip, message/sipfrag",
                "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKkdjuw",
                "l: 0",
                ""));
    }

    @Test
    void variousTransportsAndBinaryBodies() {
        // 3.1.1.10 transports
        passes(lines(
                "OPTIONS sip:user@example.com SIP/2.0",
                "To: sip:user@example.com",
                "From: <sip:caller@example.com>;tag=323",
                "Max-Forwards: 70",
                "Call-ID:  transports.kijh4akdnaqjkwendsasfdj",
                "Accept: application/sdp",
                "CSeq: 60 OPTIONS",
                "Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw",
                "Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf",
                "Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj",
                "Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en",
                "Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee",
                "l: 0",
                ""));
        // 3.1.1.11 mpart01
        String body = "--7a9cbec02ceef655\r\nContent-Type: text/plain\r\n\r\nHello\r\n--7a9cbec02ceef655\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n0\u0082\u0001R\u0006\t*\u0086H\r\n\u0000--7a9cbec02ceef655--";
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        passes(lines(
                                "MESSAGE sip:kumiko@example.org SIP/2.0",
                                "Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bK-d87543-4dade06d0bdb11ee-1--d87543-;rport",
                                "Max-Forwards: 70",
                                "Route: <sip:127.0.0.1:5080>",
                                "Identity: r5mwreLuyDRYBi/0TiPwEsY3rEVsk/G2WxhgTV1PF7hHuLIK0YWVKZhKv9Mj8UeXqkMVbnVq37CD+813gvYjcBUaZngQmXc9WNZSDNGCzA+fWl9MEUHWIZo1CeJebdY/XlgKeTa0Olvq0rt70Q5jiSfbqMJmQFteeivUhkMWYUA=",
                                "Contact: <sip:fluffy@127.0.0.1:5070>",
                                "To: <sip:kumiko@example.org>",
                                "From: <sip:fluffy@example.com>;tag=2fb0dcc9",
                                "Call-ID: 3d9485ad0c49859b@Zmx1ZmZ5LW1hYy0xNi5sb2NhbA..",
                                "CSeq: 1 MESSAGE",
                                "Content-Type: multipart/mixed;boundary=7a9cbec02ceef655",
                                "Date: Sat, 15 Oct 2005 04:44:56 GMT",
                                "User-Agent: SIPimp.org/0.2.5 (curses)")
                        .replace("Route: <sip:127.0.0.1:5080>\r\n", "")
                        .replace(";rport", "")
                + "Content-Length: " + length + "\r\n\r\n" + body);
    }

    @Test
    void unusualReasonPhrases() {
        // 3.1.1.12 unreason and 3.1.1.13 noreason: as responses to a request of ours
        scene.send(ALICE, Draft.invite().text());
        Received invite = scene.take(BOB);
        String odd = "SIP/2.0 183 = 2**3 * 5**2 \u043d\u043e \u0441\u0442\u043e \u0434\u0435\u0432\u044f\u043d\u043e";
        scene.send(BOB, invite.answer(183, "b").replaceFirst("SIP/2.0 183 Reason", Matcher.quoteReplacement(odd)));
        assertThat(scene.take(ALICE).startLine()).isEqualTo(odd);
        scene.send(BOB, invite.answer(200, "b").replaceFirst("200 Reason", "200 "));
        assertThat(scene.take(ALICE).startLine()).isEqualTo("SIP/2.0 200 ");
    }

    // RFC 4475, 3.1.2: invalid messages

    /** A valid request, of which a test makes an invalid one. */
    private static String options(String requestLine, String... more) {
        return lines(
                        requestLine,
                        "Via: SIP/2.0/UDP 198.51.100.1;branch=z9hG4bK" + requestLine.hashCode(),
                        "To: sip:user@example.com",
                        "From: sip:caller@example.net;tag=242etr",
                        "Max-Forwards: 6",
                        "Call-ID: torture.0ha0isndaksdj99sdfafnl3lk233412",
                        "CSeq: 8 " + requestLine.substring(0, requestLine.indexOf(' ')))
                + (more.length == 0 ? "" : lines(more))
                + "l: 0\r\n\r\n";
    }

    @Test
    void extraneousSeparators() {
        // 3.1.2.1 badinv01
        refused(
                400,
                withBody(
                        "INVITE sip:user@example.com SIP/2.0",
                        "To: sip:j.user@example.com",
                        "From: sip:caller@example.net;tag=134161461246",
                        "Max-Forwards: 7",
                        "Call-ID: badinv01.0ha0isndaksdjasdf3234nas",
                        "CSeq: 8 INVITE",
                        "Via: SIP/2.0/UDP 192.0.2.15;;,;,,",
                        "Contact: \"Joe\" <sip:joe@example.org>;;;;",
                        "Content-Type: application/sdp"));
    }

    @Test
    void wrongContentLengths() {
        // 3.1.2.2 clerr, 3.1.2.3 ncl, 3.3.9 mcl01
        String request = options("INVITE sip:user@example.com SIP/2.0");
        refused(400, request.replace("l: 0", "Content-Length: 9999"));
        refused(400, request.replace("l: 0", "Content-Length: -999"));
        refused(400, request.replace("l: 0", "l: 13\r\nContent-Length: 5") + "There's no way to know");
    }

    @Test
    void scalarsThatAreTooLarge() {
        // 3.1.2.4 scalar02
        refused(
                400,
                lines(
                        "REGISTER sip:example.com SIP/2.0",
                        "Via: SIP/2.0/TCP host129.example.com;branch=z9hG4bK342sdfoi3",
                        "To: <sip:user@example.com>",
                        "From: <sip:user@example.com>;tag=239232jh3",
                        "CSeq: 36893488147419103232 REGISTER",
                        "Call-ID: scalar02.23o0pd9vanlq3wnrlnewofjas9ui32",
                        "Max-Forwards: 300",
                        "Expires: 10000000000000000000000000000000000000",
                        "Contact: <sip:user@host129.example.com>",
                        "  ;expires=280297596632815",
                        "Content-Length: 0",
                        ""));
        // only Max-Forwards is too large: "could choose to process the request as if the field were absent"
        passes(options("OPTIONS sip:user@example.com SIP/2.0").replace("Max-Forwards: 6", "Max-Forwards: 300"));
        // 3.1.2.5 scalarlg: a response to nothing
        dropped(lines(
                "SIP/2.0 503 Service Unavailable",
                "Via: SIP/2.0/TCP host129.example.com;branch=z9hG4bKzzxdiwo34sw;received=192.0.2.129",
                "To: <sip:user@example.com>",
                "From: <sip:other@example.net>;tag=2easdjfejw",
                "CSeq: 9292394834772304023312 OPTIONS",
                "Call-ID: scalarlg.noase0of0234hn2qofoaf0232aewf2394r",
                "Retry-After: 949302838503028349304023988",
                "Warning: 1812 overture \"In Progress\"",
                "Content-Length: 0",
                ""));
    }

    @Test
    void badRequestLines() {
        // 3.1.2.7 ltgtruri, 3.1.2.8 lwsruri, 3.1.2.9 lwsstart, 3.1.2.10 trws, 3.1.2.11 escruri
        refused(400, options("INVITE <sip:user@example.com> SIP/2.0"));
        refused(400, options("INVITE sip:user@example.com; lr SIP/2.0"));
        refused(400, options("INVITE  sip:user@example.com  SIP/2.0"));
        refused(400, options("OPTIONS sip:remote-target@example.com SIP/2.0  "));
        refused(400, options("INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0"));
    }

    @Test
    void whatAProxyMayPassOnToThoseItIsMeantFor() {
        // 3.1.2.6 quotbal, 3.1.2.12 baddate, 3.1.2.13 regbadct, 3.1.2.14 badaspec, 3.1.2.15 baddn
        String request = options("OPTIONS sip:user@example.com SIP/2.0");
        passes(request.replace("To: sip:user@example.com", "To: \"Mr. J. User <sip:j.user@example.com>"));
        passes(options("INVITE sip:user@example.com SIP/2.0", "Date: Fri, 01 Jan 2010 16:00:00 EST"));
        passes(options(
                "REGISTER sip:example.com SIP/2.0", "Contact: sip:user@example.com?Route=%3Csip:sip.example.com%3E"));
        passes(options("OPTIONS sip:t.watson@example.org SIP/2.0")
                .replace("To: sip:user@example.com", "To: \"Watson, Thomas\" < sip:t.watson@example.org >"));
        passes(options("OPTIONS sip:t.watson2@example.org SIP/2.0")
                .replace("From: sip:caller@example.net", "From: Bell, Alexander <sip:a.g.bell@example.com>"));
    }

    @Test
    void otherVersions() {
        // 3.1.2.16 badvers
        Received answer = refused(505, options("OPTIONS sip:t.watson@example.org SIP/7.0"));
        assertThat(answer.startLine()).isEqualTo("SIP/2.0 505 Version Not Supported");
        assertThat(answer.value(SipHeader.CSEQ)).isEqualTo("8 OPTIONS");
        refused(505, options("OPTIONS sip:t.watson@example.org SIP/1.0"));
        dropped(options("ACK sip:t.watson@example.org SIP/7.0"));
        dropped("OPTIONS sip:t.watson@example.org SIP/7.0\r\n\r\n");
        dropped("GET / SIP/x\r\n\r\n");
    }

    @Test
    void mismatchedMethodsAndLargeCodes() {
        // 3.1.2.17 mismatch01, 3.1.2.18 mismatch02, 3.1.2.19 bigcode
        refused(400, options("OPTIONS sip:user@example.com SIP/2.0").replace("8 OPTIONS", "8 INVITE"));
        refused(400, options("NEWMETHOD sip:user@example.com SIP/2.0").replace("8 NEWMETHOD", "8 INVITE"));
        dropped(lines(
                "SIP/2.0 4294967301 better not break the receiver",
                "Via: SIP/2.0/UDP 192.0.2.105;branch=z9hG4bK2398ndaoe",
                "Call-ID: bigcode.asdof3uj203asdnf3429uasdhfas3ehjasdfas9i",
                "CSeq: 353494 INVITE",
                "From: <sip:user@example.com>;tag=39ansfi3",
                "To: <sip:user@example.edu>;tag=902jndnke3",
                "Content-Length: 0",
                ""));
    }

    // RFC 4475, 3.2 and 3.3

    @Test
    void missingTransactionIdentifier() {
        // 3.2.1 badbranch
        passes(options("OPTIONS sip:user@example.com SIP/2.0").replaceFirst("branch=[^\r]*", "branch=z9hG4bK"));
    }

    @Test
    void missingFields() {
        // 3.3.1 insuf
        refused(
                400,
                lines(
                        "INVITE sip:user@example.com SIP/2.0",
                        "CSeq: 193942 INVITE",
                        "Via: SIP/2.0/UDP 192.0.2.95;branch=z9hG4bKkdj.insuf",
                        "Content-Type: application/sdp",
                        "l: 0",
                        ""));
    }

    @Test
    void unknownSchemesAndExtensions() {
        // 3.3.2 unkscm, 3.3.3 novelsc, 3.3.4 unksm2, 3.3.5 bext01
        refused(416, options("OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0"));
        refused(416, options("OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0"));
        passes(options("REGISTER sip:example.com SIP/2.0")
                .replace("To: sip:user@example.com", "To: isbn:2983792873")
                .replace("From: sip:caller@example.net", "From: <http://www.example.com>"));
        Received answer = refused(
                420,
                options(
                        "OPTIONS sip:user@example.com SIP/2.0",
                        "Require: nothingSupportsThis, nothingSupportsThisEither",
                        "Proxy-Require: noProxiesSupportThis, norDoAnyProxiesSupportThis"));
        assertThat(answer.value(SipHeader.UNSUPPORTED)).isEqualTo("noProxiesSupportThis, norDoAnyProxiesSupportThis");
    }

    @Test
    void unknownContentAndCredentials() {
        // 3.3.6 invut, 3.3.7 regaut01
        passes(options("INVITE sip:user@example.com SIP/2.0", "Content-Type: application/unknownformat")
                .replace("l: 0\r\n\r\n", "l: 40\r\n\r\n<audio>\r\n <pcmu port=\"443\"/>\r\n</audio>\r\n"));
        passes(options("REGISTER sip:example.com SIP/2.0", "Authorization: NoOneKnowsThisScheme opaque-data=here"));
    }

    @Test
    void doubledFields() {
        // 3.3.8 multi01
        String request = options("INVITE sip:user@example.com SIP/2.0");
        refused(400, request.replace("CSeq: 8 INVITE\r\n", "CSeq: 8 INVITE\r\nCSeq: 59 INVITE\r\n"));
        refused(400, request.replace("l: 0", "Call-ID: other\r\nl: 0"));
        refused(400, request.replace("l: 0", "From: sip:caller2@example.org;tag=b\r\nl: 0"));
    }

    @Test
    void broadcastInAVia() {
        // 3.3.10 bcast: a response may not be sent to a broadcast address
        dropped(lines(
                "SIP/2.0 200 OK",
                "Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923",
                "Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23",
                "Call-ID: bcast.0384840201234ksdfak3j2erwedfsASdf",
                "CSeq: 35 INVITE",
                "From: sip:user@example.com;tag=11141343",
                "To: sip:user@example.edu;tag=2229",
                "Content-Length: 0",
                "Contact: <sip:user@host28.example.com>",
                ""));
        // the same for a request: its source is asked instead
        scene.decision = (context, request) -> context.reply(404, "Not Found", "", scene.nowNs);
        scene.send(
                ALICE,
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23")
                        .text());
        assertThat(scene.log).containsExactly("198.51.100.1:5060 <- SIP/2.0 404 Not Found");
    }

    @Test
    void noHopsLeft() {
        // 3.3.11 zeromf
        refused(483, options("OPTIONS sip:user@example.com SIP/2.0").replace("Max-Forwards: 6", "Max-Forwards: 0"));
    }

    @Test
    void registrationsAreForTheRegistrar() {
        // 3.3.12 cparam01, 3.3.13 cparam02, 3.3.14 regescrt
        passes(options("REGISTER sip:example.com SIP/2.0", "Contact: sip:+19725552222@gw1.example.net;unknownparam"));
        passes(options("REGISTER sip:example.net SIP/2.0", "Contact: <sip:+19725552222@gw1.example.net;unknownparam>"));
        passes(options(
                "REGISTER sip:example.org SIP/2.0", "Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>"));
    }

    @Test
    void acceptAndOldStyleInvites() {
        // 3.3.15 sdp01
        passes(options("INVITE sip:user@example.com SIP/2.0", "Accept: text/nobodyKnowsThis"));
        // 3.4.1 inv2543: no branch, no Max-Forwards, no tag
        passes(withBody(
                "INVITE sip:UserB@example.com SIP/2.0",
                "Via: SIP/2.0/UDP iftgw.example.com",
                "From: <sip:+13035551111@ift.client.example.net;user=phone>",
                "Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>",
                "To: sip:+16505552222@ss1.example.net;user=phone",
                "Call-ID: inv2543.1717@ift.client.example.com",
                "CSeq: 56 INVITE",
                "Content-Type: application/sdp"));
    }

    // RFC 5118

    private static String ipv6(String uri, String via) {
        return lines(
                "REGISTER " + uri + " SIP/2.0",
                "To: sip:user@example.com",
                "From: sip:user@example.com;tag=81x2",
                "Via: " + via,
                "Call-ID: SSG9559905523997077@hlau_4100",
                "Max-Forwards: 70",
                "Contact: \"Caller\" <sip:caller@[2001:db8::1]>",
                "CSeq: 98176 REGISTER",
                "Content-Length: 0",
                "");
    }

    @Test
    void ipv6References() {
        String via = "SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-111";
        // 4.1, 4.2: without brackets it is no URI
        passes(ipv6("sip:[2001:db8::10]", via));
        refused(400, ipv6("sip:2001:db8::10", via + "c"));
        // 4.3 and 4.4: the port inside of the brackets is none
        passes(ipv6("sip:[2001:db8::10:5070]", via + "a"));
        passes(ipv6("sip:[2001:db8::10]:5070", via + "b"));
    }

    @Test
    void ipv6InReceived() {
        // 4.5: with and without brackets
        for (String received : List.of("[2001:db8::9:255]", "2001:db8::9:255")) {
            sendAllToBob();
            Received forwarded =
                    forwardedWith("SIP/2.0/UDP [2001:db8::9:1];received=" + received + ";branch=z9hG4bKas3-111");
            // it is for us to say
            assertThat(forwarded.values(SipHeader.VIA).getLast())
                    .isEqualTo("SIP/2.0/UDP [2001:db8::9:1];received=198.51.100.1;branch=z9hG4bKas3-111");
        }
        // below the topmost Via it stays
        sendAllToBob();
        passes(ipv6(
                "sip:[2001:db8::10]",
                "SIP/2.0/UDP 192.0.2.3;branch=z9hG4bK1\r\n"
                        + "Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKa"));
    }

    private Received forwardedWith(String via) {
        scene.send(ALICE, ipv6("sip:[2001:db8::10]", via));
        return scene.take(BOB);
    }

    @Test
    void ipv6InOtherPlaces() {
        // 4.6 to 4.10: SDP, several addresses, mapped addresses, three colons
        passes(options("INVITE sip:user@[2001:db8::10] SIP/2.0", "Content-Type: application/sdp")
                .replace("l: 0\r\n\r\n", "l: 27\r\n\r\nc=IN IP6 2001:db8::9:1\r\nt=0"));
        passes(options("BYE sip:user@host.example.net SIP/2.0")
                .replace(
                        "To:",
                        "Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111\r\n"
                                + "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144\r\nTo:"));
        passes(options("INVITE sip:user@[::ffff:192.0.2.10] SIP/2.0", "Contact: <sip:t.watson@[::ffff:192.0.2.2]>"));
        passes(options("OPTIONS sip:user@[2001:db8:::192.0.2.1] SIP/2.0"));
    }
}
