package io.offhook.cli.input;

import io.offhook.cli.command.MisuseException;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.collector.HepCollector;
import io.offhook.collector.HepCollectorCounts;
import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.UserAccount;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.BoundedLiveSource;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveSource;
import io.offhook.live.MergedLiveSource;
import io.offhook.live.Rehearsal;
import io.offhook.live.packetsocket.PacketSocketBackend;
import io.offhook.report.text.Decimals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces that a command captures from, as one source. It ends at the limits of {@link LiveOptions}, or by Ctrl-C or
 * SIGTERM ({@link Interruption}).
 *
 * <p>Commands that read files do not load this class.
 */
public final class LiveInput implements AutoCloseable {
    private static final Pattern CAPABILITY = Pattern.compile("CAP_\\w+");

    private LiveSource source;
    /** Where agents send: one for each address, so that each is counted apart. */
    private List<HepCollector> collectors = List.of();

    /** Where lanes are published; null if there is no place for it. */
    private @Nullable LaneBoard board;

    private final List<NetworkDevice> devices;
    private final LiveOptions options;
    private final Interruption interruption;
    /** What users should know about the chosen backends. */
    private final List<String> notes;
    /** Whether packets already arrive, so that nothing may delay the loop that takes them. */
    private final boolean isStarted;

    private LiveInput(
            LiveSource source,
            List<NetworkDevice> devices,
            LiveOptions options,
            List<String> notes,
            boolean isStarted) {
        this.source = source;
        this.devices = devices;
        this.options = options;
        this.notes = notes;
        this.isStarted = isStarted;
        interruption = Interruption.of(source::stop);
    }

