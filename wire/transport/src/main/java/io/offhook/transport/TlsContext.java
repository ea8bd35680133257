package io.offhook.transport;

import io.offhook.packet.IpAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and rules of TLS 1.2 and 1.3 for listeners and outgoing connections. {@link #replace} exchanges the
 * certificates for connections to come; those that are open keep theirs. Thread-safe.
 */
public final class TlsContext {
    /** What a server does about a client's certificate. */
    public enum ClientCertificates {
        /** It asks for none. */
        NONE,
        /** It asks; a client without one is served, a client with one that is not trusted is refused. */
        WANTED,
        /** It refuses clients without one. */
        REQUIRED
    }

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final ClientCertificates clients;
    private volatile Current current;

    /** What is exchanged together. */
    private record Current(SSLContext context, TlsTrust trust) {}

    private TlsContext(List<TlsIdentity> identities, TlsTrust trust, ClientCertificates clients) {
        this.clients = clients;
        this.current = create(identities, trust);
    }

    /**
     * For listeners.
     *
     * @param identities the certificates: the first whose names include the one that the client asks for (SNI), otherwise
     *     the first of the kind of key that the client knows; at least one
     * @param trust who may vouch for clients
     * @param clients whether they must have certificates
     */
    public static TlsContext server(List<TlsIdentity> identities, TlsTrust trust, ClientCertificates clients) {
        if (identities.isEmpty()) {
            throw new IllegalArgumentException("a TLS server needs a certificate");
        }
        return new TlsContext(identities, trust, clients);
    }

    /** For listeners that ask for no client certificates. */
    public static TlsContext server(TlsIdentity identity) {
        return server(List.of(identity), TlsTrust.of(List.of()), ClientCertificates.NONE);
    }

    /**
     * For outgoing connections.
     *
     * @param identities the own certificates, for peers that ask for one; may be empty
     * @param trust who may vouch for servers
     */
    public static TlsContext client(List<TlsIdentity> identities, TlsTrust trust) {
        return new TlsContext(identities, trust, ClientCertificates.NONE);
    }

    private static Current create(List<TlsIdentity> identities, TlsTrust trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys = {new TlsIdentities(identities)};
            context.init(keys, trust.managers(), new SecureRandom());
            return new Current(context, trust);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("TLS cannot use these certificates: " + e.getMessage(), e);
        }
    }

    /** Uses other certificates and another trust from the next handshake on. */
    public void replace(List<TlsIdentity> identities, TlsTrust trust) {
        prepare(identities, trust).run();
    }

    /**
     * Prepares to use other certificates and another trust, so that several contexts change together or not at all.
     *
     * @return puts them to use from the next handshake on, and cannot fail
     * @throws IllegalArgumentException if TLS cannot use them
     */
    public Runnable prepare(List<TlsIdentity> identities, TlsTrust trust) {
        Current next = create(identities, trust);
        return () -> current = next;
    }

    /** Whether the certificates of peers are verified. */
    public boolean isVerifying() {
        return current.trust().isVerifying();
    }

    SSLEngine serverEngine() {
        SSLEngine engine = current.context().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setUseCipherSuitesOrder(true);
        switch (clients) {
            case NONE -> {}
            case WANTED -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    SSLEngine clientEngine(ConnectSettings settings) {
        String name = settings.serverName();
        // by name and port a session is found that can be resumed
        SSLEngine engine = current.context()
                .createSSLEngine(
                        name == null ? settings.remote().getAddress().getHostAddress() : name,
                        settings.remote().getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setServerNames(serverNames(name));
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static List<SNIServerName> serverNames(@Nullable String name) {
        // an address is no name (RFC 6066, 3)
        return name == null || IpAddress.parse(name) != null ? List.of() : List.of(new SNIHostName(name));
    }
}
