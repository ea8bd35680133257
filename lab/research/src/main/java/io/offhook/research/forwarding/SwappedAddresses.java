package io.offhook.research.forwarding;

import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.RxQueue;
import io.offhook.dpdk.TxQueue;

/** L2: swaps destination and source. */
final class SwappedAddresses extends JavaForwarding {
    /** The address at the beginning of a word. */
    private static final long ADDRESS = 0xffff_ffff_ffffL;

    private final boolean isNull;

    SwappedAddresses(ForwardingKind kind, int processor) {
        super(kind, processor);
        isNull = kind == ForwardingKind.L2_NULL;
        if (!isNull) {
            new PacketsGoingRound().fill(this);
        }
    }

    @Override
    int forward(RxQueue from, TxQueue to) {
        int count = from.receive(burst);
        MbufView view = new MbufView();
        for (int i = 0; i < count; i++) {
            long frame = view.wrap(burst.get(i)).dataAddress();
            long first = (long) WORD.get(MEMORY, frame);
            int last = (int) HALF.get(MEMORY, frame + 8);
            long destination = first & ADDRESS;
            long source = first >>> 48 | (last & 0xffff_ffffL) << 16;
            WORD.set(MEMORY, frame, source | destination << 48);
            HALF.set(MEMORY, frame + 8, (int) (destination >>> 16));
        }
        send(to);
        return count;
    }

    @Override
    public long digest() {
        return isNull ? lost : super.digest();
    }
}
