package io.offhook.cli.proxy;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What one sipp does, step by step. It does nothing of its own accord: it sends each message once, and a message that is not
 * the next one of the scenario fails it, also one that is repeated unless {@link #allowsRepeats} says otherwise.
 */
final class SippScenario {
    private static final String CALLEE = "sip:bob@[remote_ip]:[remote_port]";

    private final String target;
    private final StringBuilder steps = new StringBuilder();
    private int sequence;
    private int labels;
    /** The variables that {@link #fromCallee} and {@link #answerInvite} need; empty if nothing was kept. */
    private String kept = "";

    private boolean allowsRepeats;
    private boolean answersOptions;

    private SippScenario(String target) {
        this.target = target;
    }

    /** A caller that calls the callee's address. */
    static SippScenario caller() {
        return new SippScenario(CALLEE);
    }

    /** A caller that calls a URI. */
    static SippScenario caller(String uri) {
        return new SippScenario(uri);
    }

    /** A callee. */
    static SippScenario callee() {
        return new SippScenario("[next_url]");
    }

    /** A phone that registers an address of record. */
    static SippScenario phone(String addressOfRecord) {
        return new SippScenario(addressOfRecord);
    }

    /** A message that has come before is answered as before, for proxies with short timers. */
    SippScenario allowsRepeats() {
        allowsRepeats = true;
        return this;
    }

    /** As a member of a group: an OPTIONS that begins is answered 200, and is a call of its own. */
    SippScenario answersOptions() {
        answersOptions = true;
        return this;
    }

    boolean isStrict() {
        return !allowsRepeats;
    }

    /** Sends a text of its own, in which sipp replaces its keywords. */
    SippScenario send(String... lines) {
        String text = Arrays.stream(lines)
                .flatMap(String::lines)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
        steps.append("<send><![CDATA[\n").append(text).append("\nContent-Length: 0\n\n]]></send>\n");
        return this;
    }

    /** Sends the first request of a call, or one outside of calls. */
    SippScenario request(String method, String... headers) {
        sequence++;
        return request(method, sequence, headers);
    }

    /** Sends the last request once more, octet by octet. */
    SippScenario again(String method) {
        return request(method, sequence);
    }

    /** Sends the request of a number once more. */
    SippScenario again(String method, int number) {
        return request(method, number);
    }

    private SippScenario request(String method, int number, String... headers) {
        return send(
                method + " " + target + " SIP/2.0",
                via(method, number),
                "Max-Forwards: 70",
                "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                "To: <" + target + ">",
                "Call-ID: [call_id]",
                "CSeq: " + number + " " + method,
                "Contact: <sip:alice@[local_ip]:[local_port]>",
                String.join("\n", headers));
    }

    /** Sends a REGISTER with contacts and other header lines. */
    SippScenario register(String... headers) {
        sequence++;
        return send(
                "REGISTER sip:localhost SIP/2.0",
                via("REGISTER", sequence),
                "Max-Forwards: 70",
                "From: <" + target + ">;tag=r[call_number]",
                "To: <" + target + ">",
                "Call-ID: [call_id]",
                "CSeq: " + sequence + " REGISTER",
                String.join("\n", headers));
    }

    /** Sends a request in the dialog that the last recorded response or request has made. */
    SippScenario inDialog(String method, String... headers) {
        sequence++;
        return send(
                method + " [next_url] SIP/2.0",
                via(method, sequence),
                "[routes]",
                "Max-Forwards: 70",
                "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                "[last_To:]",
                "Call-ID: [call_id]",
                "CSeq: " + sequence + " " + method,
                "Contact: <sip:alice@[local_ip]:[local_port]>",
                String.join("\n", headers));
    }

    /** Sends a request of the callee in the dialog of the INVITE that {@link #receiveInvite} or {@link #receiveHiddenInvite} received. */
    SippScenario fromCallee(String method) {
        sequence++;
        return send(
                method + " [next_url] SIP/2.0",
                via(method, sequence),
                "Route: [$route]",
                "Max-Forwards: 70",
                "From: [$to];tag=b[pid]",
                "To: [$from]",
                "Call-ID: [call_id]",
                "CSeq: " + sequence + " " + method,
                "Contact: <sip:bob@[local_ip]:[local_port]>");
    }

    /** Acknowledges a 2xx to the last INVITE along the route set. */
    SippScenario ackSuccess() {
        return send(
                "ACK [next_url] SIP/2.0",
                via("ACK", sequence),
                "[routes]",
                "Max-Forwards: 70",
                "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                "[last_To:]",
                "Call-ID: [call_id]",
                "CSeq: " + sequence + " ACK");
    }

    /** Acknowledges another final response to the last request: as the INVITE, hop by hop. */
    SippScenario ackFailure() {
        return ackFailure(sequence);
    }

    /** As above, to the request of a number. */
    SippScenario ackFailure(int number) {
        return derived("ACK", number, "[last_To:]");
    }

    /** Cancels the last request. */
    SippScenario cancel() {
        return derived("CANCEL", sequence, "To: <" + target + ">");
    }

    private SippScenario derived(String method, int number, String to) {
        return send(
                method + " " + target + " SIP/2.0",
                via("INVITE", number),
                "Max-Forwards: 70",
                "From: <sip:alice@[local_ip]:[local_port]>;tag=a[call_number]",
                to,
                "Call-ID: [call_id]",
                "CSeq: " + number + " " + method);
    }

    private static String via(String method, int number) {
        return "Via: SIP/2.0/UDP [local_ip]:[local_port];rport;branch=z9hG4bK-[pid]-[call_number]-" + number + "-"
                + method.toLowerCase(Locale.ROOT);
    }

    /** Answers the last request that was received, which is in no dialog. */
    SippScenario answer(int status, String... headers) {
        return answer(status, "[last_Via:]", "[last_To:];tag=b[pid]", "[last_CSeq:]", "[last_Record-Route:]", headers);
    }

    /** Answers the last request that was received, which is in a dialog. */
    SippScenario answerInDialog(int status, String... headers) {
        return answer(status, "[last_Via:]", "[last_To:]", "[last_CSeq:]", "[last_Record-Route:]", headers);
    }

    /** Answers the INVITE that was received by {@link #receiveInvite}, whatever came since. */
    SippScenario answerInvite(int status, String... headers) {
        return answer(
                status,
                "Via: [$via]\nVia: [$callerVia]",
                "To: [$to];tag=b[pid]",
                "CSeq: 1 INVITE",
                "Record-Route: [$route]",
                headers);
    }

    private SippScenario answer(int status, String via, String to, String cSeq, String recordRoute, String... headers) {
        return send(
                "SIP/2.0 " + status + " " + reason(status),
                via,
                status < 300 ? recordRoute : "",
                "[last_From:]",
                to,
                "[last_Call-ID:]",
                cSeq,
                status < 300 ? "Contact: <sip:bob@[local_ip]:[local_port]>" : "",
                String.join("\n", headers));
    }

    private static String reason(int status) {
        return switch (status) {
            case 100 -> "Trying";
            case 180 -> "Ringing";
            case 183 -> "Session Progress";
            case 200 -> "OK";
            case 401 -> "Unauthorized";
            case 407 -> "Proxy Authentication Required";
            case 486 -> "Busy Here";
            case 487 -> "Request Terminated";
            case 603 -> "Decline";
            default -> "Answer of a Test";
        };
    }

    /** The next message must be this request. */
    SippScenario receive(String method) {
        steps.append("<recv request=\"").append(method).append("\"/>\n");
        return this;
    }

    /** The next message must be an INVITE with a Via of the proxy and one of the caller, and its Record-Route. */
    SippScenario receiveInvite() {
        kept = "via,callerVia,route,to,from";
        return receiveInvite(keep("Via:", 1, "via") + keep("Via:", 2, "callerVia"));
    }

    /** The next message must be an INVITE with the proxy's Record-Route; {@link #fromCallee} needs nothing else. */
    SippScenario receiveHiddenInvite() {
        kept = "route,to,from";
        return receiveInvite("");
    }

    private SippScenario receiveInvite(String vias) {
        steps.append("<recv request=\"INVITE\" rrs=\"true\"><action>\n").append(vias);
        steps.append(keep("Record-Route:", 1, "route"))
                .append(keep("To:", 1, "to"))
                .append(keep("From:", 1, "from"));
        steps.append("</action></recv>\n");
        return this;
    }

    private static String keep(String header, int occurrence, String variable) {
        return "<ereg regexp=\"[^ ].*\" search_in=\"hdr\" header=\"%s\" occurrence=\"%d\" assign_to=\"%s\"/>\n"
                .formatted(header, occurrence, variable);
    }

    /** The next message must be this response. */
    SippScenario receive(int status) {
        steps.append("<recv response=\"").append(status).append("\" rrs=\"true\"/>\n");
        return this;
    }

    /** The next message must be this request, with credentials for the last 401; with other ones, it is answered 403. */
    SippScenario receiveAuthorized(String method, String user, String password) {
        int label = ++labels;
        steps.append("<recv request=\"")
                .append(method)
                .append("\" rrs=\"true\" next=\"")
                .append(label);
        steps.append("\" test=\"valid\"><action><verifyauth assign_to=\"valid\" username=\"")
                .append(user);
        steps.append("\" password=\"").append(password).append("\"/></action></recv>\n");
        answer(403);
        steps.append("<label id=\"").append(label).append("\"/>\n");
        return this;
    }

    /** The next message may be this response. */
    SippScenario mayReceive(int status) {
        steps.append("<recv response=\"").append(status).append("\" optional=\"true\"/>\n");
        return this;
    }

    /** Nothing may come for some time, in which the proxy is to wait for its timers. */
    SippScenario pause(int ms) {
        steps.append("<pause milliseconds=\"").append(ms).append("\"/>\n");
        return this;
    }

    private String options() {
        String answer = new SippScenario(target).answer(200).steps.toString();
        return "<recv request=\"OPTIONS\" optional=\"true\" next=\"98\"/>\n" + steps
                + "<nop next=\"99\"/>\n<label id=\"98\"/>\n" + answer + "<label id=\"99\"/>\n";
    }

    String xml() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<scenario name=\"test\">\n"
                + (answersOptions ? options() : steps)
                + (kept.isEmpty() ? "" : "<Reference variables=\"" + kept + "\"/>\n") + "</scenario>\n";
    }
}
