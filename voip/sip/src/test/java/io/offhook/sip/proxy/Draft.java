package io.offhook.sip.proxy;

import java.util.ArrayList;
import java.util.List;

/** A request that a test writes: that of Alice at 198.51.100.1:5060 to Bob, with what the test changes. */
final class Draft {
    static final String ALICE = "198.51.100.1:5060";
    static final String BOB = "203.0.113.2:5070";
    static final String CAROL = "203.0.113.3:5070";
    static final String DAVE = "203.0.113.4:5070";

    private final String method;
    private String uri = "sip:bob@" + BOB;
    private String via = "SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-1";
    private String maxForwards = "Max-Forwards: 70\r\n";
    private String toTag = "";
    private String callId = "call-1";
    private int cseq = 1;
    private final List<String> headers = new ArrayList<>();
    private String body = "";

    private Draft(String method) {
        this.method = method;
    }

    static Draft of(String method) {
        return new Draft(method);
    }

    static Draft invite() {
        return new Draft("INVITE");
    }

    Draft uri(String text) {
        uri = text;
        return this;
    }

    Draft via(String text) {
        via = text;
        return this;
    }

    Draft branch(String name) {
        return via("SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK-" + name);
    }

    Draft byTcp() {
        return via("SIP/2.0/TCP 198.51.100.1:5060;branch=z9hG4bK-1");
    }

    /** The header line's value; null for no line. */
    Draft maxForwards(@org.jspecify.annotations.Nullable String value) {
        maxForwards = value == null ? "" : "Max-Forwards: " + value + "\r\n";
        return this;
    }

    Draft toTag(String tag) {
        toTag = tag;
        return this;
    }

    Draft callId(String id) {
        callId = id;
        return this;
    }

    Draft cseq(int number) {
        cseq = number;
        return this;
    }

    Draft header(String line) {
        headers.add(line);
        return this;
    }

    Draft body(String text) {
        body = text;
        return this;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append(method).append(' ').append(uri).append(" SIP/2.0\r\n");
        out.append("Via: ").append(via).append("\r\n").append(maxForwards);
        out.append("From: <sip:alice@example.com>;tag=a\r\n");
        out.append("To: <sip:bob@example.com>")
                .append(toTag.isEmpty() ? "" : ";tag=" + toTag)
                .append("\r\n");
        out.append("Call-ID: ").append(callId).append("\r\n");
        out.append("CSeq: ").append(cseq).append(' ').append(method).append("\r\n");
        headers.forEach(line -> out.append(line).append("\r\n"));
        return out.append("Content-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body)
                .toString();
    }
}
