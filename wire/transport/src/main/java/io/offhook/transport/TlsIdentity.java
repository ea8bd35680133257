package io.offhook.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate, those that vouch for it, and its private key.
 *
 * @param chain the own certificate first, each followed by the one that signed it; at least one
 * @param key the private key of the first
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    /** Copies the list. */
    public TlsIdentity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a TLS identity needs a certificate");
        }
    }

    /**
     * Reads two files in PEM, as certificate authorities hand them out. The key is PKCS #8 ("PRIVATE KEY"), PKCS #1 ("RSA
     * PRIVATE KEY") or SEC 1 ("EC PRIVATE KEY"), not encrypted.
     *
     * @throws IOException if a file cannot be read, has other content, or the key is not the certificate's; the message
     *     has the path
     */
    public static TlsIdentity read(Path certificates, Path key) throws IOException {
        List<X509Certificate> chain = readCertificates(certificates);
        PrivateKey privateKey = PemKey.read(key);
        if (!belongsTo(privateKey, chain.getFirst().getPublicKey())) {
            throw new IOException("the key in " + key + " is not that of the first certificate in " + certificates);
        }
        return new TlsIdentity(chain, privateKey);
    }

    /**
     * Reads the certificates in a PEM file, in its order.
     *
     * @throws IOException if it cannot be read or has none; the message has the path
     */
    public static List<X509Certificate> readCertificates(Path file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificateBlocks(file)))) {
                certificates.add((X509Certificate) certificate);
            }
        } catch (CertificateException e) {
            throw new IOException("cannot read the certificates in " + file + ": " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new IOException("no certificate in " + file + "; it should have -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /** Without what stands between the blocks, which the JDK's reader takes for base64. */
    private static byte[] certificateBlocks(Path file) throws IOException {
        StringBuilder blocks = new StringBuilder();
        boolean isInside = false;
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .toList()) {
            isInside |= line.startsWith("-----BEGIN CERTIFICATE-----");
            if (isInside) {
                blocks.append(line).append('\n');
            }
            isInside &= !line.startsWith("-----END CERTIFICATE-----");
        }
        return blocks.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean belongsTo(PrivateKey key, PublicKey publicKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm(); // Ed25519 and Ed448 sign by their names
        };
        byte[] sample = "sample".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // another kind of key
        }
    }
}
