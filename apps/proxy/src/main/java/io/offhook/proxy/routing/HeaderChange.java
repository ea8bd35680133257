package io.offhook.proxy.routing;

import java.util.Locale;
import java.util.Set;

/**
 * A change of a message's header fields.
 *
 * @param kind what is done
 * @param name the name of the field, in any case; its compact form counts as the same
 * @param value the value that is added or replaces others; "" for {@link Kind#REMOVE}
 */
public record HeaderChange(Kind kind, String name, String value) {
    /** What is done. */
    public enum Kind {
        /** A field is added after all others of its name. */
        ADD,
        /** All fields of the name are removed. */
        REMOVE,
        /** All fields of the name are removed, and one is added in their place. */
        REPLACE
    }

    /** Fields that carry the transaction, the dialog and the way: changing them breaks calls (RFC 3261, 16.6). */
    private static final Set<String> PROTECTED = Set.of(
            "via",
            "v",
            "from",
            "f",
            "to",
            "t",
            "call-id",
            "i",
            "cseq",
            "max-forwards",
            "route",
            "record-route",
            "content-length",
            "l",
            "content-type",
            "c",
            "contact",
            "m",
            "path",
            "max-breadth",
            "identity",
            "y");

    /** Checks that the change leaves the transaction and the dialog alone. */
    public HeaderChange {
        HeaderField field = new HeaderField(name, value);
        if (PROTECTED.contains(field.name().toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    name + " cannot be changed: transactions, dialogs or signatures depend on it");
        }
        if (kind == Kind.REMOVE && !value.isEmpty()) {
            throw new IllegalArgumentException("removing " + name + " takes no value");
        }
    }

    /** Adds a field. */
    public static HeaderChange add(String name, String value) {
        return new HeaderChange(Kind.ADD, name, value);
    }

    /** Removes all fields of a name. */
    public static HeaderChange remove(String name) {
        return new HeaderChange(Kind.REMOVE, name, "");
    }

    /** Replaces all fields of a name by one. */
    public static HeaderChange replace(String name, String value) {
        return new HeaderChange(Kind.REPLACE, name, value);
    }
}
