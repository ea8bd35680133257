package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;

/**
 * Makes session keys of a master key (RFC 3711, 4.3; RFC 6188, 3 for longer keys; RFC 7714, 11 for GCM, whose shorter salt is
 * extended by zeros behind it). Keys are derived once: the key derivation rate, which no endpoint sets, is 0.
 */
final class SrtpKeyDerivation {
    static final int ENCRYPTION = 0;
    static final int AUTHENTICATION = 1;
    static final int SALT = 2;
    /** Added to a label for RTCP. */
    static final int RTCP = 3;

    private static final int BLOCK = 16;
    private static final int SALT_LENGTH = 14;
    /** The last 7 bytes of the salt's 14 are combined with label (8) and index (48). */
    private static final int LABEL_AT = 7;

    private SrtpKeyDerivation() {}

    /** Derives a secret of some bytes, 48 or fewer, in the memory of a session. */
    static Secret derive(SecretMemory memory, SrtpKey key, int label, int length) {
        byte[] master = key.master().getEncoded();
        byte[] blocks = new byte[(length + BLOCK - 1) / BLOCK * BLOCK];
        byte[] stream = new byte[blocks.length];
        try (SecretMemory own = new SecretMemory()) {
            int saltLength = Math.min(SALT_LENGTH, key.suite().saltLength());
            for (int at = 0; at < blocks.length; at += BLOCK) {
                System.arraycopy(master, key.suite().keyLength(), blocks, at, saltLength);
                blocks[at + LABEL_AT] ^= (byte) label;
                blocks[at + BLOCK - 1] = (byte) (at / BLOCK);
            }
            Cipher cipher = Ciphers.blocks(own.take(master, 0, key.suite().keyLength()));
            cipher.update(blocks, 0, blocks.length, stream, 0);
            return memory.take(stream, 0, length);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused("AES", e);
        } finally {
            Arrays.fill(master, (byte) 0);
            Arrays.fill(blocks, (byte) 0);
            Arrays.fill(stream, (byte) 0);
        }
    }
}
