package io.offhook.web.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Checks passwords and tokens against their hashes: scrypt (RFC 7914) or Argon2 (RFC 9106), as
 * {@link PasswordHash} makes them. Checking is slow on purpose, so what was right is remembered for ten minutes, in memory, as
 * a hash with a salt of this process; and addresses that were wrong too often wait.
 *
 * <p>Thread-safe. One slow check at a time; what is remembered never waits for one.
 */
public final class PasswordCheck {
    private static final int MOST_REMEMBERED = 256;
    private static final int MOST_ADDRESSES = 4096;
    private static final long REMEMBERED_NS = 600_000_000_000L;

    /** So many wrong ones in a minute, and an address waits until the minute is over. */
    static final int MOST_WRONG = 10;

    private static final long MINUTE_NS = 60_000_000_000L;
    private static final int MOST_CHARACTERS = 1024;
    private static final long MOST_WAITING_S = 5;

    private final List<String> hashes;
    private final LongSupplier clockNs;
    private final byte[] salt = new byte[16];
    private final Map<String, Long> known = new LinkedHashMap<>();
    private final Map<String, Wrong> wrong = new LinkedHashMap<>();
    private final ReentrantLock checking = new ReentrantLock();

    /** Wrong credentials of an address since a time. */
    private record Wrong(long sinceNs, int count) {}

    /** What became of a check. */
    public enum Answer {
        /** It is one of them. */
        RIGHT,
        /** It is none of them. */
        WRONG,
        /** Not checked: the address was wrong too often, or too many others are being checked. */
        TOO_OFTEN
    }

    /**
     * Keeps the hashes.
     *
     * @param hashes of passwords and tokens; with none, nobody is asked
     * @param clockNs a clock that never goes back, in nanoseconds
     * @throws IllegalArgumentException if one has another form
     */
    public PasswordCheck(List<String> hashes, LongSupplier clockNs) {
        this.hashes = List.copyOf(hashes);
        this.clockNs = clockNs;
        new SecureRandom().nextBytes(salt);
        for (String hash : hashes) {
            if (!PasswordHash.isHash(hash)) {
                throw new IllegalArgumentException("this is no hash of a password by scrypt or Argon2");
            }
        }
    }

    /** Whether anybody is asked for a password. */
    public boolean isAsked() {
        return !hashes.isEmpty();
    }

    /**
     * Checks a password or token.
     *
     * @param address of whoever gives it
     */
    public Answer check(String credential, String address) {
        String place = ClientPlace.of(address);
        String digest = digest(credential);
        if (isKnown(digest)) {
            return Answer.RIGHT;
        }
        // one at a time: a check takes 32 MB, and a processor that captures may need
        if (isBarred(place) || !waited()) {
            return Answer.TOO_OFTEN;
        }
        try {
            if (isBarred(place)) {
                return Answer.TOO_OFTEN;
            }
            boolean isRight = credential.length() <= MOST_CHARACTERS && isRight(credential);
            note(isRight, digest, place);
            return isRight ? Answer.RIGHT : Answer.WRONG;
        } finally {
            checking.unlock();
        }
    }

    private boolean waited() {
        try {
            return checking.tryLock(MOST_WAITING_S, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean isKnown(String digest) {
        Long until = known.get(digest);
        return until != null && until - clockNs.getAsLong() > 0;
    }

    private synchronized boolean isBarred(String place) {
        Wrong before = wrong.get(place);
        return before != null && isRecent(before) && before.count() >= MOST_WRONG;
    }

    private synchronized void note(boolean isRight, String digest, String place) {
        if (isRight) {
            remember(known, digest, clockNs.getAsLong() + REMEMBERED_NS, MOST_REMEMBERED);
            return;
        }
        Wrong before = wrong.get(place);
        Wrong now = before != null && isRecent(before)
                ? new Wrong(before.sinceNs(), before.count() + 1)
                : new Wrong(clockNs.getAsLong(), 1);
        remember(wrong, place, now, MOST_ADDRESSES);
    }

    private boolean isRecent(Wrong before) {
        return clockNs.getAsLong() - before.sinceNs() < MINUTE_NS;
    }

    private static <V> void remember(Map<String, V> in, String key, V value, int most) {
        in.remove(key);
        if (in.size() >= most) {
            in.remove(new ArrayList<>(in.keySet()).getFirst()); // the oldest
        }
        in.put(key, value);
    }

    private boolean isRight(String credential) {
        for (String hash : hashes) {
            if (PasswordHash.isRight(credential, hash)) {
                return true;
            }
        }
        return false;
    }

    private String digest(String credential) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return HexFormat.of().formatHex(digest.digest(credential.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
