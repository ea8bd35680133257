package io.offhook.cli.print;

import io.offhook.analysis.CallProtocols;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.FrameSelection;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.Protocols;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** {@code offhook print}: prints packets, one per line or with all layers and fields, while reading. */
public final class PrintCommand implements Command {
    private static final int BATCH_FRAMES = 1024;

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addFlag("-v", "--verbose", "Print every layer with its fields.");
        spec.addFlag("-x", "--hex", "Also print the bytes; in JSON, those of payloads.");
        spec.addOption("--count", "N", Long.class, "Stop after this many packets.");
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        LiveOptions.describeInsteadOfFiles(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        Long count = arguments.optionValue("--count", Long.class);
        if (count != null && count < 0) {
            throw new MisuseException("--count " + count + " is less than 0");
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

    /** Prints the packets of files that can be read several times. */
    static int run(ParseResult arguments, RereadableFiles files, CallFilter filter, Terminal terminal)
            throws IOException {
        FrameSelection selection = FrameSelection.of(files, filter, InputOptions.analysis(arguments), terminal);
        long limit = arguments.matchedOptionValue("--count", Long.MAX_VALUE);
        try (OpenCapture input = files.open(terminal)) {
            PrintOutput printer = printer(arguments, OutputOptions.of(arguments), terminal);
            try {
                print(input.source(), printer, selection, limit, () -> {}, terminal);
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
     * Prints packets as they arrive.
     *
     * @param limit the maximum number of packets printed
     * @param eachBatch called after each batch, including empty ones
     * @return the number of packets printed
     */
    static long print(
            PacketSource source,
            PrintOutput printer,
            FrameSelection selection,
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

    /** Prints selected frames up to the limit. */
    private static final class Printing implements FrameSink {
        private final PacketSummary summary = new PacketSummary(CallProtocols.recognizer());
        private final FrameLoop loop;
        private final PrintOutput printer;
        private final FrameSelection selection;
        private final long limit;
        private final Runnable eachBatch;
        private final Terminal terminal;
        private long printed;

        Printing(
                FrameLoop loop,
                PrintOutput printer,
                FrameSelection selection,
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
            // needs every packet: RTP is recognised from earlier ones
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
                if (!loop.isBatchFull()) { // at the end, or when a pipe delivers slowly
                    printer.flush();
                    terminal.flush();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            eachBatch.run();
        }

        /** Ends the run: output after half a line or object would be invalid. */
        @Override
        public boolean endsRun(RuntimeException thrown) {
            return true;
        }
    }

    /** The reason why a walk ended, as in JSON. */
    static String stopLabel(PacketWalker walker) {
        return walker.stop().name().toLowerCase(Locale.ROOT);
    }
}
