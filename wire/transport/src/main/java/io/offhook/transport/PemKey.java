package io.offhook.transport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Private keys in PEM (RFC 7468). The older forms, PKCS #1 (RFC 8017, A.1.2) and SEC 1 (RFC 5915), are what PKCS #8 (RFC
 * 5958) has inside: they are wrapped in it.
 *
 * <pre>
 * SEQUENCE { INTEGER 0, SEQUENCE { OBJECT IDENTIFIER, parameters }, OCTET STRING { key } }
 * </pre>
 */
final class PemKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([^-]*)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int EC_PARAMETERS = 0xa0;
    private static final byte[] VERSION = {2, 1, 0};
    /** rsaEncryption, 1.2.840.113549.1.1.1, and NULL. */
    private static final byte[] RSA = {6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0};
    /** id-ecPublicKey, 1.2.840.10045.2.1. */
    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private PemKey() {}

    static PrivateKey read(Path file) throws IOException {
        Matcher block = BLOCK.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IOException("no private key in " + file + "; it should have -----BEGIN PRIVATE KEY-----");
        }
        String kind = block.group(1);
        if (kind.startsWith("ENCRYPTED") || block.group(2).contains("Proc-Type")) {
            throw new IOException("the private key in " + file + " is encrypted; decrypt it with: openssl pkey -in "
                    + file + " -out decrypted.pem");
        }
        byte[] octets;
        try {
            octets = Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            throw new IOException("the private key in " + file + " is not base64: " + e.getMessage(), e);
        }
        byte[] wrapped = switch (kind) {
            case "RSA PRIVATE KEY" -> wrap(RSA, octets);
            case "EC PRIVATE KEY" -> wrap(join(EC, curve(octets, file)), octets);
            default -> octets;
        };
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(wrapped));
            } catch (GeneralSecurityException e) {
                // of another kind
            }
        }
        throw new IOException(
                "cannot read the private key in " + file + "; known are " + String.join(", ", ALGORITHMS));
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, join(VERSION, join(element(SEQUENCE, algorithm), element(OCTET_STRING, key))));
    }

    /** The curve's object identifier, in the optional parameters behind version and key (RFC 5915, 3). */
    private static byte[] curve(byte[] key, Path file) throws IOException {
        int end = key.length;
        int at = end < 2 ? end : content(key, 0);
        while (at + 2 <= end) {
            int content = content(key, at);
            int length = length(key, at);
            if (length < 0 || length > end - content) {
                break;
            }
            if ((key[at] & 0xff) == EC_PARAMETERS) {
                return java.util.Arrays.copyOfRange(key, content, content + length);
            }
            at = content + length;
        }
        throw new IOException("the EC key in " + file + " does not name its curve; convert it with: openssl pkey -in "
                + file + " -out converted.pem");
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    /** -1 if it is longer than any key. */
    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int octets = first & 0x7f;
        if (octets > 2 || at + 2 + octets > der.length) {
            return -1;
        }
        int length = 0;
        for (int i = 0; i < octets; i++) {
            length = length << 8 | der[at + 2 + i] & 0xff;
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        int length = content.length;
        if (length >= 0x100) {
            element.write(0x82);
            element.write(length >>> 8);
        } else if (length >= 0x80) {
            element.write(0x81);
        }
        element.write(length);
        element.writeBytes(content);
        return element.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
