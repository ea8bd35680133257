package io.offhook.sip.proxy;

import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rewriter that a test plays by hand: it takes over each message with a body. */
final class HeldBodies implements BodyRewriter {
    private static final long SECOND = 1_000_000_000;

    /** What was taken over, oldest first. */
    final List<HeldMessage> held = new ArrayList<>();
    /** "INVITE to branch 1", "200 of branch 2", "ACK". */
    final List<String> log = new ArrayList<>();

    int failed;

    @Override
    public boolean request(
            ResponseContext context,
            @Nullable ForkTarget target,
            int branch,
            SipMessageView request,
            HeldMessage message,
            long nowNs) {
        return takes(request, request.method() + " to branch " + branch, message);
    }

    @Override
    public boolean response(
            ResponseContext context, int branch, SipMessageView response, HeldMessage message, long nowNs) {
        return takes(response, response.statusCode() + " of branch " + branch, message);
    }

    @Override
    public boolean ack(SipMessageView ack, HeldMessage message, long nowNs) {
        return takes(ack, "ACK", message);
    }

    private boolean takes(SipMessageView view, String what, HeldMessage message) {
        if (view.bodyLength() == 0) {
            return false;
        }
        log.add(what);
        held.add(message);
        return true;
    }

    @Override
    public void expired(HeldMessage message, long nowNs) {
        log.add("expired");
        message.pass(nowNs);
    }

    @Override
    public void failed(ResponseContext context, long nowNs) {
        failed++;
    }

    @Override
    public long patienceNs() {
        return 2 * SECOND;
    }
}
