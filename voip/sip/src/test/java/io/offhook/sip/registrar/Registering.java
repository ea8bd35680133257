package io.offhook.sip.registrar;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A registrar with one address of record, for tests: what a request gets, and what is bound then. */
final class Registering {
    static final long NOW = 1_800_000_000_000L;

    final RegistrarRules rules;
    List<Binding> bindings = List.of();
    RegisterOutcome last = RegisterOutcome.refused(RegisterFinding.MALFORMED);
    long nowMs = NOW;

    Registering(RegistrarPolicy policy, @Nullable Gruus gruus) {
        rules = new RegistrarRules(policy, gruus);
    }

    Registering() {
        this(RegistrarPolicy.DEFAULT, new Gruus("0123456789abcdef".getBytes(StandardCharsets.US_ASCII)));
    }

    static RegisterRequest request(String callId, long cseq, String... headers) {
        List<String> lines = new ArrayList<>(List.of(
                "REGISTER sip:example.com SIP/2.0",
                "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1",
                "From: <sip:alice@example.com>;tag=1",
                "To: Alice <sip:alice@example.com>",
                "Call-ID: " + callId,
                "CSeq: " + cseq + " REGISTER"));
        lines.addAll(List.of(headers));
        return request(String.join("\r\n", lines) + "\r\n\r\n");
    }

    static RegisterRequest request(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        SipMessageView view = new SipMessageView();
        view.wrap(bytes, 0, bytes.length);
        return RegisterRequest.read(
                view, new RegistrationSource(Endpoint.of("192.0.2.1", 5060), SipTransport.UDP, new byte[] {1, 2, 3}));
    }

    RegisterFinding register(String callId, long cseq, String... headers) {
        return register(request(callId, cseq, headers));
    }

    RegisterFinding register(RegisterRequest request) {
        last = rules.apply(request, bindings, nowMs);
        List<Binding> changed = last.bindings();
        if (changed != null) {
            bindings = changed;
        }
        return last.finding();
    }

    List<String> contacts() {
        return bindings.stream().map(Binding::contact).toList();
    }

    /** The lines of a header in the last answer. */
    List<String> answered(String name) {
        return last.headers().stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .toList();
    }
}
