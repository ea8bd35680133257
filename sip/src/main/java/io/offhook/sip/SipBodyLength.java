package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/** Bounds a message's body by its Content-Length and by what is there, and says what was wrong. Reused. */
final class SipBodyLength {
    /** What {@link #value} returns for a number with a minus sign. */
    static final long MINUS = -2;

    private int length;
    private long declared;
    private ContentLengthProblem problem = ContentLengthProblem.NONE;

    void measure(MemorySegment segment, SipHeaderIndex index, long bodyStart, long end) {
        int available = (int) (end - bodyStart);
        length = available;
        declared = -1;
        int first = index.find(SipHeader.CONTENT_LENGTH, 0);
        if (first < 0) {
            // without a body there is nothing to bound
            problem = available == 0 ? ContentLengthProblem.NONE : ContentLengthProblem.MISSING;
            return;
        }
        long value = value(segment, index.valueOffset(first), index.valueEnd(first));
        if (value < 0) {
            problem = value == MINUS ? ContentLengthProblem.NEGATIVE : ContentLengthProblem.NOT_A_NUMBER;
            return;
        }
        declared = value;
        length = (int) Math.min(value, available);
        if (value > available) {
            problem = ContentLengthProblem.TOO_LONG;
        } else if (hasTextAfter(segment, bodyStart + length, end)) {
            problem = ContentLengthProblem.TOO_SHORT;
        } else {
            problem = ContentLengthProblem.NONE;
        }
        if (isContradicted(segment, index, first)) {
            problem = ContentLengthProblem.CONTRADICTORY;
        }
    }

    /** The number that is the whole value; {@link #MINUS} for a negative one, -1 for what is no number. */
    static long value(MemorySegment segment, long from, long valueEnd) {
        if (from < valueEnd && u8(segment, from) == '-') {
            return SipLexer.skipDigits(segment, from + 1, valueEnd) == valueEnd && valueEnd > from + 1 ? MINUS : -1;
        }
        if (SipLexer.skipDigits(segment, from, valueEnd) < valueEnd || from == valueEnd) {
            return -1;
        }
        long value = SipLexer.number(segment, from, valueEnd);
        // all digits and no 32-bit number: more than there can be
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

    private boolean isContradicted(MemorySegment segment, SipHeaderIndex index, int first) {
        for (int i = index.find(SipHeader.CONTENT_LENGTH, first + 1);
                i >= 0;
                i = index.find(SipHeader.CONTENT_LENGTH, i + 1)) {
            if (value(segment, index.valueOffset(i), index.valueEnd(i)) != declared) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasTextAfter(MemorySegment segment, long from, long end) {
        for (long at = from; at < end; at++) {
            int octet = u8(segment, at);
            if (octet != 0 && !SipLexer.isLws(octet)) {
                return true;
            }
        }
        return false;
    }
}
