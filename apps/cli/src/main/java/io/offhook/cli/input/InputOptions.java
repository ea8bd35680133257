package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.ParseResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options that say what to read, and how. */
public final class InputOptions {
    private static final int MAX_LANES = 256;

    private InputOptions() {}

    /** Adds FILE... as the last parameter. */
    public static void describeFiles(CommandSpec spec, int first) {
        if (spec.parameters().size() != first) {
            throw new IllegalArgumentException(
                    "FILE is parameter " + spec.parameters().size() + ", not " + first);
        }
        spec.addParameters(
                "FILE",
                "Captures: pcap, pcapng or snoop, plain or in gzip or zstd; patterns such as '*.pcap'; - for standard input."
                        + " Several are merged by time.");
    }

    public static void describeFilter(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--filter")
                .paramLabel("EXPRESSION")
                .type(String.class)
                .description(
                        "Only packets that it matches, in the language of tcpdump: 'udp port 5060', 'host 192.0.2.1',"
                                + " 'vlan 10'. Of an IP packet in fragments only the first has ports.")
                .build());
    }

    public static void describeLanes(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--lanes")
                .paramLabel("N")
                .type(Integer.class)
                .description("Number of threads (default: one for each processor). The result does not depend on it.")
                .build());
    }

    public static void describeHeuristic(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--rtp-heuristic")
                .description("Find RTP that no SDP announces, too.")
                .build());
    }

    /** What was named for {@link #describeFiles}, with the same {@code first}. */
    public static List<String> files(ParseResult arguments, int first) {
        return arguments.parametersFrom(first);
    }

    /** What {@link #describeFilter} is for; null where all frames are wanted, and then nothing of filters is loaded. */
    public static @Nullable FrameFilter filter(ParseResult arguments) {
        String expression = arguments.optionValue("--filter", String.class);
        return expression == null ? null : new FrameFilter(expression);
    }

    /** The options of lanes, heuristic and Wireshark's figures; those that a command does not have are off. */
    public static AnalysisOptions analysis(ParseResult arguments) {
        Integer lanes = arguments.optionValue("--lanes", Integer.class);
        if (lanes != null && (lanes < 1 || lanes > MAX_LANES)) {
            throw new MisuseException("--lanes " + lanes + " is not in 1 to " + MAX_LANES);
        }
        AnalysisOptions options = AnalysisOptions.defaults();
        if (lanes != null) {
            options = options.withLanes(lanes);
        }
        return options.withRtpHeuristic(arguments.hasMatchedOption("--rtp-heuristic"))
                .withWireshark(arguments.hasMatchedOption("--wireshark"));
    }
}
