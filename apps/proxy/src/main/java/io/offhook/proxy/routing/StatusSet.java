package io.offhook.proxy.routing;

import java.util.BitSet;

/** A set of status codes (RFC 3261, 21), written as {@code 2xx 404 500-503}. Immutable. */
public final class StatusSet {
    private static final int LEAST = 100;
    private static final int MOST = 699;

    private final String text;
    private final BitSet statuses;

    private StatusSet(String text, BitSet statuses) {
        this.text = text;
        this.statuses = statuses;
    }

    /**
     * Parses codes, classes and ranges, separated by spaces or commas.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static StatusSet parse(String text) {
        BitSet statuses = new BitSet(MOST + 1);
        for (String part : text.strip().split("[ ,]+", -1)) {
            if (part.matches("[1-6]xx")) {
                int first = (part.charAt(0) - '0') * 100;
                statuses.set(first, first + 100);
            } else if (part.matches("[1-6][0-9]{2}(-[1-6][0-9]{2})?")) {
                int from = Integer.parseInt(part.substring(0, 3));
                int to = Integer.parseInt(part.substring(part.length() - 3));
                if (to < from) {
                    throw new IllegalArgumentException("\"" + part + "\" ends before it begins");
                }
                statuses.set(from, to + 1);
            } else {
                throw new IllegalArgumentException(
                        "\"" + part + "\" is neither a status from " + LEAST + " to " + MOST + " nor 2xx nor 500-503");
            }
        }
        return new StatusSet(text, statuses);
    }

    /** Whether a status is in the set. */
    public boolean contains(int status) {
        return status >= LEAST && statuses.get(status);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StatusSet that && statuses.equals(that.statuses);
    }

    @Override
    public int hashCode() {
        return statuses.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
