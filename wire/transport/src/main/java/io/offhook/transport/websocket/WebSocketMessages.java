package io.offhook.transport.websocket;

/**
 * Finds messages in the bytes of one direction (RFC 6455, 5.4). The bytes are those of
 * {@link io.offhook.transport.ConnectionHandler#received}: a message in one frame is unmasked and passed on in place. The
 * frames of a longer one stay in the connection's array until it is complete; there each payload moves to the end of what
 * is assembled, so that no other memory is needed, and the limits of the connection hold for it.
 *
 * <pre>
 * | payload assembled so far | no longer needed | next frame ...
 * ^ start                                       ^ start + frameAt
 * </pre>
 */
final class WebSocketMessages {
    /** What messages are passed to. */
    interface Receiver {
        void message(byte[] octets, int offset, int length, boolean isText);

        void control(int opcode, byte[] octets, int offset, int length);

        /** The peer violated the protocol; nothing more is read. */
        void fault(int code, String detail);

        /** Whether more is wanted. */
        boolean isReading();
    }

    private final WebSocketFrame frame;
    private final int mostBytes;
    private final Receiver receiver;
    private boolean isInMessage;
    private boolean isText;
    private int assembled;
    private int frameAt;

    WebSocketMessages(boolean isMaskRequired, int mostBytes, Receiver receiver) {
        frame = new WebSocketFrame(isMaskRequired);
        this.mostBytes = mostBytes;
        this.receiver = receiver;
    }

    /** Returns the bytes consumed. */
    int received(byte[] octets, int offset, int length) {
        int end = offset + length;
        int start = offset;
        while (receiver.isReading()) {
            int at = start + frameAt;
            WebSocketFrame.Status status = frame.read(octets, at, end - at);
            if (status == WebSocketFrame.Status.INCOMPLETE) {
                return start - offset;
            }
            if (status == WebSocketFrame.Status.FAULT || !frame.isControl() && isInMessage != isContinuation()) {
                receiver.fault(WebSocket.PROTOCOL_ERROR, "a frame that violates RFC 6455");
                return length;
            }
            if (!frame.isControl() && frame.payloadLength() > mostBytes - assembled) {
                receiver.fault(WebSocket.TOO_BIG, "a message of more than " + mostBytes + " bytes");
                return length;
            }
            if (end - at - frame.headerLength() < frame.payloadLength()) {
                return start - offset;
            }
            start += frame(octets, start, at);
        }
        return length;
    }

    private boolean isContinuation() {
        return frame.opcode() == WebSocketFrame.CONTINUATION;
    }

    /** Processes a complete frame; returns by how much the start moves on. */
    private int frame(byte[] octets, int start, int at) {
        int payload = at + frame.headerLength();
        int length = (int) frame.payloadLength();
        int total = frame.headerLength() + length;
        frame.unmask(octets, payload, length);
        if (frame.isControl()) {
            receiver.control(frame.opcode(), octets, payload, length);
            if (!isInMessage) {
                return total;
            }
            frameAt += total;
            return 0;
        }
        if (!isInMessage) {
            isText = frame.opcode() == WebSocketFrame.TEXT;
            if (frame.isLast()) {
                deliver(octets, payload, length);
                return total;
            }
        }
        System.arraycopy(octets, payload, octets, start + assembled, length);
        assembled += length;
        frameAt += total;
        isInMessage = !frame.isLast();
        if (isInMessage) {
            return 0;
        }
        int consumed = frameAt;
        int messageLength = assembled;
        frameAt = 0;
        assembled = 0;
        deliver(octets, start, messageLength);
        return consumed;
    }

    private void deliver(byte[] octets, int offset, int length) {
        if (isText && !Utf8.isValid(octets, offset, length)) {
            receiver.fault(WebSocket.INVALID_DATA, "text that is not UTF-8");
        } else {
            receiver.message(octets, offset, length, isText);
        }
    }
}
