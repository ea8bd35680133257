package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import io.offhook.packet.walk.PacketWalker;
import java.util.List;

/** Decodes the layers of each packet for the stages after it, and drops packets with broken headers. */
public final class DecodeStage implements Stage {
    private static final int TRUNCATED = 0;
    private static final int MALFORMED = 1;

    /** Creates the stage; it has no parameters. */
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
            // what is above the network layer concerns the receiver
            boolean isBelow = layers.network() < 0;
            if (stop == PacketWalker.Stop.TRUNCATED && isBelow) {
                burst.drop(i, TRUNCATED);
            } else if (stop == PacketWalker.Stop.MALFORMED && isBelow) {
                burst.drop(i, MALFORMED);
            }
        }
    }
}
