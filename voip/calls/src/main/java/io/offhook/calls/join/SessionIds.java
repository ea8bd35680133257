package io.offhook.calls.join;

import java.util.Locale;

/**
 * A Session-ID: the UUIDs of both ends (RFC 7989), or the one of RFC 7329, which has no other end. A UUID of zeros stands
 * for an end that is not known yet.
 *
 * @param local the UUID of the sender; "" for none
 * @param remote that of the receiver; "" for none
 */
record SessionIds(String local, String remote) {
    private static final int LONGEST = 64;

    /** Reads the value of the header. */
    static SessionIds parse(String value) {
        int semicolon = value.indexOf(';');
        String local = semicolon < 0 ? value : value.substring(0, semicolon);
        String remote = "";
        for (int at = semicolon; at >= 0; at = value.indexOf(';', at + 1)) {
            String parameter = value.substring(at + 1).strip();
            if (parameter.regionMatches(true, 0, "remote=", 0, 7)) {
                int end = parameter.indexOf(';');
                remote = parameter.substring(7, end < 0 ? parameter.length() : end);
            }
        }
        return new SessionIds(uuid(local), uuid(remote));
    }

    private static String uuid(String text) {
        String uuid = text.strip().toLowerCase(Locale.ROOT).replace("-", "");
        boolean isNil = uuid.chars().allMatch(each -> each == '0');
        return isNil || uuid.length() > LONGEST ? "" : uuid;
    }

    boolean isEmpty() {
        return local.isEmpty() && remote.isEmpty();
    }

    /** Whether both are of one session: the same two, or one in common where the other end is not known. */
    boolean isOf(SessionIds other) {
        boolean isWhole = !local.isEmpty() && !remote.isEmpty();
        boolean isOtherWhole = !other.local.isEmpty() && !other.remote.isEmpty();
        if (isWhole && isOtherWhole) {
            return local.equals(other.local) && remote.equals(other.remote)
                    || local.equals(other.remote) && remote.equals(other.local);
        }
        return shares(other);
    }

    /** Whether any UUID is in both. */
    boolean shares(SessionIds other) {
        return other.has(local) || other.has(remote);
    }

    private boolean has(String uuid) {
        return !uuid.isEmpty() && (uuid.equals(local) || uuid.equals(remote));
    }
}
