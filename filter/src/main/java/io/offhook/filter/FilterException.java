package io.offhook.filter;

/**
 * A filter expression that is none, or that this link type cannot answer. The message begins with libpcap's own words for
 * it; below stand the expression and a mark under the place.
 *
 * <pre>
 * VLAN tag 5000 greater than maximum 4095
 *   tcp and vlan 5000
 *           ^
 * </pre>
 */
public final class FilterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Characters on each side of the mark, of a long expression. */
    private static final int SHOWN = 60;

    private static final String REJECTS_ALL = "expression rejects all packets";

    private final String reason;
    private final int offset;

    FilterException(String reason, String expression, int offset) {
        super(offset < 0 ? reason : reason + marked(expression, offset));
        this.reason = reason;
        this.offset = offset;
    }

    static FilterException rejectsAll(String expression) {
        return new FilterException(REJECTS_ALL, expression, -1);
    }

    /** What is wrong, in one line: libpcap's words, and what we know beyond them in brackets. */
    public String reason() {
        return reason;
    }

    /** Where in the expression, in characters from its start; its length where it ends too early, -1 where it is no place. */
    public int offset() {
        return offset;
    }

    /**
     * Whether the expression is well-formed, but no packet of this link type can match it, as {@code 1 = 2} or, on raw IP,
     * {@code arp}. Where several link types are read with one expression that is no mistake: they match nothing.
     */
    public boolean isRejectsAll() {
        return REJECTS_ALL.equals(reason);
    }

    /** The expression and the mark, a line each; of a long one, what is around the place. */
    private static String marked(String expression, int offset) {
        int start = expression.length() <= 2 * SHOWN ? 0 : Math.max(0, offset - SHOWN);
        int end =
                expression.length() <= 2 * SHOWN ? expression.length() : Math.min(expression.length(), offset + SHOWN);
        String before = start > 0 ? "..." : "";
        String after = end < expression.length() ? "..." : "";
        String shown = before + expression.substring(start, end).replaceAll("[\\r\\n\\t]", " ") + after;
        return "\n  " + shown + "\n  " + " ".repeat(before.length() + offset - start) + "^";
    }
}
