package io.offhook.collector;

import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.TlsContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a collector receives.
 *
 * @param listeners where, at least one
 * @param key what each packet must have as its authentication key (chunk 0x000e), not empty; null to accept all. With a key,
 *     packets of versions 1 and 2, which have none, are refused
 * @param tls the certificate for {@link HepListener.Transport#TLS}; null if no listener has it
 * @param bufferBytes the most bytes of packets that wait, or are being analysed: 1 MiB to 1 GiB; taken as they are needed
 * @param limits of connections; {@link ConnectionLimits#unreadBytes} is at least {@value #LEAST_UNREAD}
 * @param timeouts of connections
 */
public record HepCollectorOptions(
        List<HepListener> listeners,
        @Nullable String key,
        @Nullable TlsContext tls,
        long bufferBytes,
        ConnectionLimits limits,
        ConnectionTimeouts timeouts) {
    /** The longest packet of HEP 3 that a connection has to hold. */
    public static final int LEAST_UNREAD = 65_535;

    private static final long LEAST_BYTES = 1L << 20;
    private static final long MOST_BYTES = 1L << 30;
    /** 64 MiB. */
    private static final long USUAL_BYTES = 64L << 20;

    /** 1,000 connections, 100 of a source; agents send nothing that is queued. */
    private static final ConnectionLimits USUAL_LIMITS = ConnectionLimits.DEFAULT.withConnections(1000, 100);

    /** Checks the values. */
    public HepCollectorOptions {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("a collector needs a listener");
        }
        if (key != null && key.isEmpty()) {
            throw new IllegalArgumentException("the authentication key is empty");
        }
        if (tls == null && listeners.stream().anyMatch(at -> at.transport() == HepListener.Transport.TLS)) {
            throw new IllegalArgumentException("a listener for TLS needs a certificate");
        }
        if (bufferBytes < LEAST_BYTES || bufferBytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a buffer of " + bufferBytes + " bytes; the limits are " + LEAST_BYTES + " and " + MOST_BYTES);
        }
        if (limits.unreadBytes() < LEAST_UNREAD) {
            throw new IllegalArgumentException(
                    "unreadBytes " + limits.unreadBytes() + " hold no packet of " + LEAST_UNREAD + " bytes");
        }
    }

    /** Without key and TLS, with 64 MiB, 1,000 connections (100 of a source) and the usual timeouts. */
    public static HepCollectorOptions of(List<HepListener> listeners) {
        return new HepCollectorOptions(listeners, null, null, USUAL_BYTES, USUAL_LIMITS, ConnectionTimeouts.DEFAULT);
    }

    /** The same with an authentication key; null to accept all. */
    public HepCollectorOptions withKey(@Nullable String required) {
        return new HepCollectorOptions(listeners, required, tls, bufferBytes, limits, timeouts);
    }

    /** The same with a certificate for TLS. */
    public static HepCollectorOptions of(List<HepListener> listeners, @Nullable TlsContext tls) {
        return new HepCollectorOptions(listeners, null, tls, USUAL_BYTES, USUAL_LIMITS, ConnectionTimeouts.DEFAULT);
    }

    /** The same with another bound of memory. */
    public HepCollectorOptions withBuffer(long bytes) {
        return new HepCollectorOptions(listeners, key, tls, bytes, limits, timeouts);
    }

    /** The same with other limits and timeouts of connections. */
    public HepCollectorOptions withConnections(ConnectionLimits others, ConnectionTimeouts times) {
        return new HepCollectorOptions(listeners, key, tls, bufferBytes, others, times);
    }

    /** Without the key, which is a secret. */
    @Override
    public String toString() {
        return "HEP on " + listeners + (key == null ? "" : ", with an authentication key");
    }
}
