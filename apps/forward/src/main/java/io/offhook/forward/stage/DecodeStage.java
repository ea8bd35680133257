package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import io.offhook.packet.walk.PacketWalker;
import java.util.List;

/** Finds the layers of each packet once, for the stages behind it, and drops those whose headers cannot be. */
public final class DecodeStage implements Stage {
    private static final int TRUNCATED = 0;
    private static final int MALFORMED = 1;

    /** With nothing to set. */
    public DecodeStage() {}

    @Override
    public String name() {
        return "decode";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("truncated", "malformed");
    }

    @Override
    public void process(Burst burst) {
        for (int i = 0, count = burst.count(); i < count; i++) {
            PacketWalker layers = burst.layers(i);
            PacketWalker.Stop stop = layers.stop();
            // what lies above the network layer is the receiver's business
            boolean isBelow = layers.network() < 0;
            if (stop == PacketWalker.Stop.TRUNCATED && isBelow) {
                burst.drop(i, TRUNCATED);
            } else if (stop == PacketWalker.Stop.MALFORMED && isBelow) {
                burst.drop(i, MALFORMED);
            }
        }
    }
}
