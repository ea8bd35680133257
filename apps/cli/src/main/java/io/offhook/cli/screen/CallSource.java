package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where the calls of the screens come from. Used by the thread of the screens; what takes long is done by others. */
interface CallSource extends AutoCloseable {
    /**
     * What is known at a moment.
     *
     * @param revision grows whenever something changed
     * @param result what was found so far
     * @param forgotten the number of calls that are no longer in the result: the oldest, for memory is bounded
     * @param activity what is going on: "reading, 43 %", "eth0, 0:42: 1,200 packets/s"
     * @param drops what was lost; empty for files without losses
     * @param hasDropped whether any of it was
     * @param failure why reading ended early; empty if it did not
     */
    record State(
            long revision,
            AnalysisResult result,
            int forgotten,
            String activity,
            String drops,
            boolean hasDropped,
            String failure) {}

    /** What is known now. */
    State state();

    /** The names of the files or interfaces. */
    String names();

    /** Calls, one or more, with their messages. */
    CompletableFuture<CallDetail> detail(List<CallReport> calls);

    /**
     * Writes calls to a file: their packets as pcapng or pcap; if its name ends in .txt, what the screens show; if in .sipp, to a
     * folder with a scenario of each.
     *
     * @return what was written, as a sentence
     */
    CompletableFuture<String> save(List<CallReport> calls, Path file);

    /** Whether files are still read, so that more calls may come; false for a live capture, which has no end of its own. */
    default boolean isReading() {
        return false;
    }

    /** Whether something else ended it: a signal, or the end of a live capture by its limits. */
    boolean isOver();

    @Override
    void close();
}
