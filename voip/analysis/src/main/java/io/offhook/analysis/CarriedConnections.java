package io.offhook.analysis;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * What the TCP connections of a traced pipeline carry: messages of calls, of others, or both. Connections that are no
 * longer whole are dropped, because none of their frames can be reported. Single-threaded.
 */
final class CarriedConnections {
    /** Stands for the index of a call if a connection carries several. */
    static final int SEVERAL_CALLS = -1;

    private static final int NO_CALL = -2;
    private static final int LEAST_PURGED = 1024;

    private final IdentityHashMap<TracedConnection, Carried> connections = new IdentityHashMap<>();
    /** The number of connections at which those that are not whole are dropped. */
    private int purgedAt = LEAST_PURGED;

    private boolean hasCalls;

    private static final class Carried {
        private int call = NO_CALL;
        private boolean isShared;
    }

    /** Records a message of a connection, with the indexes of the calls that it belongs to, empty for none. */
    void message(TracedConnection connection, List<Integer> calls) {
        hasCalls |= !calls.isEmpty();
        if (!connection.isWhole()) {
            return;
        }
        Carried carried = connections.get(connection);
        if (carried == null) {
            purge();
            carried = new Carried();
            connections.put(connection, carried);
        }
        if (calls.isEmpty()) {
            carried.isShared = true;
        } else {
            int call = calls.size() == 1 ? calls.getFirst() : SEVERAL_CALLS;
            carried.call = carried.call == NO_CALL || carried.call == call ? call : SEVERAL_CALLS;
        }
    }

    private void purge() {
        if (connections.size() >= purgedAt) {
            connections.keySet().removeIf(connection -> !connection.isWhole());
            purgedAt = Math.max(LEAST_PURGED, 2 * connections.size());
        }
    }

    int count() {
        return connections.size();
    }

    /** Whether any connection carried a message of a call. */
    boolean hasCalls() {
        return hasCalls;
    }

    /** Reports the connections that carry nothing but calls: each with the index of its call, or SEVERAL_CALLS. */
    void ofCallsAlone(ObjIntConsumer<TracedConnection> to) {
        connections.forEach((connection, carried) -> {
            if (!carried.isShared && carried.call != NO_CALL) {
                to.accept(connection, carried.call);
            }
        });
    }
}
