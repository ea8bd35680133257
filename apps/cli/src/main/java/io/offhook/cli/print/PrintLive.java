package io.offhook.cli.print;

import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.FrameSelection;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.LiveFields;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;

/** {@code offhook print -i NAME...}: prints packets as they arrive, until the count or duration is reached, or Ctrl-C. */
final class PrintLive {
    private static final long SECOND_NS = 1_000_000_000L;

    private final LiveSource source;
    private final Times times;
    private final Terminal terminal;
    /** The drops reported so far, and when. */
    private long reported;

    private long reportedNs;

    private PrintLive(LiveSource source, Times times, Terminal terminal) {
        this.source = source;
        this.times = times;
        this.terminal = terminal;
    }

    /** @param limit the maximum number of packets printed */
    static int run(ParseResult arguments, CallFilter filter, OutputOptions output, long limit, Terminal terminal)
            throws IOException {
        if (filter.asksForCalls()) {
            throw new MisuseException("with -i, packets can be selected only by"
                    + " --filter, --address, --since and --until: the packets of a call are known only after it ended");
        }
        // --count limits printed packets, not captured ones
        LiveOptions options = LiveOptions.of(arguments).withoutCount();
        if (options.isRehearsed()) {
            rehearse(options, arguments, filter, output, terminal);
        }
        try (LiveInput input = LiveInput.open("print", options, LanePlacement.anywhere())) {
            input.start(true, terminal);
            PrintOutput printer = PrintCommand.printer(arguments, output, terminal);
            PrintLive drops = new PrintLive(input.source(), output.times(), terminal);
            long printed;
            try (Terminal.Queued _ = terminal.queued()) {
                printed = PrintCommand.print(
                        input.source(), printer, FrameSelection.of(filter), limit, drops::reportNew, terminal);
            } finally {
                printer.end();
            }
            if (output.format() == Format.JSON) {
                json(input.source(), printed, terminal);
            }
            terminal.flush();
            terminal.err()
                    .println(Words.count(printed, "packet") + " printed; "
                            + dropped(input.source().counts()) + ".");
            return input.reportFaults(ExitCode.DONE, terminal);
        }
    }

    /** Prints a call from memory and discards the output, so that the printing code is compiled. */
    private static void rehearse(
            LiveOptions options, ParseResult arguments, CallFilter filter, OutputOptions output, Terminal terminal)
            throws IOException {
        Terminal nowhere = terminal.toNowhere();
        try (LiveSource source = options.rehearsal()) {
            PrintOutput printer = PrintCommand.printer(arguments, output, nowhere);
            FrameSelection all = FrameSelection.of(filter);
            PrintCommand.print(source, printer, all, Long.MAX_VALUE, () -> {}, nowhere);
            printer.end();
        }
    }

    /** Reports new drops, at most once a second, because printing takes time as well. */
    private void reportNew() {
        LiveCounts counts = source.counts();
        long nowNs = System.nanoTime();
        if (counts.drops() != reported && (reported == 0 || nowNs - reportedNs >= SECOND_NS)) {
            reported = counts.drops();
            reportedNs = nowNs;
            terminal.err().println(times.timeOfDay(Times.epochNs()) + " " + dropped(counts));
        }
    }

    /** "dropped by kernel 0, ring 0". */
    private static String dropped(LiveCounts counts) {
        return "dropped by kernel " + Decimals.grouped(counts.kernelDrops()) + ", ring "
                + Decimals.grouped(counts.ringDrops());
    }

    /** Prints the last line: captured, printed and dropped packets. */
    private static void json(LiveSource source, long printed, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            LiveFields.interfaces(json, source);
            json.field("printed", printed);
            CaptureFields.losses(json, source.losses());
            CaptureFields.faults(json, source.faults());
            json.end().end();
        }
    }
}
