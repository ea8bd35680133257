package io.offhook.sip.edit;

import io.offhook.sip.SipMessageView;

/**
 * Changes to a received message: at each place, bytes to leave out and text to put there instead. The changed message is
 * written once; all other bytes, unknown headers among them, are copied as they are.
 *
 * <pre>
 * edits.start(message);
 * edits.at(message.headersOffset(), 0).put(VIA)...;
 * edits.at(message.valueOffset(i), message.valueLength(i)).putDecimal(69);
 * edits.writeTo(out);
 * </pre>
 *
 * <p>Changes may be recorded in any order; of two at one place, the one recorded first comes first. They must not
 * overlap. Reused and single-threaded; at most {@value #LIMIT} changes.
 */
public final class MessageEdits {
    /** The most changes of one message. */
    public static final int LIMIT = 512;

    private static final int TEXT_LIMIT = 65_535;
    private static final byte[] NONE = new byte[0];

    private final OctetWriter text = new OctetWriter(TEXT_LIMIT);
    private final int[] place = new int[LIMIT];
    private final int[] removed = new int[LIMIT];
    private final int[] textStart = new int[LIMIT + 1];
    private final int[] order = new int[LIMIT];
    private byte[] message = NONE;
    private int start;
    private int end;
    private int count;
    private boolean tooMany;

    /** Creates changes to no message. */
    public MessageEdits() {}

    /** Begins with the changes to a message, whose bytes must stay unchanged until they are written. */
    public void start(SipMessageView view) {
        start(view.octets(), view.offset(), view.length());
    }

    /** Begins with the changes to the message in part of an array. */
    public void start(byte[] octets, int offset, int length) {
        message = octets;
        start = offset;
        end = offset + length;
        count = 0;
        tooMany = false;
        text.clear();
    }

    /**
     * Begins a change. What is put into the returned writer, before the next call, stands in the place of the bytes left
     * out.
     *
     * @param offset an index into the array of the message
     * @param length the number of bytes to leave out, 0 or more
     */
    public OctetWriter at(int offset, int length) {
        if (offset < start || length < 0 || offset + length > end) {
            throw new IndexOutOfBoundsException(
                    "change of " + length + " bytes at " + offset + " is not in " + start + " to " + end);
        }
        if (count == LIMIT) {
            tooMany = true;
            count--; // the last one is overwritten: the message will not be written
        }
        int at = count;
        while (at > 0 && place[order[at - 1]] > offset) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = count;
        place[count] = offset;
        removed[count] = length;
        textStart[count] = text.length();
        count++;
        return text;
    }

    /**
     * Appends the changed message to a writer.
     *
     * @return whether it was written; false if there were too many changes, or the message exceeds the writer's limit
     */
    public boolean writeTo(OctetWriter out) {
        if (tooMany || text.isOverflown()) {
            return false;
        }
        textStart[count] = text.length();
        int at = start;
        for (int i = 0; i < count; i++) {
            int change = order[i];
            out.put(message, at, Math.max(place[change] - at, 0));
            out.put(text.octets(), textStart[change], textStart[change + 1] - textStart[change]);
            at = Math.max(at, place[change] + removed[change]);
        }
        out.put(message, at, end - at);
        return !out.isOverflown();
    }
}
