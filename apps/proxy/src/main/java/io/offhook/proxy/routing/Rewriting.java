package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.sip.SipUri;
import org.jspecify.annotations.Nullable;

/**
 * How a rule changes the request URI: first the dialled number is replaced, then characters are stripped, then others
 * prepended; the host last.
 *
 * @param replace the new number, with {@code $1} to {@code $9} for groups of the rule's pattern and {@code $0} for the old
 *     number; "" to keep it
 * @param strip characters to remove from the front, 0 to 64
 * @param prepend what is put in front
 * @param host the new host and port; null to keep them
 */
public record Rewriting(
        String replace, int strip, String prepend, @Nullable DomainName host) {
    /** Changes nothing. */
    public static final Rewriting NONE = new Rewriting("", 0, "", null);

    private static final ConfigKey<String> REPLACE = ConfigKey.optional(
            "replace",
            ConfigTypes.text(128),
            "The new number: `$1` to `$9` are the groups of `match.user`, `$0` is the old number.");
    private static final ConfigKey<Integer> STRIP = ConfigKey.of(
            "strip", ConfigTypes.integer(0, 64), "0", "Characters that are removed from the front of the number.");
    private static final ConfigKey<String> PREPEND =
            ConfigKey.optional("prepend", ConfigTypes.text(64), "What is put in front of the number after that.");
    private static final ConfigKey<DomainName> HOST = ConfigKey.optional(
            "host", DomainName.TYPE, "The new host of the request URI, with a port if it should have one.");

    private static final ConfigSchema<Rewriting> SCHEMA = ConfigSchema.of(
            "rewrite",
            "How the request URI is changed.",
            values -> {
                DomainName host = values.find(HOST);
                if (host != null && host.isSuffix()) {
                    values.fault(HOST, "stands for many hosts; one is needed");
                }
                return new Rewriting(
                        values.isGiven(REPLACE) ? String.valueOf(values.find(REPLACE)) : "",
                        values.get(STRIP),
                        values.isGiven(PREPEND) ? String.valueOf(values.find(PREPEND)) : "",
                        host);
            },
            REPLACE,
            STRIP,
            PREPEND,
            HOST);

    /** The keys. */
    public static ConfigSchema<Rewriting> schema() {
        return SCHEMA;
    }

    /** The largest group that {@code replace} uses; 0 for none. */
    int groups() {
        int most = 0;
        for (int i = 0; i + 1 < replace.length(); i++) {
            if (replace.charAt(i) == '$') {
                most = Math.max(most, Character.digit(replace.charAt(i + 1), 10));
            }
        }
        return most;
    }

    /**
     * The changed URI.
     *
     * @param uri the request URI
     * @param match what the rule's pattern matched; null if it has none
     */
    SipUri apply(SipUri uri, UserPattern.@Nullable Match match) {
        SipUri changed = uri;
        if (!replace.isEmpty() || strip > 0 || !prepend.isEmpty()) {
            String number = replace.isEmpty() ? Dialled.of(uri) : replaced(Dialled.of(uri), match);
            changed = Dialled.in(uri, prepend + number.substring(Math.min(strip, number.length())));
        }
        return host == null ? changed : withHost(changed, host);
    }

    private String replaced(String old, UserPattern.@Nullable Match match) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < replace.length()) {
            char c = replace.charAt(at++);
            int group = c == '$' && at < replace.length() ? Character.digit(replace.charAt(at), 10) : -1;
            if (group < 0) {
                text.append(c);
            } else {
                text.append(group == 0 ? old : match == null ? "" : match.group(group));
                at++;
            }
        }
        return text.toString();
    }

    /** The URI with the host and port of a domain. */
    static SipUri withHost(SipUri uri, DomainName host) {
        String text = host.host().indexOf(':') >= 0 ? "[" + host.host() + "]" : host.host();
        return new SipUri(uri.scheme(), uri.user(), uri.password(), text, host.port(), uri.parameters(), uri.headers());
    }
}
