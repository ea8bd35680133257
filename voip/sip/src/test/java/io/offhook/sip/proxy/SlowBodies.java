package io.offhook.sip.proxy;

import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A rewriter of a simulation: holds some messages for a random time, and changes the bodies of some of those. */
final class SlowBodies implements BodyRewriter {
    private static final byte[] BODY = "held".getBytes(StandardCharsets.US_ASCII);

    private final SimNetwork network;

    SlowBodies(SimNetwork network) {
        this.network = network;
    }

    private boolean holds(HeldMessage held, SipMessageView message) {
        int kind = network.random.nextInt(6);
        if (kind < 2) {
            return false;
        }
        int length = message.bodyLength();
        if (kind == 2) {
            held.replace(0, length, BODY, network.nowNs);
        } else if (kind == 3) {
            network.after(network.random.nextInt(1500), () -> held.replace(0, length, BODY, network.nowNs));
        } else {
            network.after(network.random.nextInt(60), () -> held.pass(network.nowNs));
        }
        return true;
    }

    @Override
    public boolean request(
            ResponseContext context,
            @Nullable ForkTarget target,
            int branch,
            SipMessageView request,
            HeldMessage held,
            long nowNs) {
        return holds(held, request);
    }

    @Override
    public boolean response(
            ResponseContext context, int branch, SipMessageView response, HeldMessage held, long nowNs) {
        return holds(held, response);
    }

    @Override
    public boolean ack(SipMessageView ack, HeldMessage held, long nowNs) {
        return holds(held, ack);
    }

    @Override
    public void expired(HeldMessage held, long nowNs) {
        held.pass(nowNs);
    }

    @Override
    public void failed(ResponseContext context, long nowNs) {}

    @Override
    public long patienceNs() {
        return 1_000_000_000;
    }
}
