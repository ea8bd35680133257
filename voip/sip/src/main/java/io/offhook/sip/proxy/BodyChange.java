package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.edit.MessageEdits;
import java.nio.charset.StandardCharsets;

/**
 * A piece of a body that is replaced.
 *
 * @param offset where it begins, from the start of the body
 * @param length its length in bytes
 * @param octets what stands in its place
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record BodyChange(int offset, int length, byte[] octets) {
    private static final byte[] CONTENT_LENGTH = "Content-Length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Records the change of a message, and of its Content-Length, which it gets if it has none. */
    void record(SipMessageView message, MessageEdits edits) {
        int bodyLength = message.bodyLength() - length + octets.length;
        int line = message.find(SipHeader.CONTENT_LENGTH, 0);
        if (line < 0) {
            edits.at(message.headersEnd(), 0)
                    .put(CONTENT_LENGTH)
                    .putDecimal(bodyLength)
                    .put(LINE_END);
        } else {
            edits.at(message.valueOffset(line), message.valueLength(line)).putDecimal(bodyLength);
        }
        edits.at(message.bodyOffset() + offset, length).put(octets);
    }
}
