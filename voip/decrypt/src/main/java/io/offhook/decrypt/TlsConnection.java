package io.offhook.decrypt;

import io.offhook.decrypt.KeyLog.ClientRandom;
import io.offhook.decrypt.KeyLog.Label;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What both directions of a TLS connection have in common: its hellos, and the keys that follow from them. Single-threaded.
 */
final class TlsConnection {
    private static final int TLS_12 = 0x0303;

    /** Which secret of TLS 1.3 protects a direction. */
    enum Phase {
        EARLY,
        HANDSHAKE,
        APPLICATION
    }

    private final KeyLog log;
    private final SecretMemory memory;
    private final List<Secret> secrets = new ArrayList<>();
    private @Nullable ClientRandom client;
    private byte[] clientRandom = new byte[0];
    private boolean hasEarlyData;
    private TlsHandshake.@Nullable ServerHello server;
    private @Nullable TlsSuite suite;
    private int openDirections;

    TlsConnection(KeyLog log, SecretMemory memory) {
        this.log = log;
        this.memory = memory;
    }

    void clientHello(ClientRandom random, byte[] bytes, boolean early) {
        if (client != null && !random.equals(client)) {
            server = null; // a new handshake in the connection
        }
        client = random;
        clientRandom = bytes;
        hasEarlyData = early;
    }

    void serverHello(TlsHandshake.ServerHello hello) {
        server = hello;
        suite = TlsSuite.of(hello.suite());
    }

    boolean hasHello() {
        return client != null || server != null;
    }

    boolean hasHellos() {
        return client != null && server != null;
    }

    boolean isTls13() {
        return server != null && TlsHandshake.isTls13(server.version());
    }

    /** Whether records can be opened at all. */
    boolean isSupported() {
        return server != null && suite != null && (server.version() == TLS_12 || isTls13());
    }

    /** The first phase of a direction's records in TLS 1.3. */
    Phase firstPhase(boolean isClient) {
        return isClient && hasEarlyData && secret(Label.CLIENT_EARLY_TRAFFIC_SECRET) != null
                ? Phase.EARLY
                : Phase.HANDSHAKE;
    }

    private @Nullable Secret secret(Label label) {
        return client == null ? null : log.secret(label, client);
    }

    /** The secret of a phase of TLS 1.3; null if the log does not have it. */
    @Nullable
    Secret trafficSecret(boolean isClient, Phase phase) {
        return secret(
                switch (phase) {
                    case EARLY -> Label.CLIENT_EARLY_TRAFFIC_SECRET;
                    case HANDSHAKE ->
                        isClient ? Label.CLIENT_HANDSHAKE_TRAFFIC_SECRET : Label.SERVER_HANDSHAKE_TRAFFIC_SECRET;
                    case APPLICATION -> isClient ? Label.CLIENT_TRAFFIC_SECRET_0 : Label.SERVER_TRAFFIC_SECRET_0;
                });
    }

    /** The secret after a key update (RFC 8446, 7.2). */
    Secret nextTrafficSecret(TlsSuite of, Secret secret) {
        return kept(TlsKeySchedule.expandLabel(memory, of.hmac(), secret, "traffic upd", secret.length()));
    }

    /** What opens records under a secret of TLS 1.3 (RFC 8446, 7.3). */
    TlsRecordCipher cipher13(TlsSuite of, Secret secret) {
        return new TlsAead(
                of,
                true,
                kept(TlsKeySchedule.expandLabel(memory, of.hmac(), secret, "key", of.keyLength())),
                kept(TlsKeySchedule.expandLabel(memory, of.hmac(), secret, "iv", of.fixedNonce(true))));
    }

    /** What opens records of TLS 1.2 (RFC 5246, 6.3); null if the log does not have the master secret. */
    @Nullable
    TlsRecordCipher cipher12(TlsSuite of, boolean isClient) {
        Secret master = secret(Label.CLIENT_RANDOM);
        TlsHandshake.ServerHello hello = server;
        if (master == null || hello == null) {
            return null;
        }
        byte[] seed = Arrays.copyOf(hello.random(), hello.random().length + clientRandom.length);
        System.arraycopy(clientRandom, 0, seed, hello.random().length, clientRandom.length);
        int nonceLength = of.fixedNonce(false);
        int length = 2 * (of.macLength() + of.keyLength() + nonceLength);
        Secret block = TlsKeySchedule.prf(memory, of.hmac(), master, "key expansion", seed, length);
        byte[] keys = block.getEncoded();
        memory.free(block);
        int side = isClient ? 0 : 1;
        int keyAt = 2 * of.macLength() + side * of.keyLength();
        int nonceAt = 2 * of.macLength() + 2 * of.keyLength() + side * nonceLength;
        try {
            Secret key = kept(memory.take(keys, keyAt, of.keyLength()));
            return of.kind() == TlsSuite.Kind.CBC
                    ? new TlsCbc(
                            of,
                            hello.isMacOutside(),
                            key,
                            kept(memory.take(keys, side * of.macLength(), of.macLength())))
                    : new TlsAead(of, false, key, kept(memory.take(keys, nonceAt, nonceLength)));
        } finally {
            Arrays.fill(keys, (byte) 0);
        }
    }

    @Nullable
    TlsSuite suite() {
        return suite;
    }

    private Secret kept(Secret secret) {
        secrets.add(secret);
        return secret;
    }

    void begin() {
        openDirections++;
    }

    /** A direction ended; the keys are overwritten when both did. */
    void end() {
        if (--openDirections == 0) {
            secrets.forEach(memory::free);
            secrets.clear();
        }
    }
}
