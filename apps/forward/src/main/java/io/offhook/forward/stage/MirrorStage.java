package io.offhook.forward.stage;

import io.offhook.filter.PacketFilter;
import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import org.jspecify.annotations.Nullable;

/** Writes packets to a {@link MirrorFile}, as they are at this point of the list, and passes them on. */
public final class MirrorStage implements Stage {
    private final MirrorFile.Queue queue;
    private final @Nullable PacketFilter filter;
    private final long realTimeNs;

    /**
     * Creates the stage of a lane.
     *
     * @param file the file, shared by the lanes
     * @param filter the packets, of Ethernet; null for all
     */
    public MirrorStage(MirrorFile file, @Nullable PacketFilter filter) {
        queue = file.queue();
        this.filter = filter;
        realTimeNs = System.currentTimeMillis() * 1_000_000L - System.nanoTime();
    }

    @Override
    public String name() {
        return "mirror";
    }

    @Override
    public void process(Burst burst) {
        for (int i = 0, count = burst.count(); i < count; i++) {
            int length = burst.length(i);
            if (filter != null && filter.match(burst.memory(), burst.address(i), length, length) == 0) {
                continue;
            }
            long timestampNs = burst.timestampNs(i);
            // packets created by stages have the time of their burst
            long ns = timestampNs > 0 ? timestampNs : realTimeNs + burst.nowNs();
            queue.put(burst.memory(), burst.address(i), length, ns);
        }
    }
}
