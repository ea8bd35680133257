package io.offhook.cli.capture;

import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.rewrite.RewriteTarget;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveSource;
import io.offhook.live.WrappedLiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A live source that also writes all packets it delivers to a file, as {@code offhook capture} does. */
final class RecordingSource extends WrappedLiveSource {
    private final LiveSource source;
    private final CaptureRun run;
    private final RewriteTarget target;
    private boolean isFinished;

    private RecordingSource(LiveSource source, CaptureRun run, RewriteTarget target) {
        super(source);
        this.source = source;
        this.run = run;
        this.target = target;
    }

    /** A recording of an input's source, which it wraps. */
    static RecordingSource of(LiveInput input, LiveOptions options, RewriteTarget target, Terminal terminal)
            throws IOException {
        CaptureWriting writing = CaptureWriting.open(target, null, input, options, terminal);
        LiveSource captured = input.source();
        // the lanes of the analysis are placed; this one captures on them
        CaptureRun run = new CaptureRun(
                captured, writing, Long.MAX_VALUE, CaptureCommand.DEFAULT_WRITE_BUFFER, LanePlacement.anywhere());
        return new RecordingSource(captured, run, target);
    }

    @Override
    public boolean next(FrameBatch batch) {
        boolean isMore = source.next(batch);
        run.take(batch);
        return isMore;
    }

    /**
     * Writes everything, closes the file, and reports how many packets it has on standard error.
     *
     * @throws IOException if a packet cannot be written
     */
    void finish(Terminal terminal) throws IOException {
        isFinished = true;
        try {
            run.finish();
        } catch (UncheckedIOException e) {
            throw target.reported(e);
        }
        String dropped = run.diskDrops() == 0 ? "" : ", " + run.diskDrops() + " dropped because the disk was too slow";
        terminal.err().println(Words.count(run.packetsKept(), "packet") + " written to " + target + dropped);
    }

    @Override
    public void close() {
        try {
            if (!isFinished) {
                isFinished = true;
                run.finish();
            }
        } finally {
            super.close();
        }
    }
}
