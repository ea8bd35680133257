package io.offhook.cli;

import io.offhook.analysis.AnalysisOptions;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The options that say what to read, and how. */
final class InputOptions {
    private static final int MAX_LANES = 256;

    private InputOptions() {}

    /** Adds FILE... as the parameters from {@code first} on. */
    static void describeFiles(CommandSpec spec, int first) {
        spec.addPositional(PositionalParamSpec.builder()
                .index(first + "..*")
                .arity("1..*")
                .paramLabel("FILE")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .required(true)
                .description("Captures: pcap, pcapng or snoop, plain or in gzip or zstd; patterns such as '*.pcap'; - for standard input."
                        + " Several are merged by time.")
                .build());
    }

    static void describeLanes(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--lanes")
                .paramLabel("N")
                .type(Integer.class)
                .description("Threads that work on it (default: one a processor). The result does not depend on it.")
                .build());
    }

    static void describeHeuristic(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--rtp-heuristic")
                .description("Find RTP that no SDP announces, too.")
                .build());
    }

    /** What was named for {@link #describeFiles}, with the same {@code first}. */
    static List<String> files(ParseResult arguments, int first) {
        return arguments.matchedPositionalValue(first, List.of());
    }

    /** What lanes, heuristic and Wireshark's figures were asked for; options that a command does not have are off. */
    static AnalysisOptions analysis(ParseResult arguments) {
        Integer lanes = arguments.matchedOptionValue("--lanes", (Integer) null);
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
