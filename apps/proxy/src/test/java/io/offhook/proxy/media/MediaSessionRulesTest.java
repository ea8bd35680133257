package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which messages of a call offer and answer, by the flows of RFC 3264, 3262, 3311 and 6337. */
class MediaSessionRulesTest {
    private static final String SDP =
            "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n" + "m=audio 4000 RTP/AVP 0\r\n";

    private final MediaSessionRules rules = new MediaSessionRules();
    private int cseq = 1;

    /** What is to be done, as "offer a>b to callee", or "nothing". */
    private String seen(String startLine, String method, String from, String to, boolean hasSdp) {
        return text(rules.onMessage(message(startLine, method, from, to, hasSdp), ""));
    }

    private SipMessageView message(String startLine, String method, String from, String to, boolean hasSdp) {
        String body = hasSdp ? SDP : "";
        String text = startLine + "\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1\r\n"
                + "From: <sip:x@a>;tag=" + from + "\r\nTo: <sip:y@b>" + (to.isEmpty() ? "" : ";tag=" + to)
                + "\r\nCall-ID: call@a\r\nCSeq: " + cseq + " " + method + "\r\n"
                + (hasSdp ? "Content-Type: application/sdp\r\n" : "") + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);
        return view;
    }

    private static String text(@Nullable MediaRequest request) {
        if (request == null) {
            return "nothing";
        }
        assertThat(request.callId()).isEqualTo("call@a");
        boolean isDescribed = request.command() == MediaCommand.OFFER || request.command() == MediaCommand.ANSWER;
        assertThat(request.sdp()).isEqualTo(isDescribed ? SDP : "");
        return request.command().text() + " " + request.fromTag() + ">" + request.toTag()
                + (isDescribed ? request.isToCaller() ? " to caller" : " to callee" : "");
    }

    private String request(String method, String from, String to, boolean hasSdp) {
        return seen(method + " sip:y@b SIP/2.0", method, from, to, hasSdp);
    }

    private String response(int status, String method, String from, String to, boolean hasSdp) {
        return seen("SIP/2.0 " + status + " X", method, from, to, hasSdp);
    }

    @Test
    void offersByTheInviteAndAnswersByEachResponseWithASessionDescription() {
        assertThat(request("INVITE", "a", "", true)).isEqualTo("offer a> to callee");
        assertThat(response(100, "INVITE", "a", "", false)).isEqualTo("nothing");
        assertThat(response(180, "INVITE", "a", "b", false)).isEqualTo("nothing");
        assertThat(response(183, "INVITE", "a", "b", true)).isEqualTo("answer a>b to caller");
        assertThat(response(200, "INVITE", "a", "b", true)).isEqualTo("answer a>b to caller");
        assertThat(response(200, "INVITE", "a", "b", true)).as("sent again").isEqualTo("answer a>b to caller");
        assertThat(request("ACK", "a", "b", false)).isEqualTo("nothing");
        cseq = 2;
        assertThat(request("BYE", "a", "b", false)).isEqualTo("delete a>b");
        assertThat(response(200, "BYE", "a", "b", false)).isEqualTo("nothing");
    }

    @Test
    void offersByTheResponseWhereTheInviteHasNoOffer() {
        assertThat(request("INVITE", "a", "", false)).isEqualTo("nothing");
        assertThat(response(180, "INVITE", "a", "b", false)).isEqualTo("nothing");
        assertThat(response(200, "INVITE", "a", "b", true)).isEqualTo("offer b>a to caller");
        assertThat(response(200, "INVITE", "a", "b", true)).as("sent again").isEqualTo("offer b>a to caller");
        assertThat(request("ACK", "a", "b", true)).isEqualTo("answer b>a to callee");
        assertThat(request("ACK", "a", "b", true)).as("sent again").isEqualTo("answer b>a to callee");
        cseq = 7;
        assertThat(request("BYE", "b", "a", false)).isEqualTo("delete b>a");
    }

    @Test
    void answersByThePrackWhereAReliableResponseOffers() {
        request("INVITE", "a", "", false);
        assertThat(response(183, "INVITE", "a", "b", true)).isEqualTo("offer b>a to caller");
        cseq = 2;
        assertThat(request("PRACK", "a", "b", true)).isEqualTo("answer b>a to callee");
        assertThat(response(200, "PRACK", "a", "b", false)).isEqualTo("nothing");
        cseq = 3;
        assertThat(request("PRACK", "a", "b", true)).as("the next one offers").isEqualTo("offer a>b to callee");
        assertThat(response(200, "PRACK", "a", "b", true)).isEqualTo("answer a>b to caller");
        cseq = 1;
        assertThat(response(200, "INVITE", "a", "b", false)).isEqualTo("nothing");
        assertThat(request("ACK", "a", "b", false)).isEqualTo("nothing");
    }

    @Test
    void offersByPrackAndUpdateWhileItRings() {
        request("INVITE", "a", "", true);
        response(183, "INVITE", "a", "b", true);
        cseq = 2;
        assertThat(request("PRACK", "a", "b", true)).isEqualTo("offer a>b to callee");
        assertThat(response(200, "PRACK", "a", "b", true)).isEqualTo("answer a>b to caller");
        cseq = 3;
        assertThat(request("UPDATE", "a", "b", true)).isEqualTo("offer a>b to callee");
        assertThat(response(200, "UPDATE", "a", "b", true)).isEqualTo("answer a>b to caller");
        cseq = 1;
        assertThat(request("UPDATE", "b", "a", true)).as("by the callee").isEqualTo("offer b>a to caller");
        assertThat(response(504, "UPDATE", "b", "a", false)).isEqualTo("nothing");
        cseq = 9;
        assertThat(response(200, "UPDATE", "b", "a", true)).as("of no request").isEqualTo("nothing");
    }

    @Test
    void offersAgainByAReinviteOfEitherSide() {
        request("INVITE", "a", "", true);
        response(200, "INVITE", "a", "b", true);
        cseq = 2;
        assertThat(request("INVITE", "a", "b", true)).isEqualTo("offer a>b to callee");
        assertThat(response(200, "INVITE", "a", "b", true)).isEqualTo("answer a>b to caller");
        cseq = 1;
        assertThat(request("INVITE", "b", "a", true)).isEqualTo("offer b>a to caller");
        assertThat(response(488, "INVITE", "b", "a", false))
                .as("the session goes on")
                .isEqualTo("nothing");
        cseq = 2;
        assertThat(request("INVITE", "b", "a", false)).isEqualTo("nothing");
        assertThat(response(200, "INVITE", "b", "a", true)).isEqualTo("offer a>b to callee");
        assertThat(request("ACK", "b", "a", true)).isEqualTo("answer a>b to caller");
    }

    @Test
    void endsTheMediaOfACallThatFails() {
        request("INVITE", "a", "", true);
        assertThat(response(486, "INVITE", "a", "b", false)).isEqualTo("delete a>");
        cseq = 2;
        assertThat(request("INVITE", "a", "", true)).as("with credentials").isEqualTo("offer a> to callee");
    }

    @Test
    void endsTheMediaOfACancelledCallByTheFinalResponse() {
        request("INVITE", "a", "", true);
        assertThat(request("CANCEL", "a", "", false)).isEqualTo("nothing");
        assertThat(response(200, "CANCEL", "a", "b", false)).isEqualTo("nothing");
        assertThat(response(487, "INVITE", "a", "b", false)).isEqualTo("delete a>");
    }

    @Test
    void answersTheResponseThatCrossesACancel() {
        request("INVITE", "a", "", true);
        request("CANCEL", "a", "", false);
        assertThat(response(200, "INVITE", "a", "b", true)).isEqualTo("answer a>b to caller");
    }

    @Test
    void answersEachBranchOfAForkedCall() {
        assertThat(request("INVITE", "a", "", true)).isEqualTo("offer a> to callee");
        assertThat(response(183, "INVITE", "a", "b1", true)).isEqualTo("answer a>b1 to caller");
        assertThat(response(183, "INVITE", "a", "b2", true)).isEqualTo("answer a>b2 to caller");
        assertThat(response(200, "INVITE", "a", "b2", true)).isEqualTo("answer a>b2 to caller");
        assertThat(response(200, "INVITE", "a", "b1", true)).isEqualTo("answer a>b1 to caller");
        cseq = 2;
        assertThat(request("BYE", "a", "b1", false)).isEqualTo("delete a>b1");
    }

    @Test
    void offersForEachBranchWhereTheyHavePortsOfTheirOwn() {
        SipMessageView invite = message("INVITE sip:y@b SIP/2.0", "INVITE", "a", "", true);
        for (String branch : new String[] {"z1", "z2"}) {
            MediaRequest offer = Objects.requireNonNull(rules.onMessage(invite, branch));
            assertThat(offer.command()).isEqualTo(MediaCommand.OFFER);
            assertThat(offer.viaBranch()).isEqualTo(branch);
        }
        assertThat(rules.branchFailed("z1"))
                .isEqualTo(new MediaRequest(MediaCommand.DELETE, "call@a", "a", "", "z1", false, ""));
        assertThat(rules.branchFailed(""))
                .as("shared ports stay for the others")
                .isNull();
    }

    @Test
    void endsTheMediaOfACallThatTimesOut() {
        assertThat(rules.expired()).isNull();
        request("INVITE", "a", "", true);
        assertThat(text(rules.expired())).isEqualTo("delete a>");
    }

    @Test
    void hasNothingToEndWhereThereWasNoMedia() {
        request("INVITE", "a", "", false);
        assertThat(response(486, "INVITE", "a", "b", false)).isEqualTo("nothing");
        assertThat(request("BYE", "a", "b", false)).isEqualTo("nothing");
        assertThat(rules.hasMedia()).isFalse();
    }

    @Test
    void leavesMessagesOfOtherMethodsAlone() {
        assertThat(request("MESSAGE", "a", "", true)).isEqualTo("nothing");
        assertThat(response(200, "OPTIONS", "a", "b", true)).isEqualTo("nothing");
        assertThat(request("ACK", "a", "b", true)).isEqualTo("nothing");
    }

    @Test
    void findsTheSessionDescriptionAmongSeveralParts() {
        String body = "--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x\r\nContent-Type: application/sdp\r\n\r\n" + SDP
                + "\r\n--x--\r\n";
        String text = "INVITE sip:y@b SIP/2.0\r\nFrom: <sip:x@a>;tag=a\r\nTo: <sip:y@b>\r\nCall-ID: call@a\r\n"
                + "CSeq: 1 INVITE\r\nContent-Type: multipart/mixed;boundary=x\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);

        MediaRequest offer = Objects.requireNonNull(rules.onMessage(view, ""));

        assertThat(offer.sdp().strip()).isEqualTo(SDP.strip());
        assertThat(rules.sdpOffset()).isEqualTo(text.indexOf("v=0"));
        assertThat(rules.sdpLength()).isEqualTo(offer.sdp().length());
    }
}
