package io.offhook.cluster.operator;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.cluster.message.Namings;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the SIP of a Call-ID, passes it on to its call, and what its SDP names to the endpoints: whenever that changes, all that it
 * names there.
 */
public final class DialogOperator implements Operator {
    /** Up to so many messages, what they name is found after each; then at powers of two, and when no more come. */
    private static final long EACH = 64;

    private static final long QUIET_NS = 10_000_000_000L;

    private static final String SENT = "sent";
    private static final String LAST = "last";
    private static final String END = "end";
    private static final String STALE = "stale";

    private final OperatorOptions options;

    /** Without state. */
    public DialogOperator(OperatorOptions options) {
        this.options = options;
    }

    @Override
    public void accept(OperatorKey key, OperatorMessage message, Keep keep, Output output) {
        if (!(message instanceof SeenEvent seen)) {
            throw new IllegalArgumentException("not for dialogs: " + message);
        }
        if (Dialog.isTooLate(seen.event(), keep, options, output)) {
            return;
        }
        long atNs = seen.event().atNs();
        if (atNs < keep.watermarkNs()) {
            output.count(OperatorCount.LATE_EVENTS, 1);
        }
        keep.put(LAST, Math.max(atNs, keep.number(LAST, Long.MIN_VALUE)));
        long count = Dialog.keep(seen, keep, output);
        if (count > 0) {
            output.send(Stage.CALL, key, seen);
        }
        if (count > 0 && (count <= EACH || Long.bitCount(count) == 1)) {
            name(key, keep, output);
        } else {
            keep.put(STALE, 1);
            keep.due(keep.number(LAST, atNs) + QUIET_NS);
        }
        keep.due(expiryNs(keep));
    }

    private long expiryNs(Keep keep) {
        long lastNs = keep.number(LAST, 0);
        long endNs = keep.number(END, 0);
        return endNs == NamedCall.NEVER ? lastNs + options.openNs() : Math.max(lastNs, endNs) + options.retainNs();
    }

    /** Finds what the messages name, and sends what changed of it. */
    private void name(OperatorKey key, Keep keep, Output output) {
        keep.put(STALE, 0);
        CallAssembly assembly;
        try {
            assembly = Dialog.assembly(Dialog.messages(keep), options);
        } catch (RuntimeException e) { // a bug costs what these messages name
            output.count(OperatorCount.FAILED_REPORTS, 1);
            return;
        }
        long endNs = 0;
        for (NamedCall call : assembly.namedCalls()) {
            endNs = Math.max(endNs, call.endNs());
        }
        keep.put(END, endNs);
        Map<Endpoint, List<Naming>> byEndpoint = new LinkedHashMap<>();
        for (Naming naming : assembly.namings()) {
            add(byEndpoint, naming.endpoint(), naming);
            if (naming.rtcp() != null && !naming.rtcp().equals(naming.endpoint())) {
                add(byEndpoint, naming.rtcp(), naming);
            }
        }
        byEndpoint.forEach((endpoint, namings) -> send(new Namings(endpoint, key.high(), namings), keep, output));
        for (Endpoint before : Digests.endpoints(keep, SENT)) {
            if (!byEndpoint.containsKey(before)) {
                send(new Namings(before, key.high(), List.of()), keep, output);
            }
        }
    }

    private static void add(Map<Endpoint, List<Naming>> byEndpoint, Endpoint endpoint, Naming naming) {
        byEndpoint.computeIfAbsent(endpoint, _ -> new ArrayList<>(1)).add(naming);
    }

    private static void send(Namings namings, Keep keep, Output output) {
        if (Digests.isNew(keep, SENT, namings.endpoint().toString(), namings)) {
            output.send(Stage.ENDPOINT, OperatorKey.of(namings.endpoint()), namings);
        }
    }

    @Override
    public void timer(OperatorKey key, long atNs, Keep keep, Output output) {
        if (!keep.isDue(atNs)) {
            return;
        }
        if (keep.number(STALE, 0) != 0) {
            name(key, keep, output);
        }
        if (atNs < expiryNs(keep)) {
            keep.due(expiryNs(keep));
            return;
        }
        forget(key, atNs, keep, output);
    }

    private static void forget(OperatorKey key, long atNs, Keep keep, Output output) {
        for (Endpoint endpoint : Digests.endpoints(keep, SENT)) {
            output.send(Stage.ENDPOINT, OperatorKey.of(endpoint), new Namings(endpoint, key.high(), List.of(), atNs));
        }
        keep.clear();
    }
}
