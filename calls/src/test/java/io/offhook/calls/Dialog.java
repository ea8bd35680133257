package io.offhook.calls;

import io.offhook.packet.Endpoint;

/** Both ends of a call and what they write to each other (RFC 3261, 12), put into a {@link Scene}. */
final class Dialog {
    private final Scene scene;
    private final String callId;
    private final Endpoint caller;
    private final Endpoint callee;
    private int branch;
    private String last = "";
    private Side lastBy = Side.CALLER;

    Dialog(Scene scene, String callId, Endpoint caller, Endpoint callee) {
        this.scene = scene;
        this.callId = callId;
        this.caller = caller;
        this.callee = callee;
    }

    /** Between 10.1.0.1 and 10.1.0.2. */
    Dialog(Scene scene) {
        this(scene, "one@test", Addresses.v4("10.1.0.1:5060"), Addresses.v4("10.1.0.2:5060"));
    }

    /** The same dialog one hop further on. */
    Dialog hop(Endpoint source, Endpoint destination) {
        return new Dialog(scene, callId, source, destination);
    }

    Dialog invite(String sdp) {
        return request(Side.CALLER, "INVITE", 1, false, sdp);
    }

    Dialog ringing() {
        return response(Side.CALLEE, 180, 1, "INVITE", "");
    }

    Dialog ack() {
        return request(Side.CALLER, "ACK", 1, true, "");
    }

    Dialog bye(Side by) {
        return request(by, "BYE", 9, true, "").response(by.other(), 200, 9, "BYE", "");
    }

    /** INVITE, 180, 200, ACK within 300 ms. */
    Dialog answered(String offer, String answer) {
        invite(offer);
        scene.in(100);
        ringing();
        scene.in(150);
        response(Side.CALLEE, 200, 1, "INVITE", answer);
        scene.in(50);
        return ack();
    }

    /** A response to the INVITE. */
    Dialog respond(int status) {
        return response(Side.CALLEE, status, 1, "INVITE", "");
    }

    Dialog request(Side by, String method, int cseq, boolean inDialog, String body) {
        String uri = by == Side.CALLER ? "sip:bob@b.test" : "sip:alice@a.test";
        return send(by, method + " " + uri + " SIP/2.0", by, inDialog, cseq + " " + method, body);
    }

    /** A response that {@code by} gives to a request of the other. */
    Dialog response(Side by, int status, int cseq, String method, String body) {
        return send(by, "SIP/2.0 " + status + " Text", by.other(), status > 100, cseq + " " + method, body);
    }

    private Dialog send(Side by, String startLine, Side requester, boolean toTag, String cseq, String body) {
        String from = requester == Side.CALLER ? "<sip:alice@a.test>;tag=fa" : "<sip:bob@b.test>;tag=tb";
        String to = requester == Side.CALLER
                ? "<sip:bob@b.test>" + (toTag ? ";tag=tb" : "")
                : "<sip:alice@a.test>" + (toTag ? ";tag=fa" : "");
        last = startLine + "\r\nVia: SIP/2.0/UDP host;branch=z9hG4bK" + ++branch + "\r\nFrom: " + from + "\r\nTo: " + to
                + "\r\nCall-ID: " + callId + "\r\nCSeq: " + cseq + "\r\n"
                + (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n")
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        lastBy = by;
        scene.sip(endpoint(by), endpoint(by.other()), last);
        return this;
    }

    /** The last message once more, in a packet of its own. */
    SipListener.Copy again() {
        return scene.sip(endpoint(lastBy), endpoint(lastBy.other()), last);
    }

    /** The last packet once more, as a mirror port copies it. */
    SipListener.Copy mirrored() {
        return scene.sip(endpoint(lastBy), endpoint(lastBy.other()), last, scene.identification());
    }

    private Endpoint endpoint(Side side) {
        return side == Side.CALLER ? caller : callee;
    }
}
