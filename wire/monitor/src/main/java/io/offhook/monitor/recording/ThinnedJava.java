package io.offhook.monitor.recording;

import io.offhook.monitor.Pause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a JVM did, on its way through a {@link ThinningPass}: states are added up, and of the pauses the longest stay. */
final class ThinnedJava {
    private final PlayedStates played = new PlayedStates();
    private final StateSums sums = new StateSums();
    private final List<Pause> nextPauses = new ArrayList<>();
    private final List<Pause> pauses = new ArrayList<>();
    private final RecordBytes payload = new RecordBytes();
    private List<StateRow> changed = List.of();

    /** Of the next look. */
    void states(List<StateRow> rows) {
        changed = rows;
    }

    /** Of the next look. */
    void pause(Pause pause) {
        nextPauses.add(pause);
    }

    /** @param isMean whether the look becomes a part of a mean */
    void add(Look look, boolean isMean) {
        played.play(look.spanUs(), changed, sums::add);
        changed = List.of();
        pauses.addAll(nextPauses);
        nextPauses.clear();
        if (isMean) {
            keepLongest();
        }
        for (ThreadDelta row : look.rows()) {
            if (row.isEnded()) {
                played.ends(row.index);
                sums.ends(row.index);
            }
        }
    }

    private void keepLongest() {
        Map<Pause.Kind, Pause> longest = new EnumMap<>(Pause.Kind.class);
        for (Pause pause : pauses) {
            longest.merge(pause.kind(), pause, (a, b) -> b.durationNs() > a.durationNs() ? b : a);
        }
        pauses.clear();
        pauses.addAll(longest.values());
    }

    /** Writes what stands before the look that is written next. */
    void write(PackedRecords to) throws IOException {
        for (Pause pause : pauses) {
            payload.clear();
            RecordedPause.write(pause, payload);
            to.add(RecordKind.PAUSE, payload);
        }
        pauses.clear();
        List<StateRow> rows = sums.rows();
        if (!rows.isEmpty()) {
            payload.clear();
            StateRow.write(rows, payload);
            to.add(RecordKind.JAVA_STATES, payload);
        }
        sums.written();
    }

    /** Forgets what was before. */
    void forget() {
        pauses.clear();
        sums.forget();
    }
}
