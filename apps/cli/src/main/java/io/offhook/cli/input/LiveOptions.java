package io.offhook.cli.input;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Decimals;
import io.offhook.live.BoundedLiveSource;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRequest;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveSource;
import io.offhook.live.Rehearsal;
import io.offhook.live.TimestampClock;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of all commands that capture from interfaces; {@link LiveInput} does what they say.
 *
 * @param interfaces their names, one or more, each once
 * @param backend the way to capture
 * @param filter of pcap-filter(7); empty for all packets
 * @param snapLength most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are wanted
 * @param isMonitor whether a wireless interface is to hear all of its channel
 * @param bufferBytes of the ring of each interface
 * @param count after how many packets to end; {@link BoundedLiveSource#NONE} for no end
 * @param durationNs after how many nanoseconds; {@link BoundedLiveSource#NONE} for no end
 * @param user who the process becomes once all is open; null to stay who it is
 * @param idleStrategy how packets are waited for, but by libpcap; of commands that have {@link LaneOptions}
 * @param clock by which packets are stamped, by AF_PACKET
 * @param isRehearsed whether the command is to run on packets in memory first
 */
public record LiveOptions(
        List<String> interfaces,
        CaptureBackend backend,
        String filter,
        int snapLength,
        boolean isPromiscuous,
        boolean isMonitor,
        long bufferBytes,
        long count,
        long durationNs,
        @Nullable String user,
        IdleStrategy idleStrategy,
        TimestampClock clock,
        boolean isRehearsed) {
    /** How many calls a live command remembers. */
    public static final String REMEMBER = "--remember";

    private static final String NO_REHEARSAL = "--no-rehearsal";

    /** The name of the option that makes a command capture. */
    public static final String INTERFACE = "--interface";

    /** Those that make no sense without it. */
    private static final List<String> ONLY_WITH_INTERFACE = List.of(
            "--backend",
            "--clock",
            "--snap-length",
            "--no-promiscuous",
            "--monitor-mode",
            "--buffer",
            "--duration",
            "--user",
            "--idle",
            "--cpu",
            REMEMBER,
            NO_REHEARSAL,
            "--pin");

    private static final int MAX_SNAP_LENGTH = 262_144;
    private static final long DEFAULT_BUFFER = 64L << 20;
    private static final long MIN_BUFFER = 128L << 10;
    private static final long MAX_BUFFER = 16L << 30;

    /** {@code --backend} where it was not given: the best there is. */
    private static final String AUTO = "auto";

    /** {@code --clock}. */
    enum Clock {
        KERNEL,
        HARDWARE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Adds them; of those that a command has already, {@code --filter} or {@code --count}, it keeps its own. */
    public static void describe(CommandSpec spec) {
        add(
                spec,
                OptionSpec.builder("-i", INTERFACE)
                        .paramLabel("NAME")
                        .type(List.class)
                        .description(
                                "Capture from this interface; repeat -i for several. offhook interfaces lists them."));
        add(
                spec,
                OptionSpec.builder("--backend")
                        .paramLabel("HOW")
                        .type(String.class)
                        .description(
                                "How to capture: auto (default: afpacket), afpacket, xdp, which takes the packets that the"
                                        + " filter wants away from this machine, pcap, by the libpcap that is"
                                        + " installed, or dpdk, where -i takes DPDK's devices and PCI addresses, too."));
        if (spec.option("--filter") == null) {
            InputOptions.describeFilter(spec);
        }
        add(
                spec,
                OptionSpec.builder("--snap-length")
                        .paramLabel("N")
                        .type(Integer.class)
                        .description("Capture at most this many bytes of each packet (default: all)."));
        add(
                spec,
                OptionSpec.builder("--no-promiscuous")
                        .description("Only packets that this machine receives, sends or forwards anyway."));
        add(
                spec,
                OptionSpec.builder("--monitor-mode")
                        .description("All a wireless interface receives, with radio headers; with --backend pcap."));
        add(
                spec,
                OptionSpec.builder("--buffer")
                        .paramLabel("SIZE")
                        .type(String.class)
                        .description(
                                "The ring of each interface (default 64Mi): what may come while nobody reads before packets"
                                        + " are dropped."));
        add(
                spec,
                OptionSpec.builder("--count")
                        .paramLabel("N")
                        .type(Long.class)
                        .description("End after this many packets."));
        add(spec, Amount.durationOption());
        add(
                spec,
                OptionSpec.builder("--clock")
                        .paramLabel("WHOSE")
                        .type(Clock.class)
                        .description(
                                "Packets are stamped by the kernel (default) or by hardware, the network card, where"
                                        + " that can (ethtool -T); by afpacket only."));
        add(
                spec,
                OptionSpec.builder("--user")
                        .paramLabel("NAME")
                        .type(String.class)
                        .description(
                                "Become this user once the interfaces are open: root is given up before the first packet is"
                                        + " read."));
        add(
                spec,
                OptionSpec.builder(NO_REHEARSAL)
                        .description(
                                "Begin at once: do not run on packets in memory before, up to 1.5 s, so that the first"
                                        + " packets meet code that is compiled."));
    }

    private static void add(CommandSpec spec, OptionSpec.Builder option) {
        OptionSpec built = option.build();
        if (spec.option(built.name()) == null) {
            spec.addOption(built);
        }
    }

    /** As {@link #describe}, of a command that reads files or captures. */
    public static void describeInsteadOfFiles(CommandSpec spec) {
        describe(spec);
        spec.parametersOr(Objects.requireNonNull(spec.option(INTERFACE)));
    }

    /** Whether a command that may read files, too, is to capture. */
    public static boolean isGiven(ParseResult arguments) {
        boolean isGiven = arguments.hasMatchedOption(INTERFACE);
        for (String option : ONLY_WITH_INTERFACE) {
            if (!isGiven && arguments.hasMatchedOption(option)) {
                throw new MisuseException(option + " requires -i NAME: it applies to live capture only");
            }
        }
        return isGiven;
    }

    public static LiveOptions of(ParseResult arguments) {
        List<String> interfaces = arguments.matchedOptionValue(INTERFACE, List.of());
        if (interfaces.isEmpty()) {
            throw new MisuseException(
                    "-i NAME is missing: the interface to capture from; offhook interfaces lists them");
        }
        HashSet<String> known = new HashSet<>();
        for (String name : interfaces) {
            if (!known.add(name)) {
                throw new MisuseException("-i " + name + " is given twice");
            }
        }
        String chosen = arguments.matchedOptionValue("--backend", AUTO);
        CaptureBackend backend = backend(chosen.toLowerCase(Locale.ROOT), chosen);
        return new LiveOptions(
                List.copyOf(interfaces),
                backend,
                arguments.matchedOptionValue("--filter", ""),
                (int) inRange(
                        "--snap-length",
                        arguments.matchedOptionValue("--snap-length", MAX_SNAP_LENGTH),
                        MAX_SNAP_LENGTH),
                !arguments.hasMatchedOption("--no-promiscuous"),
                isMonitor(arguments, backend),
                buffer(arguments.optionValue("--buffer", String.class)),
                inRange(
                        "--count",
                        arguments.matchedOptionValue("--count", BoundedLiveSource.NONE),
                        BoundedLiveSource.NONE),
                Amount.durationNs(arguments, BoundedLiveSource.NONE),
                arguments.optionValue("--user", String.class),
                idleStrategy(arguments, backend),
                clock(arguments, backend),
                !arguments.hasMatchedOption(NO_REHEARSAL));
    }

    private static CaptureBackend backend(String name, String typed) {
        List<CaptureBackend> all = CaptureBackend.all();
        for (CaptureBackend backend : all) {
            if (name.equals(AUTO) || name.equals(backend.name())) {
                return backend;
            }
        }
        throw new MisuseException("--backend " + typed + " is none of " + AUTO + ", "
                + all.stream().map(CaptureBackend::name).collect(Collectors.joining(", ")));
    }

    /** "pcap" */
    private static String having(CaptureFeature feature) {
        return CaptureBackend.all().stream()
                .filter(backend -> backend.features().contains(feature))
                .map(CaptureBackend::name)
                .collect(Collectors.joining(" or "));
    }

    private static boolean isMonitor(ParseResult arguments, CaptureBackend backend) {
        boolean isGiven = arguments.hasMatchedOption("--monitor-mode");
        if (isGiven && !backend.features().contains(CaptureFeature.MONITOR_MODE)) {
            throw new MisuseException("--monitor-mode needs --backend " + having(CaptureFeature.MONITOR_MODE));
        }
        return isGiven;
    }

    private static IdleStrategy idleStrategy(ParseResult arguments, CaptureBackend backend) {
        IdleStrategy strategy = LaneOptions.idleStrategy(arguments);
        if (strategy != IdleStrategy.PARK && !backend.features().contains(CaptureFeature.IDLE_STRATEGY)) {
            throw new MisuseException("--idle is not for --backend " + backend.name() + ", which waits in the kernel");
        }
        return strategy;
    }

    private static TimestampClock clock(ParseResult arguments, CaptureBackend backend) {
        boolean isHardware = arguments.matchedOptionValue("--clock", Clock.KERNEL) == Clock.HARDWARE;
        if (isHardware && !backend.features().contains(CaptureFeature.HARDWARE_CLOCK)) {
            throw new MisuseException("--clock hardware requires --backend " + having(CaptureFeature.HARDWARE_CLOCK)
                    + " only, not with " + backend.name());
        }
        return isHardware ? TimestampClock.HARDWARE : TimestampClock.KERNEL;
    }

    private static long inRange(String option, long value, long most) {
        if (value < 1 || value > most) {
            throw new MisuseException(
                    option + " " + value + " is " + (value < 1 ? "below 1" : "above " + Decimals.grouped(most)));
        }
        return value;
    }

    private static long buffer(@Nullable String text) {
        if (text == null) {
            return DEFAULT_BUFFER;
        }
        long bytes = Amount.bytes("--buffer", text);
        if (bytes < MIN_BUFFER || bytes > MAX_BUFFER) {
            throw new MisuseException("--buffer " + text + " is not within 128Ki to 16Gi");
        }
        return bytes;
    }

    /** What its backend is asked for, of one of the {@link #interfaces}. */
    public CaptureRequest request(String name) {
        return new CaptureRequest(
                name,
                filter,
                snapLength,
                bufferBytes,
                new CaptureRequest.Reception(isPromiscuous, isMonitor),
                idleStrategy,
                clock);
    }

    /** What a loop rehearses on: the ring of the backend where it has one for that. */
    public LiveSource rehearsal() {
        Rehearsal rehearsal = Rehearsal.of(backend, request(interfaces.getFirst()));
        return BoundedLiveSource.of(rehearsal, BoundedLiveSource.NONE, BoundedLiveSource.NONE);
    }

    /** Without an end after so many packets: for commands that count others than those that are captured. */
    public LiveOptions withoutCount() {
        return new LiveOptions(
                interfaces,
                backend,
                filter,
                snapLength,
                isPromiscuous,
                isMonitor,
                bufferBytes,
                BoundedLiveSource.NONE,
                durationNs,
                user,
                idleStrategy,
                clock,
                isRehearsed);
    }
}
