package io.offhook.cluster.spool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is lost until it is known that an announcement of it has arrived; written to disk at each change. */
final class LossLedger {
    private final SpoolState state;
    private final LossList waiting = new LossList();
    /** What is announced, by the position of the event that does so. */
    private final Map<Long, SpoolLoss> announced = new TreeMap<>();

    private long unwritten;

    /** With what an earlier process has left. */
    LossLedger(SpoolState state) throws IOException {
        this.state = state;
        state.losses().forEach(waiting::add);
    }

    void add(LossList lost) {
        waiting.addAll(lost);
        write();
    }

    void add(SpoolLoss loss) {
        waiting.add(loss);
        write();
    }

    /** A loss is announced by the event at a position. */
    void announced(SpoolLoss loss, long position) {
        waiting.remove(loss);
        announced.put(position, loss);
        write();
    }

    /** The event at a position has arrived. */
    void arrived(long position) {
        if (announced.remove(position) != null) {
            write();
        }
    }

    /** The event at a position is lost: what it announced is to be announced again. */
    void lost(long position) {
        SpoolLoss loss = announced.remove(position);
        if (loss != null) {
            add(loss);
        }
    }

    /** All events before a position that have not arrived are lost. */
    void lostBefore(long position) {
        for (long each : List.copyOf(announced.keySet())) {
            if (each < position) {
                lost(each);
            }
        }
    }

    /** All that is not known to have been announced. */
    List<SpoolLoss> all() {
        List<SpoolLoss> all = new ArrayList<>(waiting.all());
        all.addAll(announced.values());
        return all;
    }

    /** What is to be announced: nothing while earlier announcements are under way, so that there are never too many. */
    List<SpoolLoss> toAnnounce() {
        return announced.isEmpty() ? waiting.all() : List.of();
    }

    /** If the disk does not take them, a restart loses them; readers still see a gap. */
    private void write() {
        try {
            state.losses(all());
        } catch (IOException e) {
            unwritten++;
        }
    }

    /** Times that the disk did not take it. */
    long unwritten() {
        return unwritten;
    }
}
