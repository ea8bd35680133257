package io.offhook.hep;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whose certificates a collector must have, if not those that the system trusts. */
public final class HepTrust {
    private HepTrust() {}

    /**
     * Trusts the certificates of a file in PEM, and those that they vouch for, and no others.
     *
     * @throws IOException if it cannot be read or has no certificate; the message has the path
     */
    public static SSLContext of(Path certificates) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(certificates))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("trusted-" + count++, certificate);
            }
            if (count == 0) {
                throw new IOException(
                        "no certificate in " + certificates + "; it should have -----BEGIN CERTIFICATE-----");
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot read the certificates in " + certificates + ": " + e.getMessage(), e);
        }
    }
}
