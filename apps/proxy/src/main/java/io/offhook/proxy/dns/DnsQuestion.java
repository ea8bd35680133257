package io.offhook.proxy.dns;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the DNS: a name in lower case without the last dot, and a type.
 *
 * @param name 1 to 253 letters, digits, hyphens, underscores and dots
 * @param type the type of the records
 */
record DnsQuestion(String name, DnsType type) {
    private static final int MAX_NAME = 253;
    private static final int MAX_LABEL = 63;

    /**
     * A question about a name that came from the network; null if it cannot be a host or service name. Escapes of the
     * master file format are none here, so that no host of a URI means another name than it reads.
     */
    static @Nullable DnsQuestion of(String name, DnsType type) {
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return isName(bare) ? new DnsQuestion(bare.toLowerCase(Locale.ROOT), type) : null;
    }

    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            return false;
        }
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.') {
                if (label == 0) {
                    return false;
                }
                label = 0;
            } else {
                label++;
                boolean isKnown =
                        c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
                if (!isKnown || label > MAX_LABEL) {
                    return false;
                }
            }
        }
        return label > 0;
    }
}
