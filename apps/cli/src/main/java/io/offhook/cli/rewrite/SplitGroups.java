package io.offhook.cli.rewrite;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureRewriteReport;
import io.offhook.pcap.file.FileSeries;
import io.offhook.pcap.file.GroupedSink;
import io.offhook.pcap.file.RotationLimits;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a file for each call or flow: {@code split --per}. */
final class SplitGroups {
    private static final int BATCH_FRAMES = 4096;
    private static final int MOST_FILES = 100_000;

    /** The values of {@code --per}. */
    enum Per {
        CALL,
        FLOW;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Assigns frames to files. */
    private interface Grouping {
        /** @return false if the frame would exceed the limit of files */
        boolean write(GroupedSink sink, DecodedFrame frame);
    }

    private final RereadableFiles files;
    private final RewriteTarget target;
    private final Terminal terminal;

    private SplitGroups(RereadableFiles files, RewriteTarget target, Terminal terminal) {
        this.files = files;
        this.target = target;
        this.terminal = terminal;
    }

    /** Splits the files, and returns the exit code. */
    static int run(
            List<String> names,
            RewriteTarget target,
            Per per,
            @Nullable FrameFilter filter,
            OutputOptions output,
            Terminal terminal)
            throws IOException {
        try (RereadableFiles files = RereadableFiles.of(names, filter, terminal, per == Per.CALL)) {
            return run(files, target, per, output, terminal);
        }
    }

    /** As above, for files that can be read several times. */
    static int run(RereadableFiles files, RewriteTarget target, Per per, OutputOptions output, Terminal terminal)
            throws IOException {
        try {
            target.check(files.paths());
            SplitGroups split = new SplitGroups(files, target, terminal);
            return per == Per.CALL ? split.perCall(output) : split.write(new Flows(), false, output);
        } catch (UncheckedIOException e) {
            throw target.reported(e);
        } catch (LinkTypeException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        } catch (FileSeries.SparedException e) {
            throw RewriteRun.overwriting(target, e);
        }
    }

    private int perCall(OutputOptions output) throws IOException {
        List<CallReport> calls;
        try (OpenCapture input = files.open(terminal)) {
            calls = input.analyse(AnalysisOptions.defaults()).calls();
            if (input.isUnreadable()) {
                return input.reportFaults(ExitCode.UNREADABLE);
            }
        }
        if (calls.size() > MOST_FILES) {
            throw new MisuseException(
                    "there are " + Words.count(calls.size(), "call") + ", and at most " + Decimals.grouped(MOST_FILES)
                            + " files are written; reduce the capture by --filter or by convert --until");
        }
        CallFrames frames = CallExtract.frames(files, calls, true, terminal);
        return write(
                (sink, frame) -> {
                    for (int call : frames.callsOf(frame.number())) {
                        String comment = sink.has(call + 1)
                                ? null
                                : "Call-ID " + calls.get(call).callId();
                        sink.write(call + 1, comment, frame.batch(), frame.index());
                    }
                    return true;
                },
                true,
                output);
    }

    /** @param marksEnd whether each file records the end of the capture, which decides the outcome of unfinished calls */
    private int write(Grouping grouping, boolean marksEnd, OutputOptions output) throws IOException {
        RewriteRun.Result result;
        try (OpenCapture input = files.open(terminal)) {
            CaptureRewriteReport report;
            try (Progress _ = input.progress()) {
                report = write(grouping, marksEnd, input.source());
            }
            if (input.isUnreadable()) {
                return input.reportFaults(ExitCode.UNREADABLE);
            }
            result = new RewriteRun.Result(report, input.files(), input.faults(), target, null);
        }
        RewriteOutput.print(result, output, terminal);
        terminal.flush();
        return OpenCapture.report(result.faults(), files.defect(), ExitCode.DONE, terminal);
    }

    private CaptureRewriteReport write(Grouping grouping, boolean marksEnd, PacketSource source) {
        try (Writing writing = new Writing(grouping, source)) {
            new FrameLoop(source, BATCH_FRAMES).run(writing);
            GroupedSink sink = writing.begun();
            if (marksEnd) {
                sink.endOfCapture(Math.max(writing.latestNs, source.endNs()));
            }
            sink.flush();
            return new CaptureRewriteReport(
                    writing.format,
                    new CaptureRewriteReport.Packets(
                            writing.packetsRead, sink.packets(), writing.packetsLeftOut, sink.packetsCut()),
                    new CaptureRewriteReport.Timestamps(sink.timestampsClamped(), sink.timestampsCut()),
                    new CaptureRewriteReport.Blocks(0, 0, 0),
                    sink.files(),
                    sink.bytes());
        }
    }

    /** Writes each frame to its files. They are opened with the first frame, when the source knows its interfaces. */
    private final class Writing implements FrameSink, AutoCloseable {
        private final Grouping grouping;
        private final PacketSource source;
        private @Nullable GroupedSink sink;
        private CaptureFormat format = target.format();
        private long latestNs = PacketSource.END_NOT_TOLD;
        private long packetsRead;
        private long packetsLeftOut;

        Writing(Grouping grouping, PacketSource source) {
            this.grouping = grouping;
            this.source = source;
        }

        GroupedSink begun() {
            GroupedSink made = sink;
            if (made == null) {
                format = format(source);
                made = GroupedSink.create(
                        RewriteRun.series(target, RotationLimits.NONE, files.paths()), format, MOST_FILES);
                sink = made;
            }
            return made;
        }

        @Override
        public void frame(DecodedFrame frame) {
            packetsRead++;
            latestNs = Math.max(latestNs, frame.timestampNs());
            packetsLeftOut += grouping.write(begun(), frame) ? 0 : 1;
        }

        /** Ends the run: a file that lacks a packet would be silently wrong. */
        @Override
        public boolean endsRun(RuntimeException thrown) {
            return true;
        }

        @Override
        public void close() {
            GroupedSink made = sink;
            if (made != null) {
                made.close();
            }
        }
    }

    /** The format, with nanoseconds if an interface described before the first packet has finer times than microseconds. */
    private CaptureFormat format(PacketSource source) {
        boolean isFine = source.interfaces().stream().anyMatch(known -> known.timestampUnitsPerSecond() > 1_000_000);
        return target.format() == CaptureFormat.PCAP && isFine ? CaptureFormat.PCAP_NANOSECOND : target.format();
    }

    /** One file per flow of IP packets, in the order of first packets; packets of no flow go to file 0. */
    private static final class Flows implements Grouping {
        private final IdentityHashMap<Flow, Integer> numbers = new IdentityHashMap<>();
        private final FlowTable table = new FlowTable(FlowLimits.DEFAULT, (flow, _) -> forget(flow));
        private int count;

        private void forget(Flow flow) {
            numbers.remove(flow);
        }

        private static String comment(@Nullable Flow flow) {
            return flow == null
                    ? "packets of no flow"
                    : flow.key() + ", Community ID " + flow.key().communityId();
        }

        @Override
        public boolean write(GroupedSink sink, DecodedFrame frame) {
            int wireLength = frame.batch().wireLength(frame.index());
            Flow flow = table.add(frame.layers(), wireLength, frame.timestampNs(), frame.number());
            int number = flow == null ? 0 : numbers.computeIfAbsent(flow, _ -> ++count);
            boolean isKnown = sink.has(number);
            if (!isKnown && sink.isFull()) {
                return false;
            }
            sink.write(number, isKnown ? null : comment(flow), frame.batch(), frame.index());
            return true;
        }
    }
}
