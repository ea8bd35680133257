package io.offhook.cli;

import io.offhook.live.LiveCounts;
import java.io.IOException;

/** {@code offhook print -i NAME...}: packets as they come, until the count, the time, or Ctrl-C. */
final class PrintLive {
    private PrintLive() {}

    /** @param limit how many packets, at most */
    static int run(ParseResult arguments, CallFilter filter, OutputOptions output, long limit, Terminal terminal)
            throws IOException {
        if (filter.asksForCalls()) {
            throw new MisuseException(
                    "which packets a call has is known once it is over; with -i, packets are chosen by"
                            + " --filter, --address, --since and --until");
        }
        // of those that are printed, not of those that are captured
        LiveOptions options = LiveOptions.of(arguments).withoutCount();
        try (LiveInput input = LiveInput.open(options)) {
            input.tellBeginning(terminal);
            PrintOutput printer = PrintCommand.printer(arguments, output, terminal);
            long printed;
            try {
                printed = PrintCommand.print(
                        input.source(), printer, new PrintCommand.Selection(filter, null), limit, terminal);
            } finally {
                printer.end();
            }
            terminal.flush();
            LiveCounts counts = input.source().counts();
            terminal.err()
                    .println(Words.count(printed, "packet") + " printed; dropped by kernel "
                            + Decimals.grouped(counts.kernelDrops()) + ", ring "
                            + Decimals.grouped(counts.ringDrops()) + ".");
            return input.tellFaults(ExitCode.DONE, terminal);
        }
    }
}
