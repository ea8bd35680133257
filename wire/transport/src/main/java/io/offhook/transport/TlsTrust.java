package io.offhook.transport;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Who may vouch for a TLS peer's certificate. Names are not compared: see {@link ConnectionHandler#acceptsPeer}. */
public final class TlsTrust {
    private final TrustManager[] managers;
    private final boolean isVerifying;

    private TlsTrust(TrustManager[] managers, boolean isVerifying) {
        this.managers = managers;
        this.isVerifying = isVerifying;
    }

    /** The authorities that the Java runtime trusts. */
    public static TlsTrust system() {
        return new TlsTrust(managers(null), true);
    }

    /**
     * The authorities, or single certificates, in a PEM file.
     *
     * @throws IOException if it cannot be read or has none; the message has the path
     */
    public static TlsTrust read(Path certificates) throws IOException {
        return of(TlsIdentity.readCertificates(certificates));
    }

    /** These authorities, or single certificates. */
    public static TlsTrust of(List<X509Certificate> certificates) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("trusted-" + i, certificates.get(i));
            }
            return new TlsTrust(managers(store), true);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot trust these certificates: " + e.getMessage(), e);
        }
    }

    /** Anyone: encryption without knowing with whom. */
    public static TlsTrust anyone() {
        return new TlsTrust(new TrustManager[] {new Anyone()}, false);
    }

    private static TrustManager[] managers(@Nullable KeyStore store) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot verify certificates: " + e.getMessage(), e);
        }
    }

    /** Whether certificates are verified at all. */
    public boolean isVerifying() {
        return isVerifying;
    }

    TrustManager[] managers() {
        return managers.clone();
    }

    private static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
