package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.MediaOptions;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.config.ConfigException;
import io.offhook.rtp.playout.JitterBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options for reading files. */
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
                        + " Several captures are merged by time.");
    }

    public static void describeFilter(CommandSpec spec) {
        spec.addOption(
                "--filter",
                "EXPRESSION",
                String.class,
                "Read only packets that match, in the language of tcpdump: 'udp port 5060', 'host 192.0.2.1',"
                        + " 'vlan 10'. Only the first fragment of an IP packet has ports.");
    }

    public static void describeLanes(CommandSpec spec) {
        spec.addOption(
                "--lanes",
                "N",
                Integer.class,
                "Number of threads (default: one per processor). The result does not depend on it.");
    }

    /** Adds what is computed of media. */
    public static void describeMedia(CommandSpec spec) {
        describeMedia(
                spec, "Settings in YAML: limits of problems, values of codecs, jitter buffer (docs/SETTINGS.md).");
    }

    /** As {@link #describeMedia(CommandSpec)}, for a command whose file of {@code --config} has more keys. */
    public static void describeMedia(CommandSpec spec, String config) {
        spec.addOption(
                "--jitter-buffer",
                "KIND",
                String.class,
                "The jitter buffer of a receiver, which discards what comes too late to be played: adaptive (default),"
                        + " adaptive:MIN-MAX, fixed:60 (any 20 to 500 ms) or off.");
        spec.addOption("--config", "FILE", String.class, config);
        spec.addFlag(
                "--passages",
                "Compare streams packet by packet where they were captured at several points, such as before a relay and"
                        + " behind it: the delay in between, in JSON. Takes 16 bytes a packet.");
        spec.addFlag("--intervals", "Also each five seconds of a stream: loss, discards, jitter and MOS.");
    }

    /** Adds {@code --no-join}. */
    public static void describeJoins(CommandSpec spec) {
        spec.addFlag("--no-join", "Show each Call-ID for itself: legs of one call are not joined.");
    }

    public static void describeHeuristic(CommandSpec spec) {
        spec.addFlag("--rtp-heuristic", "Also find RTP that no SDP announced.");
    }

    /** The values of the parameter added by {@link #describeFiles} with the same {@code first}. */
    public static List<String> files(ParseResult arguments, int first) {
        return arguments.parametersFrom(first);
    }

    /** The filter of {@code --filter}; null if it was not given, in which case no class of filters is loaded. */
    public static @Nullable FrameFilter filter(ParseResult arguments) {
        String expression = arguments.optionValue("--filter", String.class);
        return expression == null ? null : new FrameFilter(expression);
    }

    /** The options of the analysis; options that the command does not have are off. */
    public static AnalysisOptions analysis(ParseResult arguments) {
        String config = arguments.optionValue("--config", String.class);
        return analysis(arguments, config == null ? null : settings(config));
    }

    /** As {@link #analysis(ParseResult)}, with settings that were read already; null for the usual ones. */
    public static AnalysisOptions analysis(ParseResult arguments, @Nullable AnalysisSettings settings) {
        Integer lanes = arguments.optionValue("--lanes", Integer.class);
        if (lanes != null && (lanes < 1 || lanes > MAX_LANES)) {
            throw new MisuseException("--lanes " + lanes + " is outside 1 to " + MAX_LANES);
        }
        AnalysisOptions options = AnalysisOptions.defaults();
        if (lanes != null) {
            options = options.withLanes(lanes);
        }
        if (settings != null) {
            options = settings.in(options);
        }
        return options.withRtpHeuristic(arguments.hasMatchedOption("--rtp-heuristic"))
                .withMedia(media(options.media(), arguments))
                .withJoins(options.joins().withJoins(!arguments.hasMatchedOption("--no-join")));
    }

    private static AnalysisSettings settings(String file) {
        try {
            return AnalysisSettings.read(file);
        } catch (ConfigException e) {
            List<String> faults = new ArrayList<>();
            e.faults().forEach(fault -> faults.add(fault.toString()));
            throw new MisuseException(faults);
        }
    }

    private static MediaOptions media(MediaOptions settings, ParseResult arguments) {
        MediaOptions media = settings.withWireshark(arguments.hasMatchedOption("--wireshark"))
                .withPassages(arguments.hasMatchedOption("--passages"))
                .withIntervals(arguments.hasMatchedOption("--intervals"));
        String text = arguments.optionValue("--jitter-buffer", String.class);
        if (text == null) {
            return media;
        }
        JitterBuffer buffer = JitterBuffer.parse(text);
        if (buffer == null) {
            throw new MisuseException("--jitter-buffer " + text + " is none of adaptive, adaptive:MIN-MAX, fixed:MS and"
                    + " off, with delays of " + JitterBuffer.LEAST_MS + " to " + JitterBuffer.GREATEST_MS + " ms");
        }
        return media.withBuffer(buffer);
    }
}
