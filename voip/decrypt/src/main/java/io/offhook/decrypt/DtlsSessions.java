package io.offhook.decrypt;

import io.offhook.calls.StreamReport;
import io.offhook.decrypt.DtlsHellos.Hello;
import io.offhook.packet.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The DTLS sessions of a capture and the keys of SRTP that follow from their master secrets (RFC 5764, 4.2; RFC 5705).
 * Sessions of DTLS 1.2; keys are exported when they are first asked for. Single-threaded.
 */
final class DtlsSessions implements AutoCloseable {
    private static final int DTLS_12 = 0xfefd;
    private static final String LABEL = "EXTRACTOR-dtls_srtp";

    private final KeyLog log;
    private final SecretMemory memory = new SecretMemory();
    private final ArrayDeque<Session> sessions = new ArrayDeque<>();
    /** By each of its endpoints. */
    private final Map<Endpoint, List<Session>> byEndpoint = new HashMap<>();
    /** The last hello of each client that no server answered yet. */
    private final Map<Ends, Hello> clients = new LinkedHashMap<>();

    private final int mostSessions;

    /** A handshake whose two hellos were seen. */
    private static final class Session {
        final Hello client;
        final TlsHandshake.ServerHello server;
        /** Of what the client and the server send; empty until asked for, or without a secret. */
        List<SrtpKey> keys = List.of();

        Session(Hello client, TlsHandshake.ServerHello server) {
            this.client = client;
            this.server = server;
        }
    }

    private record Ends(Endpoint client, Endpoint server) {}

    /** Pairs the hellos, each with the one that it answers. */
    DtlsSessions(List<Hello> hellos, KeyLog log) {
        this(log, Integer.MAX_VALUE);
        add(hellos);
    }

    private DtlsSessions(KeyLog log, int mostSessions) {
        this.log = log;
        this.mostSessions = mostSessions;
    }

    /** So many sessions, of which the eldest make room; none yet. */
    static DtlsSessions ofTheLatest(int sessions, KeyLog log) {
        return new DtlsSessions(log, sessions);
    }

    /** Adds hellos that were captured after those before. */
    void add(List<Hello> hellos) {
        List<Hello> ordered = new ArrayList<>(hellos);
        ordered.sort(Comparator.comparingLong(Hello::frame));
        for (Hello hello : ordered) {
            if (hello.client() != null) {
                Ends ends = new Ends(hello.source(), hello.destination());
                clients.remove(ends);
                clients.put(ends, hello);
                if (clients.size() > mostSessions) {
                    clients.remove(clients.keySet().iterator().next());
                }
            } else if (hello.server() != null && hello.server().srtpProfile() != 0) {
                Hello client = clients.get(new Ends(hello.destination(), hello.source()));
                if (client != null) {
                    add(new Session(client, hello.server()));
                }
            }
        }
    }

    private void add(Session session) {
        if (sessions.size() >= mostSessions) {
            forget(sessions.removeFirst());
        }
        sessions.add(session);
        byEndpoint
                .computeIfAbsent(session.client.source(), _ -> new ArrayList<>(1))
                .add(session);
        byEndpoint
                .computeIfAbsent(session.client.destination(), _ -> new ArrayList<>(1))
                .add(session);
    }

    private void forget(Session session) {
        for (Endpoint end : List.of(session.client.source(), session.client.destination())) {
            List<Session> known = byEndpoint.get(end);
            if (known != null) {
                known.remove(session);
                if (known.isEmpty()) {
                    byEndpoint.remove(end);
                }
            }
        }
        session.keys.forEach(key -> memory.free(key.master()));
    }

    /** Adds the keys that a stream may have. */
    void of(StreamReport stream, List<SrtpKey> to) {
        of(stream.source(), stream.destination(), to);
    }

    /**
     * Adds the keys that packets between two endpoints may have: of sessions between its ends, the latest first; then of those that have one of
     * its ends, since ICE may have changed the other.
     */
    void of(Endpoint source, Endpoint destination, List<SrtpKey> to) {
        List<SrtpKey> others = new ArrayList<>(0);
        for (Endpoint end : List.of(source, destination)) {
            for (Session session : byEndpoint.getOrDefault(end, List.of()).reversed()) {
                boolean isSender = session.client.source().equals(source);
                boolean isReceiver = session.client.source().equals(destination);
                boolean isBetween = isSender && session.client.destination().equals(destination)
                        || isReceiver && session.client.destination().equals(source);
                List<SrtpKey> keys = keys(session);
                if (!keys.isEmpty() && others.size() < SrtpOpener.MOST_KEYS) {
                    (isBetween ? to : others).add(keys.get(isReceiver ? 1 : 0));
                    others.add(keys.get(isReceiver ? 0 : 1));
                }
            }
        }
        to.addAll(others);
    }

    private List<SrtpKey> keys(Session session) {
        SrtpSuite suite = SrtpSuite.ofProfile(session.server.srtpProfile());
        if (!session.keys.isEmpty() || suite == null || session.server.version() != DTLS_12) {
            return session.keys;
        }
        Secret master = session.client.client() == null
                ? null
                : log.secret(KeyLog.Label.CLIENT_RANDOM, session.client.client());
        if (master == null) {
            return List.of();
        }
        byte[] client = session.client.random();
        byte[] server = session.server.random();
        byte[] seed = Arrays.copyOf(client, client.length + server.length);
        System.arraycopy(server, 0, seed, client.length, server.length);
        int key = suite.keyLength();
        int salt = suite.saltLength();
        TlsSuite cipher = TlsSuite.of(session.server.suite());
        Secret block = TlsKeySchedule.prf(
                memory, cipher == null ? "HmacSHA256" : cipher.hmac(), master, LABEL, seed, 2 * (key + salt));
        byte[] bytes = block.getEncoded();
        memory.free(block);
        try {
            session.keys = List.of(key(suite, bytes, 0, 2 * key), key(suite, bytes, key, 2 * key + salt));
            return session.keys;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private SrtpKey key(SrtpSuite suite, byte[] block, int keyAt, int saltAt) {
        byte[] master = new byte[suite.keyLength() + suite.saltLength()];
        System.arraycopy(block, keyAt, master, 0, suite.keyLength());
        System.arraycopy(block, saltAt, master, suite.keyLength(), suite.saltLength());
        return SrtpKey.of(suite, memory.take(master));
    }

    /** How many there are. */
    int count() {
        return sessions.size();
    }

    @Override
    public void close() {
        memory.close();
        sessions.clear();
        clients.clear();
        byEndpoint.clear();
    }
}
