package io.offhook.sip.proxy;

import io.offhook.sip.SipMessageView;
import org.jspecify.annotations.Nullable;

/**
 * Changes bodies on their way, which may take time: session descriptions, for a media relay. A message that waits for this is
 * held, and what follows with the same Call-ID is kept behind it, so that nothing is reordered. Called on the core's thread.
 *
 * <p>A method that is asked about a message returns whether it has taken it over. If so, one of the methods of {@link
 * HeldMessage} must be called, once, at once or later on the core's thread. Views are valid during the call.
 */
public interface BodyRewriter {
    /**
     * A request is about to be sent to a target. Asked once for each branch, whatever places are tried for it.
     *
     * @param target the target; null if the request goes by its Route or Request-URI
     * @param branch the number of the branch, from 1
     */
    boolean request(
            ResponseContext context,
            @Nullable ForkTarget target,
            int branch,
            SipMessageView request,
            HeldMessage held,
            long nowNs);

    /**
     * A response other than 100 has come. 2xx to an INVITE are asked about each time that they come.
     *
     * @param branch the number of the branch that it came from, from 1
     */
    boolean response(ResponseContext context, int branch, SipMessageView response, HeldMessage held, long nowNs);

    /** An ACK to a 2xx has come. Asked each time that it comes. */
    boolean ack(SipMessageView ack, HeldMessage held, long nowNs);

    /** A message was held for {@link #patienceNs}; one of the methods of {@code held} must be called now. */
    void expired(HeldMessage held, long nowNs);

    /** An INVITE outside of a dialog gets a final response of 300 to 699; called before it is sent. */
    void failed(ResponseContext context, long nowNs);

    /** How long a message is held at most, in ns; well below 64 times T1. */
    long patienceNs();
}
