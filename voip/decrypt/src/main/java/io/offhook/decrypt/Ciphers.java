package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Cipher;
import javax.crypto.Mac;

/** The JDK's algorithms, which every JDK has: that one is missing is a broken installation. */
final class Ciphers {
    private Ciphers() {}

    static Cipher cipher(String transformation) {
        try {
            return Cipher.getInstance(transformation);
        } catch (GeneralSecurityException e) {
            throw missing(transformation, e);
        }
    }

    static Mac mac(String algorithm) {
        try {
            return Mac.getInstance(algorithm);
        } catch (GeneralSecurityException e) {
            throw missing(algorithm, e);
        }
    }

    static Mac mac(String algorithm, Secret key) {
        Mac mac = mac(algorithm);
        try {
            mac.init(key);
        } catch (GeneralSecurityException e) {
            throw refused(algorithm, e);
        }
        return mac;
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (GeneralSecurityException e) {
            throw missing(algorithm, e);
        }
    }

    /** AES of single blocks, from which counter modes are made: no parameters for each packet, nothing allocated. */
    static Cipher blocks(Secret key) {
        Cipher cipher = cipher("AES/ECB/NoPadding");
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key);
        } catch (GeneralSecurityException e) {
            throw refused("AES", e);
        }
        return cipher;
    }

    private static IllegalStateException missing(String algorithm, GeneralSecurityException e) {
        return new IllegalStateException("this JDK has no " + algorithm, e);
    }

    /** Without its cause, whose text could say something of a key. */
    static IllegalStateException refused(String algorithm, GeneralSecurityException e) {
        return new IllegalStateException(
                algorithm + " refuses a key or its parameters: " + e.getClass().getSimpleName());
    }
}
