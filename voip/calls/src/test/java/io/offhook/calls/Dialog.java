package io.offhook.calls;

import io.offhook.calls.event.SipListener;
import io.offhook.packet.Endpoint;
import java.util.HashMap;
import java.util.Map;

/** Both ends of a call and what they write to each other (RFC 3261, 12), put into a {@link Scene}. */
final class Dialog {
    private final Scene scene;
    private final String callId;
    private final Endpoint caller;
    private final Endpoint callee;
    private final String callerTag;
    private final String calleeTag;
    private final Map<String, String> branches;
    private boolean hasBranches = true;
    private String last = "";
    private Side lastBy = Side.CALLER;
    private String header = "";

    Dialog(Scene scene, String callId, Endpoint caller, Endpoint callee) {
        this(scene, callId, caller, callee, "fa", "tb", new HashMap<>());
    }

    private Dialog(
            Scene scene,
            String callId,
            Endpoint caller,
            Endpoint callee,
            String callerTag,
            String calleeTag,
            Map<String, String> branches) {
        this.scene = scene;
        this.callId = callId;
        this.caller = caller;
        this.callee = callee;
        this.callerTag = callerTag;
        this.calleeTag = calleeTag;
        this.branches = branches;
    }

    /** Between 10.1.0.1 and 10.1.0.2. */
    Dialog(Scene scene) {
        this(scene, "one@test", Addresses.v4("10.1.0.1:5060"), Addresses.v4("10.1.0.2:5060"));
    }

    /** The same dialog one hop further on. */
    Dialog hop(Endpoint source, Endpoint destination) {
        Dialog hop = new Dialog(scene, callId, source, destination, callerTag, calleeTag, new HashMap<>());
        hop.hasBranches = hasBranches;
        return hop;
    }

    /** Another dialog of the same INVITE, as a fork makes it. */
    Dialog fork(String otherCalleeTag) {
        Dialog fork = new Dialog(scene, callId, caller, callee, callerTag, otherCalleeTag, branches);
        fork.hasBranches = hasBranches;
        return fork;
    }

    /** As clients before RFC 3261 write it. */
    Dialog withoutBranches() {
        hasBranches = false;
        return this;
    }

    /** The next message has this header, too. */
    Dialog header(String line) {
        header = line + "\r\n";
        return this;
    }

    /** The other side of a B2BUA that keeps the Call-ID. */
    Dialog beyond(Endpoint source, Endpoint destination, String itsTag, String otherCalleeTag) {
        return new Dialog(scene, callId, source, destination, itsTag, otherCalleeTag, new HashMap<>());
    }

    Dialog invite(String sdp) {
        return request(Side.CALLER, "INVITE", 1, false, sdp);
    }

    Dialog ringing() {
        return response(Side.CALLEE, 180, 1, "INVITE", "");
    }

    /** To the 2xx. */
    Dialog ack() {
        return request(Side.CALLER, "ACK", 1, true, "");
    }

    /** To any other final response: of the INVITE's transaction. */
    Dialog ackRefusal(int cseq) {
        String invite = branch(Side.CALLER, cseq, "INVITE");
        branches.put(transaction(Side.CALLER, cseq, "ACK"), invite);
        String ack = "ACK sip:bob@b.test SIP/2.0";
        return send(Side.CALLER, ack, Side.CALLER, true, cseq, "ACK", "");
    }

    Dialog cancel(int cseq) {
        return request(Side.CALLER, "CANCEL", cseq, false, "");
    }

    Dialog bye(Side by) {
        return accepted(by, "BYE", 9, "", "");
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
        boolean cancel = method.equals("CANCEL");
        branches.put(
                transaction(by, cseq, method), cancel ? branch(by, cseq, "INVITE") : "z9hG4bK" + (scene.frame() + 1));
        return send(by, method + " " + uri + " SIP/2.0", by, inDialog, cseq, method, body);
    }

    /** A request within the dialog and the 200 to it, with their bodies. */
    Dialog accepted(Side by, String method, int cseq, String body, String answer) {
        return request(by, method, cseq, true, body).response(by.other(), 200, cseq, method, answer);
    }

    /** A response that {@code by} gives to a request of the other. */
    Dialog response(Side by, int status, int cseq, String method, String body) {
        return send(by, "SIP/2.0 " + status + " Text", by.other(), status > 100, cseq, method, body);
    }

    /** Of the last such request; one that was not captured has one too. */
    private String branch(Side requester, int cseq, String method) {
        return branches.computeIfAbsent(transaction(requester, cseq, method), key -> "z9hG4bK" + caller + key);
    }

    private static String transaction(Side requester, int cseq, String method) {
        return "-" + requester + cseq + method;
    }

    private Dialog send(
            Side by, String startLine, Side requester, boolean toTag, int cseq, String method, String body) {
        String own = "<sip:alice@a.test>;tag=" + callerTag;
        String others = "<sip:bob@b.test>;tag=" + calleeTag;
        String from = requester == Side.CALLER ? own : others;
        String to = requester == Side.CALLER ? others : own;
        String branch = hasBranches ? ";branch=" + branch(requester, cseq, method) : "";
        last = startLine + "\r\nVia: SIP/2.0/UDP host" + branch + "\r\nFrom: " + from
                + "\r\nTo: " + (toTag ? to : to.substring(0, to.indexOf(';'))) + "\r\nCall-ID: " + callId
                + "\r\nCSeq: " + cseq + " " + method + "\r\n"
                + header
                + (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n")
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        lastBy = by;
        header = "";
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
