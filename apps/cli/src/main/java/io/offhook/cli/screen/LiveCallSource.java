package io.offhook.cli.screen;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.LiveHeading;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.PlacedLanes;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls on the wire, as many as are to be remembered: beyond that, those that began first go first. Calls are drawn from by
 * the capturing thread between its rounds, as their statistics change meanwhile; the messages are kept within 64 MB, packets on disk
 * by {@link LivePackets}.
 */
final class LiveCallSource implements CallSource, CallWatcher {
    private static final long MESSAGE_BYTES = 64L << 20;

    private final LiveSource source;
    private final String names;
    private final BooleanSupplier isInterrupted;
    private final View view;
    private final PlacedLanes lanes;
    private final int remembered;
    private final LiveHeading heading;
    private final KeptMessages messages = new KeptMessages(MESSAGE_BYTES);
    private final Map<String, CallReport> calls = new LinkedHashMap<>();
    private final BetweenRounds rounds = new BetweenRounds();
    private final ExecutorService saving = Executors.newSingleThreadExecutor(
            work -> Thread.ofPlatform().daemon().name("offhook-browse-saving").unstarted(work));
    private @Nullable Thread capturing;
    private @Nullable LivePackets packets;
    private @Nullable AnalysisOptions options;
    private int forgotten;
    /** When the youngest call that was forgotten began. */
    private long forgottenNs = Long.MIN_VALUE;

    private volatile State state;
    private volatile @Nullable AnalysisResult result;

    /**
     * Creates it.
     *
     * @param names of the interfaces
     * @param isInterrupted whether a signal asked to end
     * @param placement the processors for the lanes
     * @param remembered the most calls
     */
    LiveCallSource(
            LiveSource source,
            String names,
            BooleanSupplier isInterrupted,
            View view,
            LanePlacement placement,
            int lanes,
            int remembered) {
        this.source = source;
        this.names = names;
        this.isInterrupted = isInterrupted;
        this.view = view;
        this.remembered = remembered;
        heading = new LiveHeading(names, Times.epochNs());
        this.lanes = new PlacedLanes(placement, "browse", lanes);
        AnalysisResult empty = new AnalysisResult(CaptureReport.NOTHING, List.of(), List.of(), List.of(), null);
        state = new State(0, empty, 0, names + ": starting", "dropped by kernel 0, ring 0, budget 0", false, "");
    }

    /**
     * Begins to capture.
     *
     * @param kept where packets are kept, which is closed after this; null to keep none
     */
    void start(AnalysisOptions wanted, @Nullable LivePackets kept) {
        options = wanted;
        packets = kept;
        capturing =
                Thread.ofPlatform().daemon().name("offhook-browse-capturing").start(() -> capture(wanted, kept));
    }

    private void capture(AnalysisOptions wanted, @Nullable LivePackets kept) {
        try {
            AnalysisOptions heard = wanted.withListener(messages);
            AnalysisResult last = kept == null
                    ? Analysis.watch(source, heard, this)
                    : Analysis.watchWith(source, heard, this, kept::addTo);
            result = last;
            publish(last, last.calls(), "ended, ");
        } catch (RuntimeException | OutOfMemoryError e) {
            State now = state;
            state = new State(
                    now.revision() + 1,
                    now.result(),
                    now.forgotten(),
                    "ended",
                    now.drops(),
                    now.hasDropped(),
                    Failure.text(e));
        } finally {
            if (kept != null) {
                kept.end();
            }
            rounds.end();
        }
    }

    /** What was found in all; null before the end. */
    @Nullable
    AnalysisResult result() {
        return result;
    }

    @Override
    public long nowNs() {
        return Times.epochNs();
    }

    /** A call is one row. */
    @Override
    public boolean joinsLegs() {
        return true;
    }

    @Override
    public void lane(int lane, boolean begins) {
        lanes.lane(lane, begins);
    }

    @Override
    public void waits(boolean begins) {
        PlacedLanes.waits(begins);
    }

    @Override
    public void look(AnalysisResult standing, List<CallReport> changed) {
        lanes.sample();
        List<CallReport> news = new ArrayList<>(standing.calls());
        news.addAll(changed);
        publish(standing, news, "");
        rounds.grant();
    }

    private void publish(AnalysisResult standing, List<CallReport> news, String prefix) {
        for (CallReport call : news) {
            boolean isGone = call.times().startedNs() <= forgottenNs && !calls.containsKey(call.callId());
            if (!isGone) {
                calls.put(call.callId(), call);
            }
        }
        Iterator<CallReport> oldest = calls.values().iterator();
        while (calls.size() > remembered && oldest.hasNext()) {
            forgottenNs = Math.max(forgottenNs, oldest.next().times().startedNs());
            oldest.remove();
            forgotten++;
        }
        CaptureReport capture = standing.capture();
        LiveCounts counts = source.counts();
        String drops = heading.drops(counts, capture.counters());
        long goneMessages = messages.forgotten();
        if (goneMessages > 0) {
            drops += "; messages of the oldest " + Words.count(goneMessages, "dialog") + " forgotten";
        }
        LivePackets kept = packets;
        String missing = kept == null ? "" : kept.missing(view.times());
        if (!missing.isEmpty()) {
            drops += "; " + missing;
        }
        AnalysisResult shown =
                new AnalysisResult(capture, List.copyOf(calls.values()), List.of(), List.of(), standing.defect());
        state = new State(
                state.revision() + 1,
                shown,
                forgotten,
                prefix + heading.line(counts, capture.bytes(), Times.epochNs()),
                drops,
                LiveHeading.hasDropped(counts, capture.counters()),
                "");
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public String names() {
        return names;
    }

    /** Calls as they stand now. Called between rounds. */
    private List<CallReport> current(List<CallReport> wanted) {
        return wanted.stream()
                .map(call -> calls.getOrDefault(call.callId(), call))
                .toList();
    }

    @Override
    public CompletableFuture<CallDetail> detail(List<CallReport> wanted) {
        return rounds.ask(() -> {
            List<CallReport> current = current(wanted);
            return CallDetail.of(current, messages.of(current), 0);
        });
    }

    @Override
    public CompletableFuture<String> save(List<CallReport> chosen, Path file) {
        try {
            CallText.check(file);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (CallText.isAskedFor(file)) {
            return saveText(chosen, file);
        }
        LivePackets kept = packets;
        AnalysisOptions used = options;
        if (kept == null || used == null) {
            return CompletableFuture.failedFuture(new IOException(
                    "packets are not kept (--keep-packets 0): name a .txt file here, or record with offhook capture -i "
                            + names + " -w FILE"));
        }
        return rounds.ask(() -> {
                    List<CallReport> current = current(chosen);
                    return kept.wanted(current, messages.of(current), nowNs());
                })
                .thenApplyAsync(
                        wanted -> {
                            try {
                                return kept.write(wanted, file, used, names, view.times());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        saving);
    }

    private CompletableFuture<String> saveText(List<CallReport> chosen, Path file) {
        List<CompletableFuture<CallDetail>> details =
                chosen.stream().map(call -> detail(List.of(call))).toList();
        return CompletableFuture.allOf(details.toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        _ -> {
                            try {
                                CallText.write(
                                        details.stream()
                                                .map(CompletableFuture::join)
                                                .toList(),
                                        view,
                                        file);
                                return Words.count(chosen.size(), "call") + " written to " + file;
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        saving);
    }

    @Override
    public boolean isOver() {
        return isInterrupted.getAsBoolean();
    }

    /** Stops the capture, and waits until it has ended. */
    @Override
    public void close() {
        saving.shutdownNow();
        source.stop();
        Thread thread = capturing;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
