package io.offhook.filter;

/**
 * A malformed filter expression, or one that cannot be evaluated on this link type. The message begins with libpcap's
 * wording; the expression follows, with a mark under the position of the fault.
 *
 * <pre>
 * VLAN tag 5000 greater than maximum 4095
 *   tcp and vlan 5000
 *           ^
 * </pre>
 */
public final class FilterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Characters shown on each side of the mark, in a long expression. */
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

    /** The fault, in one line: libpcap's wording, with additional hints in parentheses. */
    public String reason() {
        return reason;
    }

    /**
     * The position of the fault, in characters from the start of the expression. It is the length of the expression if
     * that ends too early, and -1 if the fault has no position.
     */
    public int offset() {
        return offset;
    }

    /**
     * Whether the expression is well-formed, but no packet of this link type can match it, such as {@code 1 = 2} or, on
     * raw IP, {@code arp}. If one expression is compiled for several link types, this is not an error: packets of this
     * type do not match.
     */
    public boolean isRejectsAll() {
        return REJECTS_ALL.equals(reason);
    }

    /** The expression and the mark on a line each; an excerpt of a long expression. */
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
