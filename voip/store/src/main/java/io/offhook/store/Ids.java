package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.registration.Registration;
import io.offhook.packet.Endpoint;
import io.offhook.sip.transaction.KeyedHash;
import java.nio.charset.StandardCharsets;

/**
 * Makes ids: positive, and the same whenever the same capture is read. Hashed without a secret, for what is hashed in one
 * process must be found by the next one.
 */
final class Ids {
    private Ids() {}

    static long dialog(String callId, long firstSeenNs) {
        byte[] octets = callId.getBytes(StandardCharsets.UTF_8);
        return positive(hash().add(octets, 0, octets.length).add(firstSeenNs));
    }

    /** Of a Call-ID alone, which may be used again. */
    static long callId(String callId) {
        byte[] octets = callId.getBytes(StandardCharsets.UTF_8);
        return positive(hash().add(octets, 0, octets.length));
    }

    /** That of its first dialog. */
    static long call(CallReport call) {
        return dialog(call.callId(), call.times().firstSeenNs());
    }

    static long stream(long call, StreamReport stream) {
        KeyedHash hash = hash().add(call).add(stream.ssrc());
        add(hash, stream.source());
        add(hash, stream.destination());
        return positive(hash.add(stream.statistics().firstNs()));
    }

    static long registration(Registration registration) {
        byte[] callId = registration.callId().getBytes(StandardCharsets.UTF_8);
        KeyedHash hash = hash().add(callId, 0, callId.length);
        add(hash, registration.client());
        add(hash, registration.registrar());
        return positive(hash.add(registration.firstNs()));
    }

    static long message(CapturedMessage message) {
        KeyedHash hash = hash().add(message.timestampNs());
        add(hash, message.source());
        add(hash, message.destination());
        return positive(hash.add(message.octets(), 0, message.octets().length));
    }

    private static KeyedHash hash() {
        return new KeyedHash(0, 0).begin();
    }

    private static void add(KeyedHash hash, Endpoint endpoint) {
        hash.add(endpoint.high()).add(endpoint.low()).add((long) endpoint.port());
    }

    private static long positive(KeyedHash hash) {
        return hash.end().low() & Long.MAX_VALUE;
    }
}
