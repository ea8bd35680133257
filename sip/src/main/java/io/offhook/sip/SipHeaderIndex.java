package io.offhook.sip;

import static io.offhook.sip.SipLexer.u8;

import java.lang.foreign.MemorySegment;

/**
 * Where each header's name and value stand, in the order of the message. Offsets are kept relative to a base. Room for
 * {@value #LIMIT}; further ones are counted, not kept. Reused; fills its arrays and allocates nothing.
 */
final class SipHeaderIndex {
    static final int LIMIT = 256;

    private final SipHeader[] kind = new SipHeader[LIMIT];
    private final int[] nameOffset = new int[LIMIT];
    private final int[] nameLength = new int[LIMIT];
    private final int[] valueOffset = new int[LIMIT];
    private final int[] valueLength = new int[LIMIT];
    private long base;
    private int count;
    private int overflow;
    private int malformedLines;
    private boolean complete;
    private boolean lastCut;

    /**
     * Indexes the lines up to the empty one that ends the headers.
     *
     * @param from the line after the start line
     * @return where the body starts; {@code end} when the headers do not end before
     */
    long fill(MemorySegment segment, long base, long from, long end) {
        this.base = base;
        count = 0;
        overflow = 0;
        malformedLines = 0;
        complete = false;
        lastCut = false;
        boolean open = false;
        long at = from;
        while (at < end) {
            int octet = u8(segment, at);
            if (SipLexer.isLineEnd(octet)) {
                complete = true;
                return SipLexer.nextLine(segment, at, end);
            }
            long lineEnd = SipLexer.lineEnd(segment, at, end);
            if (!SipLexer.isBlank(octet)) {
                open = addLine(segment, at, lineEnd);
            } else if (open) {
                extendLast(segment, at, lineEnd);
            } else {
                malformedLines++;
            }
            lastCut = lineEnd == end;
            at = SipLexer.nextLine(segment, lineEnd, end);
        }
        return end;
    }

    /** @return whether a fold that follows belongs to a header kept here */
    private boolean addLine(MemorySegment segment, long at, long lineEnd) {
        long nameEnd = at;
        while (nameEnd < lineEnd && SipLexer.isToken(u8(segment, nameEnd))) {
            nameEnd++;
        }
        long colon = SipLexer.skipBlanks(segment, nameEnd, lineEnd);
        if (colon == lineEnd || u8(segment, colon) != ':') {
            // not a token before the colon: the field is kept under the name it has, if it has one
            colon = SipLexer.indexOf(segment, nameEnd, lineEnd, ':');
            malformedLines++;
            if (colon == lineEnd) {
                return false;
            }
            nameEnd = SipLexer.trimEnd(segment, at, colon);
        }
        if (nameEnd == at) {
            malformedLines++;
            return false;
        }
        if (count == LIMIT) {
            overflow++;
            return false;
        }
        int length = (int) (nameEnd - at);
        long value = SipLexer.skipBlanks(segment, colon + 1, lineEnd);
        kind[count] = SipHeader.read(segment, at, length);
        nameOffset[count] = (int) (at - base);
        nameLength[count] = length;
        valueOffset[count] = (int) (value - base);
        valueLength[count] = (int) (SipLexer.trimEnd(segment, value, lineEnd) - value);
        count++;
        return true;
    }

    private void extendLast(MemorySegment segment, long at, long lineEnd) {
        int last = count - 1;
        long text = SipLexer.skipBlanks(segment, at, lineEnd);
        if (text == lineEnd) {
            return;
        }
        if (valueLength[last] == 0) {
            valueOffset[last] = (int) (text - base);
        }
        valueLength[last] = (int) (SipLexer.trimEnd(segment, text, lineEnd) - base) - valueOffset[last];
    }

    int count() {
        return count;
    }

    int overflow() {
        return overflow;
    }

    int malformedLines() {
        return malformedLines;
    }

    boolean isComplete() {
        return complete;
    }

    boolean isLastCut() {
        return lastCut;
    }

    SipHeader header(int i) {
        return kind[i];
    }

    int find(SipHeader header, int from) {
        for (int i = Math.max(from, 0); i < count; i++) {
            if (kind[i] == header) {
                return i;
            }
        }
        return -1;
    }

    long nameOffset(int i) {
        return base + nameOffset[i];
    }

    int nameLength(int i) {
        return nameLength[i];
    }

    long valueOffset(int i) {
        return base + valueOffset[i];
    }

    int valueLength(int i) {
        return valueLength[i];
    }

    long valueEnd(int i) {
        return base + valueOffset[i] + valueLength[i];
    }
}
