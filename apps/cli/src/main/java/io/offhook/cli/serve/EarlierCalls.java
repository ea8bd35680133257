package io.offhook.cli.serve;

import io.offhook.web.data.CapturePoints;
import io.offhook.web.data.InputState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls that earlier runs left in a database, to which nothing is added.
 *
 * @param packets those that were kept of them, or null
 */
record EarlierCalls(@Nullable KeptOnDisk packets) implements ServedCalls.Filling {
    @Override
    public long revision() {
        return 0;
    }

    @Override
    public List<InputState> inputs() {
        return List.of();
    }

    @Override
    public @Nullable CapturePoints points() {
        return packets == null ? null : packets.points(List.of(), true);
    }
}
