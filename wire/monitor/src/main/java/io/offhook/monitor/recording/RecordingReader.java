package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording, from its beginning to its end or to the first record that is incomplete or damaged. It may be written
 * meanwhile. Memory: the threads that live, and the looks of 15 seconds.
 */
public final class RecordingReader {
    private static final int NS_A_US = 1000;

    private final RecordingListener listener;
    private final PlayedThreads threads = new PlayedThreads();
    private final PlayedJava java = new PlayedJava();
    private final PlayedDetails details = new PlayedDetails();
    private final List<RecordingSummary.Thinned> thinned = new ArrayList<>();
    private @Nullable RecordedProcess process;
    private @Nullable RecordingEnd end;
    private RecordingSummary.Gone gone = new RecordingSummary.Gone(0, 0);
    private long firstNs;
    private long lastNs;
    private long looks;

    private RecordingReader(RecordingListener listener) {
        this.listener = listener;
    }

    /**
     * Reads a recording, and returns what there is of it.
     *
     * @throws RecordingException if the file is no recording, or one that only a newer version can read
     * @throws IOException if the file cannot be read
     */
    public static RecordingSummary read(Path file, RecordingListener listener) throws IOException {
        RecordingReader reader = new RecordingReader(listener);
        RecordScan.Extent extent = RecordScan.of(file, reader::record);
        return new RecordingSummary(
                reader.process,
                reader.firstNs,
                reader.lastNs,
                reader.looks,
                List.copyOf(reader.thinned),
                reader.gone,
                new RecordingSummary.Extent(reader.end, extent.wholeBytes(), extent.isWhole()));
    }

    private void record(int kind, RecordCursor cursor) {
        switch (kind) {
            case RecordKind.PROCESS -> {
                process = RecordedProcess.read(cursor);
                listener.process(process);
            }
            case RecordKind.THREAD -> threads.add(RecordedThread.read(cursor));
            case RecordKind.LOOK -> look(Look.read(cursor));
            case RecordKind.JAVA_NAME -> java.name(cursor);
            case RecordKind.JAVA_STATES -> java.states(StateRow.read(cursor));
            case RecordKind.PAUSE -> java.pause(RecordedPause.read(cursor));
            case RecordKind.END -> end = RecordingEnd.of(cursor.u8());
            case RecordKind.FORGOTTEN -> {
                long untilNs = cursor.i64();
                gone = new RecordingSummary.Gone(cursor.number(), untilNs);
            }
            default -> details.record(kind, cursor);
        }
    }

    private void look(Look look) {
        if (look.looks() == 0) {
            threads.play(look); // how the threads stood where what was before is gone
            return;
        }
        long fromNs = look.atNs() - look.spanUs() * NS_A_US;
        if (looks == 0) {
            firstNs = fromNs;
        }
        looks += look.looks();
        lastNs = look.atNs();
        if (look.meanOf() > 0) {
            RecordingSummary.Thinned before = thinned.isEmpty() ? null : thinned.getLast();
            if (before != null && before.meanOf() == look.meanOf()) {
                thinned.set(
                        thinned.size() - 1, new RecordingSummary.Thinned(before.fromNs(), look.atNs(), look.meanOf()));
            } else {
                thinned.add(new RecordingSummary.Thinned(fromNs, look.atNs(), look.meanOf()));
            }
        }
        Map<Integer, Integer> ids = threads.ids();
        JavaLook inJava = java.play(look, ids, details.locks());
        listener.look(details.play(look, ids, threads.play(look), inJava));
    }
}
