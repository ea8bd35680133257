package io.offhook.sip;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the messages of a WebSocket connection (permessage-deflate, RFC 7692, 7.2.2).
 *
 * <p>A message may refer to the messages before it, so once one was missed or damaged no later message can be inflated.
 * A sender that resets its context refers to nothing, which needs no special treatment.
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

    /** The output of {@link #inflate}; the caller clears it after use. */
    GatherBuffer output() {
        return output;
    }

    /** Inflates one message. Returns false if the data is damaged, or if the output exceeds the limit. */
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
            // damaged; the reader counts it
        }
        loseContext();
        return false;
    }

    /** Marks the context as lost: later messages cannot be inflated. */
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
