package io.offhook.testkit.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Self-signed certificates for tests of TLS, made by the JDK's keytool. */
public final class Certificates {
    private static final String PASSWORD = "of-a-test";

    /**
     * A certificate and its key, each a file in PEM.
     *
     * @param certificate "CERTIFICATE"
     * @param key "PRIVATE KEY" (PKCS #8)
     */
    public record Pem(Path certificate, Path key) {}

    private Certificates() {}

    /**
     * Makes a key and a certificate that it signs itself, valid for ten days.
     *
     * @param folder where the files are written, beginning with the name
     * @param name the common name
     * @param algorithm of the key: "EC" or "RSA"
     * @param names the alternative names as keytool writes them: "dns:example.com,uri:sip:example.com,ip:127.0.0.1"
     * @throws IOException if keytool fails; the message has what it printed
     */
    public static Pem selfSigned(Path folder, String name, String algorithm, String names) throws IOException {
        Path store = folder.resolve(name + ".p12");
        Program.run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + names,
                "-validity",
                "10",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD);
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return new Pem(
                    write(
                            folder.resolve(name + "-certificate.pem"),
                            "CERTIFICATE",
                            keys.getCertificate("own").getEncoded()),
                    write(
                            folder.resolve(name + "-key.pem"),
                            "PRIVATE KEY",
                            keys.getKey("own", PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot read what keytool wrote to " + store, e);
        }
    }

    private static Path write(Path file, String kind, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n",
                StandardCharsets.US_ASCII);
    }
}
