package io.offhook.web.access;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.ScryptFunction;
import java.util.regex.Pattern;

/** Hashes of passwords and tokens: scrypt (RFC 7914) or Argon2 (RFC 9106). */
public final class PasswordHash {
    /** The library writes N as its logarithm, r and p in hexadecimal; then salt and hash in base64. */
    private static final Pattern SCRYPT = Pattern.compile("\\$[0-9a-f]{5,6}\\$[A-Za-z0-9+/]+=*\\$[A-Za-z0-9+/]+=*");

    private static final String ARGON2 = "$argon2";
    private static final int SALT_BYTES = 16;
    private static final int SCRYPT_N = 1 << 15;
    private static final int SCRYPT_R = 8;

    private static final String QUIET = "slf4j.internal.verbosity";

    static {
        // the library's logging API reports on standard error that there is no logging framework, which is so on
        // purpose
        if (System.getProperty(QUIET) == null) {
            System.setProperty(QUIET, "ERROR");
        }
    }

    private PasswordHash() {}

    /** Whether text has the form of a hash, with numbers that can be computed. */
    public static boolean isHash(String text) {
        try {
            if (text.startsWith(ARGON2)) {
                Argon2Function.getInstanceFromHash(text);
                return true;
            }
            if (SCRYPT.matcher(text).matches()) {
                ScryptFunction.getInstanceFromHash(text);
                return true;
            }
        } catch (RuntimeException _) {
            // what the library throws at forms that it cannot read differs
        }
        return false;
    }

    /** A hash by scrypt with N = 32768, r = 8, p = 1, which takes 32 MB and some 100 ms. */
    public static String of(String password) {
        return Password.hash(password)
                .addRandomSalt(SALT_BYTES)
                .with(ScryptFunction.getInstance(SCRYPT_N, SCRYPT_R, 1))
                .getResult();
    }

    /** Whether this is the password of a hash for which {@link #isHash} is true. */
    static boolean isRight(String password, String hash) {
        return hash.startsWith(ARGON2)
                ? Password.check(password, hash).with(Argon2Function.getInstanceFromHash(hash))
                : Password.check(password, hash).with(ScryptFunction.getInstanceFromHash(hash));
    }
}