    /**
     * Opens the interfaces, and gives up root if requested.
     *
     * @param command what captures, by which {@code offhook threads} finds the lanes that it publishes
     * @param placement the processors for the threads that read several interfaces; lanes that enter it from now on are published
     * @throws MisuseException if an interface cannot be captured from; the message says why, and what helps
     */
    public static LiveInput open(String command, LiveOptions options, LanePlacement placement) {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux") && !options.interfaces().isEmpty()) {
            throw new MisuseException("live capture needs Linux; this is " + system);
        }
        UserAccount account = account(options.user());
        List<LiveSource> sources = new ArrayList<>();
        LaneBoard board = null;
        boolean isOpen = false;
        try {
            List<NetworkDevice> devices = options.interfaces().isEmpty() ? new ArrayList<>() : wanted(options);
            prepare(options);
            List<String> notes = new ArrayList<>();
            for (String name : options.interfaces()) {
                LiveSource source = open(options.request(name), options);
                sources.add(source);
                source.notes().forEach(note -> notes.add(name + ": " + note));
                for (NetworkDevice own : source.devices()) {
                    if (devices.stream().noneMatch(known -> known.name().equals(own.name()))) {
                        devices.add(own);
                    }
                }
            }
            List<HepCollector> collectors =
                    options.agents() == null ? List.of() : options.agents().open(options.bufferBytes());
            sources.addAll(collectors);
            // several interfaces are read by separate threads, which start at once
            boolean isStarted = account != null || sources.size() > 1;
            if (isStarted && options.isRehearsed()) {
                Rehearsal.settle();
            }
            if (account != null) {
                sources.forEach(LiveSource::start); // before 5.19 the kernel redirects for root only
                become(account);
            }
            // in a folder of the user that this process is from now on
            board = LaneBoard.open(command, account == null ? null : account.name());
            placement.publishOn(board);
            LiveSource one = sources.size() == 1 ? sources.getFirst() : MergedLiveSource.of(sources, placement);
            LiveInput input = new LiveInput(
                    BoundedLiveSource.of(one, options.count(), options.durationNs()),
                    devices,
                    options,
                    notes,
                    isStarted);
            input.collectors = collectors;
            input.board = board;
            isOpen = true;
            return input;
        } catch (LinuxException e) {
            throw unlisted(e);
        } finally {
            if (!isOpen) {
                sources.forEach(LiveSource::close);
                close(board);
            }
        }
    }

    private static void close(@Nullable LaneBoard board) {
        if (board != null) {
            board.close();
        }
    }

    /** The requested interfaces that the kernel knows, each usable; the backend knows the others. */
    private static List<NetworkDevice> wanted(LiveOptions options) {
        List<NetworkDevice> known = NetworkDevice.all();
        List<NetworkDevice> wanted = new ArrayList<>();
        Function<NetworkDevice, Availability> survey = options.backend().survey();
        for (String name : options.interfaces()) {
            NetworkDevice device = find(name, known);
            try {
                if (device == null && options.backend().takes(name)) {
                    continue;
                }
            } catch (CaptureRefusedException e) {
                throw new MisuseException(String.valueOf(e.getMessage()));
            }
            if (device == null) {
                throw unknown(name, known);
            }
            wanted.add(usable(device, survey.apply(device)));
        }
        return wanted;
    }

    private static void prepare(LiveOptions options) {
        if (options.interfaces().isEmpty()) {
            return;
        }
        long most = options.backend().mostBufferBytes();
        if (options.bufferBytes() > most) {
            throw new MisuseException("--buffer " + Decimals.grouped(options.bufferBytes())
                    + " bytes are more than the " + gibibytes(most) + " that --backend "
                    + options.backend().name() + " can have");
        }
        try {
            options.backend()
                    .prepare(options.interfaces().stream().map(options::request).toList());
        } catch (CaptureRefusedException e) {
            throw new MisuseException("-i " + String.join(" -i ", options.interfaces()) + ": " + e.getMessage());
        }
    }

    /** "1Gi", as in options. */
    private static String gibibytes(long bytes) {
        return bytes % (1 << 30) == 0 ? (bytes >> 30) + "Gi" : Decimals.grouped(bytes);
    }

    private static LiveSource open(CaptureRequest request, LiveOptions options) {
        try {
            return options.backend().open(request);
        } catch (CaptureRefusedException e) {
            FilterException filter = e.filter();
            if (filter != null) {
                throw FrameFilter.misuse(request.filter(), e.linkType(), filter);
            }
            String why = String.valueOf(e.getMessage());
            throw new MisuseException("-i " + (why.startsWith(request.name()) ? "" : request.name() + ": ") + why);
        }
    }

    /** The error for a kernel that does not list interfaces, for example in a sandbox that forbids netlink. */
    public static MisuseException unlisted(LinuxException refusal) {
        return new MisuseException("the kernel does not list the interfaces: " + refusal.getMessage());
    }

    /** The interface of that name. Throws a {@link MisuseException} that says what is missing if AF_PACKET cannot use it. */
    public static NetworkDevice forPacketSockets(String name) {
        List<NetworkDevice> known = NetworkDevice.all();
        NetworkDevice device = find(name, known);
        if (device == null) {
            throw unknown(name, known);
        }
        return usable(device, new PacketSocketBackend().on(device));
    }

    /** The device. Throws a {@link MisuseException} that says what is missing if it cannot be captured from. */
    private static NetworkDevice usable(NetworkDevice device, Availability availability) {
        String missing = availability.missing();
        if (missing == null) {
            return device;
        }
        String remedy = RemedyText.of(availability);
        boolean isForbidden =
                availability.needs().stream().anyMatch(need -> need.what().startsWith("capabilit"));
        throw new MisuseException("-i " + device.name() + ": " + missing
                + (remedy == null ? "" : "; what helps: " + remedy)
                + (isForbidden ? noteOn(missing) : ""));
    }

    private static String noteOn(String capabilities) {
        String names = CAPABILITY
                .matcher(capabilities)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining(" "));
        return ", or AmbientCapabilities=" + names + " in a systemd unit, or root with --user NAME (setcap on the java"
                + " binary does not help: java then does not find its libraries)";
    }

    private static @Nullable NetworkDevice find(String name, List<NetworkDevice> known) {
        for (NetworkDevice device : known) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        return null;
    }

    private static MisuseException unknown(String name, List<NetworkDevice> known) {
        String others = known.stream().map(NetworkDevice::name).collect(Collectors.joining(", "));
        return new MisuseException("there is no interface " + name
                + (others.isEmpty() ? "; this network namespace has none" : "; existing ones: " + others));
    }

    /** The account of {@code --user}; null if it was not given. */
    public static @Nullable UserAccount account(@Nullable String name) {
        if (name == null) {
            return null;
        }
        UserAccount account = UserAccount.named(name);
        if (account == null) {
            throw new MisuseException("--user " + name + ": there is no such user");
        }
        return account;
    }

    public static void become(UserAccount account) {
        try {
            account.become();
        } catch (LinuxException e) {
            if (e.errno() == LinuxException.EPERM) {
                throw new MisuseException("--user " + account.name() + ": only root can become another user");
            }
            throw new MisuseException("--user " + account.name() + ": " + e.getMessage());
        }
    }

    /** All interfaces as one source, which is closed with this input. */
    public LiveSource source() {
        return source;
    }

    /** Replaces the source by one that wraps it. */
    public void replace(LiveSource wrapping) {
        source = wrapping;
    }

    /** The interfaces in the order of {@code -i}, as they were when opened; without those that only a backend knows. */
    public List<NetworkDevice> devices() {
        return devices;
    }

    /** The names of the interfaces, for display: "eth0, eth1". */
    public String names() {
        List<String> names = new ArrayList<>(options.interfaces());
        collectors.forEach(collector -> names.add(HepInput.name(collector)));
        return String.join(", ", names);
    }

    /**
     * Starts to capture, and reports on standard error what a user should know about the chosen backend. The caller should
     * take packets at once, because a small ring does not hold many.
     *
     * @param isAnnounced whether to also report the interfaces, and that Ctrl-C ends the capture
     */
    public void start(boolean isAnnounced, Terminal terminal) {
        if (!isStarted && options.isRehearsed()) {
            Rehearsal.settle();
        }
        source.start();
        notes.forEach(note -> terminal.err().println("offhook: " + Text.printable(note)));
        if (isAnnounced) {
            terminal.err().println("Capturing from " + Text.printable(names()) + "; Ctrl-C ends it.");
        }
    }

    /** Whether Ctrl-C or SIGTERM ended the capture. */
    public boolean isInterrupted() {
        return interruption.isInterrupted();
    }

    /** The reason for the end of a source that was not stopped. */
    public CaptureEnd endedBy() {
        if (source.counts().delivered() >= options.count()) {
            return CaptureEnd.COUNT;
        }
        boolean isGone = source.faults().size() >= source.interfaces().size();
        return isGone ? CaptureEnd.INTERFACES : CaptureEnd.DURATION;
    }

    /** What became of the packets of agents, by the name of where they send to. May be called by any thread. */
    public Map<String, HepCollectorCounts> collected() {
        Map<String, HepCollectorCounts> counts = new HashMap<>();
        collectors.forEach(collector -> counts.put(HepInput.name(collector), collector.collected()));
        return counts;
    }

    /** Reports faults on standard error, at the end. @return the exit code */
    public int reportFaults(int code, Terminal terminal) {
        return reportFaults(null, code, terminal);
    }

    /** As {@link #reportFaults(int, Terminal)}; {@code defect} is the first contained exception, or null. */
    public int reportFaults(@Nullable RuntimeException defect, int code, Terminal terminal) {
        collectors.forEach(collector -> HepInput.report(collector.collected(), terminal));
        return OpenCapture.report(source.faults(), defect, code, terminal);
    }

    @Override
    public void close() {
        source.close();
        interruption.close();
        close(board);
    }
}
