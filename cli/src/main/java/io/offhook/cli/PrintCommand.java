package io.offhook.cli;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PacketWalker;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code offhook print}: the packets, a line each, or with all layers and fields. Reads and writes as it goes. */
final class PrintCommand implements Command {
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
                .description("Stop after so many packets.")
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
        try (CallExtractFiles spooled =
                CallExtractFiles.of(files, InputOptions.filter(arguments), terminal, filter.asksForCalls())) {
            CallExtractFrames wanted = null;
            if (filter.asksForCalls()) {
                wanted = CallExtract.framesOfCalls(spooled, filter, InputOptions.analysis(arguments), terminal);
            }
            try (CaptureInput input = spooled.open(terminal)) {
                PrintOutput printer = printer(arguments, output, terminal);
                try {
                    print(input.source(), printer, new Selection(filter, wanted), limit, () -> {}, terminal);
                } finally {
                    printer.end();
                }
                terminal.flush();
                return input.tellFaults(ExitCode.DONE);
            }
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
        PacketWalker walker = new PacketWalker();
        PrintSummary summary = new PrintSummary();
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        long left = limit;
        while (left > 0 && source.next(batch)) {
            for (int i = 0; i < batch.count() && left > 0; i++) {
                walker.walk(
                        batch.segmentOf(i),
                        batch.offset(i),
                        batch.capturedLength(i),
                        batch.wireLength(i),
                        batch.linkType(i));
                // told of all packets, since what is RTP is learned from those before
                summary.describe(walker, batch.linkType(i));
                if (selection.includes(batch.number(i), batch.timestampNs(i), walker)) {
                    PrintedFrame frame = new PrintedFrame(
                            batch.number(i),
                            batch.timestampNs(i),
                            batch.capturedLength(i),
                            batch.wireLength(i),
                            batch.linkType(i));
                    printer.print(frame, walker, summary);
                    left--;
                }
            }
            if (!batch.isFull()) { // at the end, or the sender of a pipe takes its time
                printer.flush();
                terminal.flush();
            }
            eachBatch.run();
        }
        return limit - left;
    }

    /** Says why a walk ended, as JSON has it. */
    static String stopLabel(PacketWalker walker) {
        return walker.stop().name().toLowerCase(Locale.ROOT);
    }

    /** Which packets are printed. */
    static final class Selection {
        private final CallFilter filter;
        private final boolean isOpen;
        private final @Nullable CallExtractFrames wanted;
        private boolean begun;

        Selection(CallFilter filter, @Nullable CallExtractFrames wanted) {
            this.filter = filter;
            this.isOpen = filter.isOpen();
            this.wanted = wanted;
        }

        boolean includes(long number, long timestampNs, PacketWalker walker) {
            if (isOpen) {
                return true;
            }
            CallExtractFrames frames = wanted;
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
