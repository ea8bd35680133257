package io.offhook.cli.print;

import io.offhook.analysis.CallFrames;
import io.offhook.analysis.CallProtocols;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.Protocols;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code offhook print}: the packets, a line each, or with all layers and fields. Reads and writes as it goes. */
public final class PrintCommand implements Command {
    private static final int BATCH_FRAMES = 1024;

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addOption(OptionSpec.builder("-v", "--verbose")
                .description("Every layer with its fields.")
                .build());
        spec.addOption(OptionSpec.builder("-x", "--hex")
                .description("The bytes as well; in JSON those of payloads.")
                .build());
        spec.addOption(OptionSpec.builder("--count")
                .paramLabel("N")
                .type(Long.class)
                .description("Stop after this many packets.")
                .build());
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        LiveOptions.describeInsteadOfFiles(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        Long count = arguments.optionValue("--count", Long.class);
        if (count != null && count < 0) {
            throw new MisuseException("--count " + count + " is below 0");
        }
        CallFilter filter = CallFilter.of(arguments);
        OutputOptions output = OutputOptions.of(arguments);
        long limit = count == null ? Long.MAX_VALUE : count;
        if (LiveOptions.isGiven(arguments)) {
            return PrintLive.run(arguments, filter, output, limit, terminal);
        }
        List<String> files = InputOptions.files(arguments, 0);
        try (RereadableFiles spooled =
                RereadableFiles.of(files, InputOptions.filter(arguments), terminal, filter.asksForCalls())) {
            return run(arguments, spooled, filter, terminal);
        }
    }

    /** Prints packets of files, which are open for as many passes as it takes. */
    static int run(ParseResult arguments, RereadableFiles files, CallFilter filter, Terminal terminal)
            throws IOException {
        CallFrames wanted = filter.asksForCalls()
                ? CallExtract.framesOfCalls(files, filter, InputOptions.analysis(arguments), terminal)
                : null;
        long limit = arguments.matchedOptionValue("--count", Long.MAX_VALUE);
        try (OpenCapture input = files.open(terminal)) {
            PrintOutput printer = printer(arguments, OutputOptions.of(arguments), terminal);
            try {
                print(input.source(), printer, new Selection(filter, wanted), limit, () -> {}, terminal);
            } finally {
                printer.end();
            }
            terminal.flush();
            return input.reportFaults(ExitCode.DONE);
        }
    }

    static PrintOutput printer(ParseResult arguments, OutputOptions output, Terminal terminal) throws IOException {
        boolean isHex = arguments.hasMatchedOption("--hex");
        return switch (output.format()) {
            case JSON -> new PrintOutput.Json(terminal, isHex);
            case CSV -> new PrintOutput.Csv(terminal);
            case TABLE -> new PrintOutput.Lines(terminal, output, arguments.hasMatchedOption("--verbose"), isHex);
        };
    }

    /**
     * Prints packets as they come.
     *
     * @param limit how many, at most
     * @param eachBatch done after each batch, an empty one included
     * @return how many it were
     */
    static long print(
            PacketSource source,
            PrintOutput printer,
            Selection selection,
            long limit,
            Runnable eachBatch,
            Terminal terminal)
            throws IOException {
        FrameLoop loop = new FrameLoop(source, BATCH_FRAMES, new PacketWalker(Protocols.installed()));
        Printing printing = new Printing(loop, printer, selection, limit, eachBatch, terminal);
        if (limit > 0) {
            try {
                loop.run(printing);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return printing.printed;
    }

    /** Prints the frames that are selected, until there are enough. */
    private static final class Printing implements FrameSink {
        private final PacketSummary summary = new PacketSummary(CallProtocols.recognizer());
        private final FrameLoop loop;
        private final PrintOutput printer;
        private final Selection selection;
        private final long limit;
        private final Runnable eachBatch;
        private final Terminal terminal;
        private long printed;

        Printing(
                FrameLoop loop,
                PrintOutput printer,
                Selection selection,
                long limit,
                Runnable eachBatch,
                Terminal terminal) {
            this.loop = loop;
            this.printer = printer;
            this.selection = selection;
            this.limit = limit;
            this.eachBatch = eachBatch;
            this.terminal = terminal;
        }

        @Override
        public void frame(DecodedFrame frame) {
            PacketWalker walker = frame.layers();
            FrameBatch batch = frame.batch();
            int i = frame.index();
            // given all packets, since what is RTP is learned from those before
            summary.describe(walker, batch.linkType(i));
            if (!selection.includes(frame.number(), frame.timestampNs(), walker)) {
                return;
            }
            PrintedFrame head = new PrintedFrame(
                    frame.number(),
                    frame.timestampNs(),
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.linkType(i));
            try {
                printer.print(head, walker, summary);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (++printed == limit) {
                loop.stop();
            }
        }

        @Override
        public void endOfBatch(int i) {
            try {
                if (!loop.isBatchFull()) { // at the end, or the sender of a pipe takes its time
                    printer.flush();
                    terminal.flush();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            eachBatch.run();
        }

        /** Half a line or object would spoil what follows: printing that fails ends. */
        @Override
        public boolean endsRun(RuntimeException thrown) {
            return true;
        }
    }

    /** Says why a walk ended, as JSON has it. */
    static String stopLabel(PacketWalker walker) {
        return walker.stop().name().toLowerCase(Locale.ROOT);
    }

    /** Which packets are printed. */
    static final class Selection {
        private final CallFilter filter;
        private final boolean isOpen;
        private final @Nullable CallFrames wanted;
        private boolean begun;

        Selection(CallFilter filter, @Nullable CallFrames wanted) {
            this.filter = filter;
            this.isOpen = filter.isOpen();
            this.wanted = wanted;
        }

        boolean includes(long number, long timestampNs, PacketWalker walker) {
            if (isOpen) {
                return true;
            }
            CallFrames frames = wanted;
            if (frames != null) {
                return frames.contains(number);
            }
            if (!begun) {
                begun = true;
                filter.beginningAt(timestampNs);
            }
            return filter.matchesTime(timestampNs)
                    && filter.matchesAddress(
                            new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort()),
                            new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort()));
        }
    }
}
