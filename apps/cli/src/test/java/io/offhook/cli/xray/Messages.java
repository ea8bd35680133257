package io.offhook.cli.xray;

import io.offhook.packet.Endpoint;

/** Messages between a proxy, and those before and behind it, as it sees them. */
final class Messages {
    static final Endpoint CALLER = Endpoint.of("192.0.2.1", 5060);
    static final Endpoint PROXY = Endpoint.of("192.0.2.2", 5060);
    static final Endpoint CALLEE = Endpoint.of("192.0.2.3", 5060);
    static final long MS = 1_000_000;
    static final long EPOCH = 1_700_000_000_000L * MS;

    private Messages() {}

    static long at(long ms) {
        return EPOCH + ms * MS;
    }

    /** A request with one Via, that of the sender. */
    static SeenMessage request(long ms, Endpoint from, Endpoint to, String method, long branch) {
        return message(ms, from, to, method, -1, branch, 0);
    }

    /** A request that the proxy passes on: its own branch above that of the sender. */
    static SeenMessage forwarded(long ms, String method, long branch, long below) {
        return message(ms, PROXY, CALLEE, method, -1, branch, below);
    }

    static SeenMessage response(long ms, Endpoint from, Endpoint to, int status, long branch, long below) {
        return message(ms, from, to, "INVITE", status, branch, below);
    }

    static SeenMessage message(
            long ms, Endpoint from, Endpoint to, String method, int status, long branch, long below) {
        String label = status < 0 ? method : Integer.toString(status);
        return new SeenMessage(at(ms), "call@host", label, method, status, 1, branch, below, from, to, false, 400);
    }
}
