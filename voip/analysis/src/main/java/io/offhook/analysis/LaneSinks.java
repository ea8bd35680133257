package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.IntFunction;

/** The instances of frame sinks, one set for each lane: a lane takes a set for a round and gives it back. Thread-safe. */
final class LaneSinks {
    private final ArrayDeque<FrameSink[]> idle = new ArrayDeque<>();
    private final Failures failures;

    LaneSinks(Failures failures) {
        this.failures = failures;
    }

    void make(List<IntFunction<? extends FrameSink>> makers, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            FrameSink[] made = new FrameSink[makers.size()];
            for (int i = 0; i < made.length; i++) {
                made[i] = makers.get(i).apply(lane);
            }
            idle.addLast(made);
        }
    }

    synchronized FrameSink[] take() {
        return idle.removeFirst();
    }

    synchronized void giveBack(FrameSink[] sinks) {
        idle.addFirst(sinks);
    }

    /** @param i the number of the batch in its round */
    void endOfBatch(FrameSink[] sinks, FrameBatch batch, int i) {
        for (FrameSink sink : sinks) {
            try {
                sink.endOfBatch(i);
            } catch (RuntimeException e) {
                RunEndedException.throwIf(sink.endsRun(e), e);
                int last = batch.count() - 1;
                long number = last < 0 ? 0 : batch.number(last);
                long timestampNs = last < 0 ? 0 : batch.timestampNs(last);
                failures.add(Failures.Kind.CONSUMER, e, number, timestampNs);
            }
        }
    }
}
