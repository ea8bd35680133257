package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A message that a {@link BodyRewriter} has taken over. One of {@link #pass}, {@link #replace} and {@link #refuse} lets it go;
 * later calls have no effect. For the core's thread.
 */
public final class HeldMessage {
    private final HeldMessages messages;
    private boolean isOpen = true;

    /** Of a request and a response. */
    @Nullable
    ResponseContext context;

    /** Of a request and a response. */
    @Nullable
    ProxyBranch branch;

    /** The message, while its rewriter is being asked; null later. */
    @Nullable
    SipMessageView current;

    /** The response or ACK, once it is held. */
    byte @Nullable [] octets;

    /** Where an ACK came from. */
    final SipHop source = new SipHop();

    boolean isRequest;
    /** The calls among which it is held; null while its rewriter is being asked. */
    @Nullable
    HeldCall call;

    HeldMessage(HeldMessages messages) {
        this.messages = messages;
    }

    /** Whether it was not let go yet. */
    public boolean isOpen() {
        return isOpen;
    }

    /** Passes it on as it came. */
    public void pass(long nowNs) {
        if (close()) {
            messages.pass(this, null, nowNs);
        }
    }

    /**
     * Passes it on with a piece of its body replaced.
     *
     * @param offset where the piece begins, from the start of the body
     * @param length the length of the piece in bytes
     * @param replacement what stands in its place
     */
    public void replace(int offset, int length, byte[] replacement, long nowNs) {
        if (close()) {
            messages.pass(this, new BodyChange(offset, length, replacement), nowNs);
        }
    }

    /** Answers a request instead of passing it on, and gives up its other branches. Responses and ACKs pass as they came. */
    public void refuse(int status, String reason, long nowNs) {
        if (close()) {
            messages.refuse(this, status, reason, nowNs);
        }
    }

    private boolean close() {
        boolean was = isOpen;
        isOpen = false;
        return was;
    }

    /** Whether a message is this one once more. */
    boolean isSame(@Nullable ProxyBranch of, SipMessageView message) {
        byte[] own = octets;
        return own != null && branch == of && isSame(own, message);
    }

    static boolean isSame(byte[] own, SipMessageView message) {
        int from = message.offset();
        return Arrays.equals(own, 0, own.length, message.octets(), from, from + message.length());
    }
}
