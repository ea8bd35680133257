package io.offhook.sip;

/**
 * Bounds the body of a message by its Content-Length and by the bytes present, and classifies the fault if there is
 * one. Reused.
 */
final class SipBodyLength {
    /** The result of {@link #value} for a number with a minus sign. */
    static final long MINUS = -2;

    private int length;
    private long declared;
    private ContentLengthProblem problem = ContentLengthProblem.NONE;

    void measure(byte[] text, SipHeaderIndex index, int bodyStart, int end) {
        int available = end - bodyStart;
        length = available;
        declared = -1;
        int first = index.find(SipHeader.CONTENT_LENGTH, 0);
        if (first < 0) {
            // without a body there is nothing to bound
            problem = available == 0 ? ContentLengthProblem.NONE : ContentLengthProblem.MISSING;
            return;
        }
        long value = value(text, index.valueOffset(first), index.valueEnd(first));
        if (value < 0) {
            problem = value == MINUS ? ContentLengthProblem.NEGATIVE : ContentLengthProblem.NOT_A_NUMBER;
            return;
        }
        declared = value;
        length = (int) Math.min(value, available);
        if (value > available) {
            problem = ContentLengthProblem.TOO_LONG;
        } else if (hasTextAfter(text, bodyStart + length, end)) {
            problem = ContentLengthProblem.TOO_SHORT;
        } else {
            problem = ContentLengthProblem.NONE;
        }
        if (isContradicted(text, index, first)) {
            problem = ContentLengthProblem.CONTRADICTORY;
        }
    }

    /** The number that the value consists of; {@link #MINUS} if it is negative, -1 if it is not a number. */
    static long value(byte[] text, int from, int valueEnd) {
        if (from < valueEnd && text[from] == '-') {
            return SipLexer.skipDigits(text, from + 1, valueEnd) == valueEnd && valueEnd > from + 1 ? MINUS : -1;
        }
        if (SipLexer.skipDigits(text, from, valueEnd) < valueEnd || from == valueEnd) {
            return -1;
        }
        long value = SipLexer.number(text, from, valueEnd);
        // only digits, but above 32 bits: more than any message has
        return value < 0 ? Long.MAX_VALUE : value;
    }

    int length() {
        return length;
    }

    long declared() {
        return declared;
    }

    ContentLengthProblem problem() {
        return problem;
    }

    private boolean isContradicted(byte[] text, SipHeaderIndex index, int first) {
        for (int i = index.find(SipHeader.CONTENT_LENGTH, first + 1);
                i >= 0;
                i = index.find(SipHeader.CONTENT_LENGTH, i + 1)) {
            if (value(text, index.valueOffset(i), index.valueEnd(i)) != declared) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasTextAfter(byte[] text, int from, int end) {
        for (int at = from; at < end; at++) {
            int octet = text[at];
            if (octet != 0 && !SipLexer.isLws(octet)) {
                return true;
            }
        }
        return false;
    }
}
