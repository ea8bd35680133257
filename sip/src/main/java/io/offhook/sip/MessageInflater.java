package io.offhook.sip;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the messages of a WebSocket connection (permessage-deflate, RFC 7692, 7.2.2).
 *
 * <p>Each message may refer to those before it, so once one was missed or damaged none after it can be read. A sender
 * that resets its context refers to nothing, which needs no other treatment.
 */
final class MessageInflater {
    private static final int CHUNK = 4096;
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private final GatherBuffer output;
    private @Nullable Inflater inflater;
    private boolean contextLost;

    MessageInflater(SipBufferPool pool) {
        output = new GatherBuffer(pool);
    }

    /** What {@link #inflate} made; to be cleared after use. */
    GatherBuffer output() {
        return output;
    }

    /** Inflates one message; false when that cannot be done, or gives more than is kept. */
    boolean inflate(GatherBuffer message) {
        output.clear();
        if (contextLost) {
            return false;
        }
        Inflater open = inflater == null ? new Inflater(true) : inflater;
        inflater = open;
        try {
            open.setInput(message.octets(), 0, message.length());
            boolean whole = drain(open);
            open.setInput(TAIL);
            whole = whole && drain(open);
            if (open.finished()) {
                // a block marked final ends the deflate stream; the next message starts a new one
                open.reset();
            }
            if (whole) {
                return true;
            }
        } catch (DataFormatException e) {
            // damaged: counted by the reader
        }
        loseContext();
        return false;
    }

    /** What follows cannot be read any more. */
    void loseContext() {
        contextLost = true;
        close();
    }

    void close() {
        output.clear();
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }

    private boolean drain(Inflater open) throws DataFormatException {
        while (!open.finished()) {
            if (!output.reserve(Math.min(CHUNK, output.room())) || output.room() == 0) {
                return open.needsInput();
            }
            int bytes = open.inflate(output.octets(), output.length(), Math.min(CHUNK, output.room()));
            output.grow(bytes);
            if (bytes == 0) {
                return open.needsInput();
            }
        }
        return true;
    }
}
