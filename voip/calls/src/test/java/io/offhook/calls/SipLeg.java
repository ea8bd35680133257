package io.offhook.calls;

import io.offhook.packet.Endpoint;

/** One leg of a call with a Call-ID of its own, put into a {@link Scene}: as much of its SIP as joins are made by. */
final class SipLeg {
    private final Scene scene;
    private final String callId;
    private final Endpoint source;
    private final Endpoint destination;
    private String from = "sip:1001@a.test";
    private String to = "sip:1002@b.test";
    private String headers = "";
    private String offer = "";
    private int cseq = 1;

    SipLeg(Scene scene, String callId, String source, String destination) {
        this.scene = scene;
        this.callId = callId;
        this.source = Addresses.v4(source);
        this.destination = Addresses.v4(destination);
    }

    SipLeg from(String user) {
        from = "sip:" + user + "@a.test";
        return this;
    }

    SipLeg to(String user) {
        to = "sip:" + user + "@b.test";
        return this;
    }

    /** The next message has this header, too. */
    SipLeg header(String line) {
        headers += line + "\r\n";
        return this;
    }

    /** The next message has this body. */
    SipLeg sdp(String sdp) {
        offer = sdp;
        return this;
    }

    SipLeg invite() {
        return send(source, destination, "INVITE " + to + " SIP/2.0", "INVITE", false);
    }

    SipLeg respond(int status) {
        return send(destination, source, "SIP/2.0 " + status + " Text", "INVITE", true);
    }

    /** The 2xx and its ACK. */
    SipLeg answer() {
        respond(200);
        return send(source, destination, "ACK " + to + " SIP/2.0", "ACK", true);
    }

    SipLeg cancel() {
        return send(source, destination, "CANCEL " + to + " SIP/2.0", "CANCEL", false);
    }

    SipLeg bye() {
        cseq++;
        send(source, destination, "BYE " + to + " SIP/2.0", "BYE", true);
        return send(destination, source, "SIP/2.0 200 OK", "BYE", true);
    }

    SipLeg request(String method) {
        cseq++;
        return send(source, destination, method + " " + to + " SIP/2.0", method, true);
    }

    SipLeg accept(String method) {
        return send(destination, source, "SIP/2.0 202 Accepted", method, true);
    }

    /** A request of the callee. */
    SipLeg back(String method, String type, String body) {
        String text = method + " " + from + " SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK" + scene.frame()
                + "\r\nFrom: <" + to + ">;tag=t" + callId + "\r\nTo: <" + from + ">;tag=f" + callId + "\r\nCall-ID: "
                + callId + "\r\nCSeq: " + ++cseq + " " + method + "\r\n" + headers + "Content-Type: " + type
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        headers = "";
        scene.sip(/* source= */ destination, /* destination= */ source, text);
        return this;
    }

    private SipLeg send(Endpoint sender, Endpoint receiver, String startLine, String method, boolean toTag) {
        String text = startLine + "\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK" + callId + cseq
                + (method.equals("ACK") ? "a" : "") + "\r\nFrom: <" + from + ">;tag=f" + callId + "\r\nTo: <" + to + ">"
                + (toTag ? ";tag=t" + callId : "") + "\r\nCall-ID: " + callId + "\r\nCSeq: " + cseq + " " + method
                + "\r\n" + headers + (offer.isEmpty() ? "" : "Content-Type: application/sdp\r\n") + "Content-Length: "
                + offer.length() + "\r\n\r\n" + offer;
        headers = "";
        offer = "";
        scene.sip(sender, receiver, text);
        return this;
    }
}
