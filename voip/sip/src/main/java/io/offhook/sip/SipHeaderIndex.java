package io.offhook.sip;

/**
 * The positions of each header's name and value in the array of the message, in order. Holds up to {@value #LIMIT}
 * headers and counts further ones. Reused; filling allocates nothing.
 */
final class SipHeaderIndex {
    static final int LIMIT = 256;

    private final SipHeader[] kind = new SipHeader[LIMIT];
    private final int[] nameOffset = new int[LIMIT];
    private final int[] nameLength = new int[LIMIT];
    private final int[] valueOffset = new int[LIMIT];
    private final int[] valueLength = new int[LIMIT];
    private int count;
    private int overflow;
    private int malformedLines;
    private boolean complete;
    private boolean lastCut;
    private int headersEnd;

    /**
     * Indexes the lines up to the empty one that ends the headers.
     *
     * @param from the first byte after the start line
     * @return the start of the body; {@code end} if the headers do not end before it
     */
    int fill(byte[] text, int from, int end) {
        count = 0;
        overflow = 0;
        malformedLines = 0;
        complete = false;
        lastCut = false;
        boolean open = false;
        int at = from;
        while (at < end) {
            int octet = text[at];
            if (SipLexer.isLineEnd(octet)) {
                complete = true;
                headersEnd = at;
                return SipLexer.nextLine(text, at, end);
            }
            int lineEnd = SipLexer.lineEnd(text, at, end);
            if (!SipLexer.isBlank(octet)) {
                open = addLine(text, at, lineEnd);
            } else if (open) {
                extendLast(text, at, lineEnd);
            } else {
                malformedLines++;
            }
            lastCut = lineEnd == end;
            at = SipLexer.nextLine(text, lineEnd, end);
        }
        headersEnd = end;
        return end;
    }

    /** @return whether a fold that follows belongs to a header in the index */
    private boolean addLine(byte[] text, int at, int lineEnd) {
        int nameEnd = at;
        while (nameEnd < lineEnd && SipLexer.isToken(text[nameEnd])) {
            nameEnd++;
        }
        int colon = SipLexer.skipBlanks(text, nameEnd, lineEnd);
        if (colon == lineEnd || text[colon] != ':') {
            // the text before the colon is not a token: the field is kept under that name unless it is empty
            colon = SipLexer.indexOf(text, nameEnd, lineEnd, ':');
            malformedLines++;
            if (colon == lineEnd) {
                return false;
            }
            nameEnd = SipLexer.trimEnd(text, at, colon);
        }
        if (nameEnd == at) {
            malformedLines++;
            return false;
        }
        if (count == LIMIT) {
            overflow++;
            return false;
        }
        int length = nameEnd - at;
        int value = SipLexer.skipBlanks(text, colon + 1, lineEnd);
        kind[count] = SipHeader.read(text, at, length);
        nameOffset[count] = at;
        nameLength[count] = length;
        valueOffset[count] = value;
        valueLength[count] = SipLexer.trimEnd(text, value, lineEnd) - value;
        count++;
        return true;
    }

    private void extendLast(byte[] text, int at, int lineEnd) {
        int last = count - 1;
        int more = SipLexer.skipBlanks(text, at, lineEnd);
        if (more == lineEnd) {
            return;
        }
        if (valueLength[last] == 0) {
            valueOffset[last] = more;
        }
        valueLength[last] = SipLexer.trimEnd(text, more, lineEnd) - valueOffset[last];
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

    /** The start of the empty line; the end of the bytes if there is none. */
    int headersEnd() {
        return headersEnd;
    }

    int find(SipHeader header, int from) {
        for (int i = Math.max(from, 0); i < count; i++) {
            if (kind[i] == header) {
                return i;
            }
        }
        return -1;
    }

    int nameOffset(int i) {
        return nameOffset[i];
    }

    int nameLength(int i) {
        return nameLength[i];
    }

    int valueOffset(int i) {
        return valueOffset[i];
    }

    int valueLength(int i) {
        return valueLength[i];
    }

    int valueEnd(int i) {
        return valueOffset[i] + valueLength[i];
    }
}
