package io.offhook.monitor.recording;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One way through the records of a file, which writes them thinned. */
final class ThinningPass implements RecordScan.RecordHandler {
    private final PackedRecords to;
    private final long[] bounds;
    private final Map<Integer, Long> ended;
    private final LookMerger merger = new LookMerger();
    private final ThinnedJava java = new ThinnedJava();
    private final ThinnedDetails details = new ThinnedDetails();
    private final RecordBytes payload = new RecordBytes();
    /** Threads that stand before the look that is being merged, and those before the next one. */
    private final List<RecordedThread> threads = new ArrayList<>();

    private final List<RecordedThread> nextThreads = new ArrayList<>();
    private long group;
    private int mean;
    private long forgottenLooks;
    private long forgottenNs;
    private boolean isForgetting;

    ThinningPass(PackedRecords to, long[] bounds, Map<Integer, Long> ended) {
        this.to = to;
        this.bounds = bounds;
        this.ended = ended;
    }

    @Override
    public void record(int kind, RecordCursor cursor) throws IOException {
        switch (kind) {
            case RecordKind.LOOK -> look(Look.read(cursor));
            case RecordKind.THREAD -> thread(cursor);
            case RecordKind.JAVA_NAME -> javaName(cursor);
            case RecordKind.JAVA_STATES -> java.states(StateRow.read(cursor));
            case RecordKind.PAUSE -> java.pause(RecordedPause.read(cursor));
            case RecordKind.LOCKS, RecordKind.LANE, RecordKind.LANES, RecordKind.METHOD, RecordKind.PROFILES ->
                details.record(kind, cursor);
            case RecordKind.FORGOTTEN -> {
                forgottenNs = cursor.i64();
                forgottenLooks += cursor.number();
            }
            case RecordKind.END -> {
                flush();
                copy(kind, cursor);
            }
            default -> copy(kind, cursor);
        }
    }

    private void copy(int kind, RecordCursor cursor) throws IOException {
        payload.clear();
        while (!cursor.isAtEnd()) {
            payload.u8(cursor.u8());
        }
        to.add(kind, payload);
    }

    private void thread(RecordCursor cursor) {
        RecordedThread thread = RecordedThread.read(cursor);
        if (isLeft(thread.index())) {
            nextThreads.add(thread);
        }
    }

    private void javaName(RecordCursor cursor) throws IOException {
        int index = cursor.count();
        if (isLeft(index)) {
            payload.clear();
            payload.number(index).u8(cursor.u8()).text(cursor.text());
            to.add(RecordKind.JAVA_NAME, payload);
        }
    }

    /** Whether a thread did not end in the part that is gone. */
    private boolean isLeft(int index) {
        return ended.getOrDefault(index, Long.MAX_VALUE) > bounds[bounds.length - 1];
    }

    private void look(Look look) throws IOException {
        int level = 0;
        while (level < bounds.length && look.atNs() <= bounds[level]) {
            level++;
        }
        boolean isForgotten = level == bounds.length;
        int ofLook = isForgotten ? 0 : Math.max(Thinning.MEANS[level], look.meanOf());
        long next = isForgotten ? 0 : Thinning.group(look.atNs(), ofLook);
        if (isForgetting != isForgotten || !isForgotten && (ofLook != mean || next != group)) {
            flush();
        }
        if (isForgotten) {
            forgottenLooks += look.looks();
            forgottenNs = look.atNs();
        }
        isForgetting = isForgotten;
        mean = ofLook;
        group = next;
        for (RecordedThread thread : nextThreads) {
            if (thread.isNew()) {
                merger.begins(thread.index());
            }
        }
        threads.addAll(nextThreads);
        nextThreads.clear();
        merger.add(look);
        java.add(look, mean > 0);
        details.add();
    }

    /** Writes what was merged, the threads that begin in it first. */
    private void flush() throws IOException {
        for (RecordedThread thread : threads) {
            payload.clear();
            thread.write(payload);
            to.add(RecordKind.THREAD, payload);
        }
        threads.clear();
        if (!merger.isEmpty()) {
            if (isForgetting) {
                java.forget();
                details.forget();
            } else {
                java.write(to);
                details.write(mean > 0, to::add);
            }
            Look look = isForgetting ? merger.takeStates() : merger.take(mean);
            payload.clear();
            look.write(payload);
            to.add(RecordKind.LOOK, payload);
        }
    }

    void finish() throws IOException {
        flush();
        if (forgottenLooks > 0) {
            payload.clear();
            payload.i64(forgottenNs).number(forgottenLooks);
            to.add(RecordKind.FORGOTTEN, payload);
        }
        to.flush();
    }
}
