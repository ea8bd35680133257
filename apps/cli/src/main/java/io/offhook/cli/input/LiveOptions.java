package io.offhook.cli.input;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.live.BoundedLiveSource;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRequest;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveSource;
import io.offhook.live.Rehearsal;
import io.offhook.live.TimestampClock;
import io.offhook.report.text.Decimals;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of all commands that capture from interfaces; {@link LiveInput} applies them.
 *
 * @param interfaces the names of the interfaces, without repetitions; at least one unless agents send
 * @param agents where agents send by HEP; null if they do not
 * @param backend the backend that captures
 * @param filter an expression of pcap-filter(7); empty for all packets
 * @param snapLength the most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are captured
 * @param isMonitor whether a wireless interface captures all traffic of its channel
 * @param bufferBytes the size of the ring of each interface
 * @param count the number of packets to capture; {@link BoundedLiveSource#NONE} for no limit
 * @param durationNs the duration of the capture; {@link BoundedLiveSource#NONE} for no limit
 * @param user the user that the process becomes once all is open; null to keep the current one
 * @param idleStrategy how to wait for packets; not used by libpcap; for commands with {@link LaneOptions}
 * @param clock the clock that stamps packets; AF_PACKET only
 * @param isRehearsed whether the command runs on packets in memory first
 */
public record LiveOptions(
        List<String> interfaces,
        @Nullable HepInput agents,
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
    /** The option for the number of calls that a live command remembers. */
    public static final String REMEMBER = "--remember";

    private static final String NO_REHEARSAL = "--no-rehearsal";

    /** The name of the option that lets agents send; no constant of {@link HepInput}, which few commands load. */
    static final String HEP = "--hep";

    /** The name of the option that selects live capture. */
    public static final String INTERFACE = "--interface";

    /** Options that require {@link #INTERFACE}. */
    private static final List<String> ONLY_WITH_INTERFACE =
            List.of("--backend", "--clock", "--snap-length", "--no-promiscuous", "--monitor-mode", "--user", "--idle");

    /** Options that require {@link #INTERFACE} or {@link #HEP}. */
    private static final List<String> ONLY_LIVE =
            List.of("--buffer", "--duration", "--cpu", REMEMBER, NO_REHEARSAL, "--pin");

    private static final int MAX_SNAP_LENGTH = 262_144;
    private static final long DEFAULT_BUFFER = 64L << 20;
    private static final long MIN_BUFFER = 128L << 10;
    private static final long MAX_BUFFER = 16L << 30;

    /** The default of {@code --backend}: the best available. */
    private static final String AUTO = "auto";

    /** The values of {@code --clock}. */
    enum Clock {
        KERNEL,
        HARDWARE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Adds the options. A command that already has {@code --filter} or {@code --count} keeps its own. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                "-i",
                INTERFACE,
                "NAME",
                List.class,
                "Capture from this interface; repeat -i for several. offhook interfaces lists all.");
        spec.addOption(
                "--backend",
                "HOW",
                String.class,
                "How to capture: auto (default; currently afpacket), afpacket, xdp, which diverts the packets that the"
                        + " filter matches from the network stack, pcap, which uses the installed"
                        + " libpcap, or dpdk, for which -i also accepts DPDK devices and PCI addresses.");
        if (spec.option("--filter") == null) {
            InputOptions.describeFilter(spec);
        }
        spec.addOption(
                "--snap-length", "N", Integer.class, "Capture at most this many bytes of each packet (default: all).");
        spec.addFlag("--no-promiscuous", "Capture only packets that this machine receives, sends or forwards anyway.");
        spec.addFlag(
                "--monitor-mode",
                "Capture everything that a wireless interface receives, with radio headers; requires --backend pcap.");
        spec.addOption(
                "--buffer",
                "SIZE",
                String.class,
                "Size of the ring of each interface (default 64Mi). It holds packets that arrive before they are read;"
                        + " when it is full, packets are dropped.");
        if (spec.option("--count") == null) {
            spec.addOption("--count", "N", Long.class, "Stop after this many packets.");
        }
        Amount.describeDuration(spec);
        spec.addOption(
                "--clock",
                "WHOSE",
                Clock.class,
                "The clock that stamps packets: kernel (default), or hardware, the clock of the network card, if it"
                        + " has one (ethtool -T); with afpacket only.");
        spec.addOption(
                "--user",
                "NAME",
                String.class,
                "Become this user once the interfaces are open, giving up root before the first packet is" + " read.");
        spec.addFlag(
                NO_REHEARSAL,
                "Start at once. By default, the command first runs on packets in memory for up to 1.5 s, so that the"
                        + " first packets meet compiled code.");
    }

    /** As {@link #describe}, for a command that either reads files or captures. */
    public static void describeInsteadOfFiles(CommandSpec spec) {
        describe(spec);
        spec.parametersOr(Objects.requireNonNull(spec.option(INTERFACE)));
    }

    /** Whether a command that can also read files is to capture. */
    public static boolean isGiven(ParseResult arguments) {
        boolean captures = arguments.hasMatchedOption(INTERFACE);
        boolean isGiven = captures || arguments.hasMatchedOption(HEP);
        require(captures, ONLY_WITH_INTERFACE, arguments);
        require(isGiven, ONLY_LIVE, arguments);
        return isGiven;
    }

    private static void require(boolean isGiven, List<String> options, ParseResult arguments) {
        for (String option : options) {
            if (!isGiven && arguments.hasMatchedOption(option)) {
                throw new MisuseException(option + " requires -i NAME: it applies to live capture only");
            }
        }
    }

    public static LiveOptions of(ParseResult arguments) {
        List<String> interfaces = arguments.matchedOptionValue(INTERFACE, List.of());
        HepInput agents = arguments.hasMatchedOption(HEP) ? HepInput.of(arguments) : null;
        if (interfaces.isEmpty() && agents == null) {
            throw new MisuseException(
                    "-i NAME is missing: the interface to capture from; offhook interfaces lists them");
        }
        checkNames(interfaces);
        String chosen = arguments.matchedOptionValue("--backend", AUTO);
        CaptureBackend backend = backend(chosen.toLowerCase(Locale.ROOT), chosen);
        return new LiveOptions(
                List.copyOf(interfaces),
                agents,
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

    /**
     * What a command captures with that has no options but these: packets that this machine receives, sends or forwards, in full.
     *
     * @param interfaces without repetitions
     */
    public static LiveOptions on(List<String> interfaces, String filter) {
        checkNames(interfaces);
        return new LiveOptions(
                List.copyOf(interfaces),
                null,
                backend(AUTO, AUTO),
                filter,
                MAX_SNAP_LENGTH,
                false,
                false,
                DEFAULT_BUFFER,
                BoundedLiveSource.NONE,
                BoundedLiveSource.NONE,
                null,
                IdleStrategy.PARK,
                TimestampClock.KERNEL,
                false);
    }

    private static void checkNames(List<String> interfaces) {
        HashSet<String> known = new HashSet<>();
        for (String name : interfaces) {
            if (!known.add(name)) {
                throw new MisuseException("-i " + name + " is given twice");
            }
        }
    }

    private static CaptureBackend backend(String name, String typed) {
        List<CaptureBackend> all = CaptureBackend.all();
        for (CaptureBackend backend : all) {
            if (name.equals(AUTO) || name.equals(backend.name())) {
                return backend;
            }
        }
        throw new MisuseException("--backend " + typed + " is not one of " + AUTO + ", "
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
            throw new MisuseException("--monitor-mode requires --backend " + having(CaptureFeature.MONITOR_MODE));
        }
        return isGiven;
    }

    private static IdleStrategy idleStrategy(ParseResult arguments, CaptureBackend backend) {
        IdleStrategy strategy = LaneOptions.idleStrategy(arguments);
        if (strategy != IdleStrategy.PARK && !backend.features().contains(CaptureFeature.IDLE_STRATEGY)) {
            throw new MisuseException(
                    "--idle cannot be combined with --backend " + backend.name() + ", which waits in the kernel");
        }
        return strategy;
    }

    private static TimestampClock clock(ParseResult arguments, CaptureBackend backend) {
        boolean isHardware = arguments.matchedOptionValue("--clock", Clock.KERNEL) == Clock.HARDWARE;
        if (isHardware && !backend.features().contains(CaptureFeature.HARDWARE_CLOCK)) {
            throw new MisuseException("--clock hardware requires --backend " + having(CaptureFeature.HARDWARE_CLOCK)
                    + ", not " + backend.name());
        }
        return isHardware ? TimestampClock.HARDWARE : TimestampClock.KERNEL;
    }

    private static long inRange(String option, long value, long most) {
        if (value < 1 || value > most) {
            throw new MisuseException(option + " " + value + " is "
                    + (value < 1 ? "less than 1" : "more than " + Decimals.grouped(most)));
        }
        return value;
    }

    private static long buffer(@Nullable String text) {
        if (text == null) {
            return DEFAULT_BUFFER;
        }
        long bytes = Amount.bytes("--buffer", text);
        if (bytes < MIN_BUFFER || bytes > MAX_BUFFER) {
            throw new MisuseException("--buffer " + text + " is outside 128Ki to 16Gi");
        }
        return bytes;
    }

    /** The request to the backend for one of the {@link #interfaces}. */
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

    /** The source for a rehearsal: the backend's own if it has one. */
    public LiveSource rehearsal() {
        Rehearsal rehearsal =
                interfaces.isEmpty() ? new Rehearsal() : Rehearsal.of(backend, request(interfaces.getFirst()));
        return BoundedLiveSource.of(rehearsal, BoundedLiveSource.NONE, BoundedLiveSource.NONE);
    }

    /** These options without a limit of packets, for commands that count something other than captured packets. */
    public LiveOptions withoutCount() {
        return new LiveOptions(
                interfaces,
                agents,
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
