package io.offhook.proxy.users;

import io.offhook.sip.digest.DigestAlgorithm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user file says. Immutable once it is read.
 *
 * <pre>
 * # comment
 * name:realm:SHA-256 of "name:realm:password" in hex:MD5 of the same, or - for none
 * </pre>
 */
final class UserKeys {
    static final UserKeys NONE = new UserKeys();

    private static final int MOST_LENGTH = 1000;

    private final Map<User, Keys> users = new HashMap<>();

    /** Whose keys they are. */
    record User(String name, String realm) {}

    private static final class Keys {
        final byte[] sha256;
        final byte @Nullable [] md5;

        Keys(byte[] sha256, byte @Nullable [] md5) {
            this.sha256 = sha256;
            this.md5 = md5;
        }
    }

    private UserKeys() {}

    /** @throws UserFileException with every line that cannot be read */
    static UserKeys parse(List<String> lines, String file) throws UserFileException {
        UserKeys keys = new UserKeys();
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String fault = isIgnored(lines.get(i)) ? null : keys.read(lines.get(i));
            if (fault != null) {
                faults.add(file + ":" + (i + 1) + ": " + fault);
            }
        }
        if (!faults.isEmpty()) {
            throw new UserFileException(faults);
        }
        return keys;
    }

    static boolean isIgnored(String line) {
        return line.isBlank() || line.startsWith("#");
    }

    /** The fault, without what the line holds; null if there is none. */
    private @Nullable String read(String line) {
        String[] fields = line.strip().split(":", -1);
        if (fields.length != 4 || fields[0].isEmpty() || fields[1].isEmpty()) {
            return "is not name:realm:SHA-256:MD5, four fields separated by colons";
        }
        byte[] sha256 = hex(fields[2], DigestAlgorithm.SHA_256);
        byte[] md5 = hex(fields[3], DigestAlgorithm.MD5);
        if (sha256 == null) {
            return "the third field is not 64 hex digits";
        }
        if (md5 == null && !fields[3].equals("-")) {
            return "the fourth field is neither 32 hex digits nor -";
        }
        return users.put(new User(fields[0], fields[1]), new Keys(sha256, md5)) == null
                ? null
                : "names a user for the second time";
    }

    private static byte @Nullable [] hex(String text, DigestAlgorithm algorithm) {
        boolean isHex =
                text.length() == 2 * algorithm.hashBytes() && text.chars().allMatch(HexFormat::isHexDigit);
        return isHex ? HexFormat.of().parseHex(text) : null;
    }

    /** The user of a line that was read without a fault. */
    static User user(String line) {
        String[] fields = line.strip().split(":", -1);
        return new User(fields[0], fields.length > 1 ? fields[1] : "");
    }

    /** The line of a user. */
    static String line(User user, String password, boolean hasMd5) {
        HexFormat hex = HexFormat.of();
        return user.name() + ":" + user.realm() + ":"
                + hex.formatHex(DigestAlgorithm.SHA_256.ha1(user.name(), user.realm(), password)) + ":"
                + (hasMd5 ? hex.formatHex(DigestAlgorithm.MD5.ha1(user.name(), user.realm(), password)) : "-");
    }

    /** What keeps a name or realm from being in a file; null if nothing does. */
    static @Nullable String fault(String text) {
        if (text.isEmpty() || text.length() > MOST_LENGTH) {
            return "has " + text.length() + " characters; the limits are 1 to " + MOST_LENGTH;
        }
        boolean isFit = text.chars().allMatch(c -> c >= ' ' && c != 127 && c != ':')
                && text.strip().equals(text);
        return isFit && !text.startsWith("#")
                ? null
                : "must not hold colons or control characters, begin with # or begin or end with a space";
    }

    byte @Nullable [] ha1(String name, String realm, DigestAlgorithm algorithm) {
        Keys keys = users.get(new User(name, realm));
        if (keys == null) {
            return null;
        }
        return switch (algorithm.base()) {
            case SHA_256 -> keys.sha256;
            case MD5 -> keys.md5;
            default -> null;
        };
    }

    int size() {
        return users.size();
    }
}
