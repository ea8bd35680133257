package io.offhook.cli;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import io.offhook.linux.UserAccount;
import io.offhook.live.BoundedLiveSource;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LanePlacement;
import io.offhook.live.LibpcapException;
import io.offhook.live.LibpcapInterface;
import io.offhook.live.LibpcapOptions;
import io.offhook.live.LibpcapSource;
import io.offhook.live.LiveInterface;
import io.offhook.live.LiveSource;
import io.offhook.live.MergedLiveSource;
import io.offhook.live.PacketSocketOptions;
import io.offhook.live.PacketSocketSource;
import io.offhook.live.XdpOptions;
import io.offhook.live.XdpSource;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces that a command captures from, as one source that ends after what {@link LiveOptions} say, or by Ctrl-C or
 * SIGTERM ({@link Interruption}).
 *
 * <p>Nothing of it is loaded by a command that reads files.
 */
final class LiveInput implements AutoCloseable {
    private static final int LARGEST_BLOCK = 1 << 20;
    private static final int SMALLEST_BLOCK = 64 << 10;
    /** Blocks that a ring has at least, where it is large enough: one is filled while others are read. */
    private static final int FEW_BLOCKS = 8;

    private static final long MAX_XDP_MEMORY = 8L << 30;
    private static final long MAX_PCAP_BUFFER = 1L << 30;

    private static final Pattern CAPABILITY = Pattern.compile("CAP_\\w+");

    private final LiveSource source;
    private final List<NetworkDevice> devices;
    private final LiveOptions options;
    private final Interruption interruption;
    /** What one must know of a way that was chosen by name. */
    private final List<String> notes;

    private LiveInput(LiveSource source, List<NetworkDevice> devices, LiveOptions options, List<String> notes) {
        this.source = source;
        this.devices = devices;
        this.options = options;
        this.notes = notes;
        interruption = Interruption.of(source::stop);
    }

    /**
     * Begins to capture, and gives up root where that was asked for.
     *
     * @param placement where the threads that read several interfaces are to run
     * @throws MisuseException where an interface cannot be captured from: why, and what would help
     */
    static LiveInput open(LiveOptions options, LanePlacement placement) {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("live capture needs Linux; this is " + system);
        }
        UserAccount account = account(options.user());
        List<LiveSource> sources = new ArrayList<>();
        boolean isOpen = false;
        try {
            List<LiveInterface> known = LiveInterface.all();
            List<NetworkDevice> devices = new ArrayList<>();
            List<String> notes = new ArrayList<>();
            if (options.backend() == LiveOptions.Backend.DPDK) {
                DpdkInput.start(options, known);
            }
            for (String name : options.interfaces()) {
                if (options.backend() == LiveOptions.Backend.DPDK) {
                    sources.add(DpdkInput.open(name, options, known, devices, notes));
                } else if (isForLibpcapAlone(name, known, options)) {
                    sources.add(libpcap(name, LinkType.LINUX_SLL2, options, notes));
                } else {
                    LiveInterface chosen = named(name, known);
                    sources.add(open(chosen, options, notes));
                    devices.add(chosen.device());
                }
            }
            if (account != null) {
                become(account);
            }
            LiveSource one = sources.size() == 1 ? sources.getFirst() : MergedLiveSource.of(sources, placement);
            LiveInput input = new LiveInput(
                    BoundedLiveSource.of(one, options.count(), options.durationNs()), devices, options, notes);
            isOpen = true;
            return input;
        } catch (LinuxException e) {
            throw unlisted(e);
        } catch (LibpcapException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        } finally {
            if (!isOpen) {
                sources.forEach(LiveSource::close);
            }
        }
    }

    /** That the kernel does not tell which interfaces there are: a sandbox that forbids netlink, say. */
    static MisuseException unlisted(LinuxException refusal) {
        return new MisuseException("the kernel does not list the interfaces: " + refusal.getMessage());
    }

    /** Opens one interface by the way that was asked for: the place where the ways there are meet the command line. */
    private static LiveSource open(LiveInterface chosen, LiveOptions options, List<String> notes) {
        try {
            return switch (options.backend()) {
                case AUTO, AFPACKET -> packetSocket(usable(chosen, LiveInterface.AF_PACKET), options);
                case PCAP -> {
                    NetworkDevice device = usable(chosen, LiveInterface.PCAP);
                    yield libpcap(device.name(), PacketSocketSource.linkType(device), options, notes);
                }
                case XDP -> xdp(usable(chosen, LiveInterface.AF_XDP), options, notes);
                case DPDK -> throw new IllegalStateException("its devices are no interfaces of the kernel: DpdkInput");
            };
        } catch (LinuxException | IllegalArgumentException e) {
            // no memory for the ring; or it has gone just now
            throw new MisuseException("-i " + chosen.device().name() + ": " + e.getMessage());
        }
    }

    /** The device, where that way works on it; else what is missing is said, and what would help. */
    static NetworkDevice usable(LiveInterface chosen, String backend) {
        for (LiveInterface.Backend one : chosen.backends()) {
            String missing = one.missing();
            if (one.name().equals(backend) && missing != null) {
                String remedy = one.remedy();
                throw new MisuseException("-i " + chosen.device().name() + ": " + missing
                        + (remedy == null ? "" : "; what helps: " + remedy)
                        + (missing.startsWith("capabilit") ? noteOn(missing) : ""));
            }
        }
        return chosen.device();
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

    private static LiveSource packetSocket(NetworkDevice device, LiveOptions options) {
        int block = LARGEST_BLOCK;
        while (block > SMALLEST_BLOCK && options.bufferBytes() / block < FEW_BLOCKS) {
            block /= 2;
        }
        int blocks = (int) Math.min(1 << 16, Math.max(2, options.bufferBytes() / block));
        PacketSocketOptions socket = PacketSocketOptions.of(device.name())
                .withSnapLength(options.snapLength())
                .withPromiscuous(options.isPromiscuous())
                .withIdleStrategy(options.idleStrategy())
                .withClock(options.clock())
                .withRing(block, blocks);
        try {
            return PacketSocketSource.open(socket, options.filter());
        } catch (FilterException e) {
            throw FrameFilter.misuse(options.filter(), PacketSocketSource.linkType(device), e);
        }
    }

    /** Something that libpcap knows, and the kernel's list of interfaces does not have: {@code any}, {@code usbmon1}. */
    private static boolean isForLibpcapAlone(String name, List<LiveInterface> known, LiveOptions options) {
        if (options.backend() != LiveOptions.Backend.PCAP
                || LibpcapSource.version() == null
                || known.stream().anyMatch(one -> one.device().name().equals(name))) {
            return false;
        }
        return LibpcapInterface.all().stream().anyMatch(one -> one.name().equals(name));
    }

    /** @param linkType for the message where the filter is none */
    private static LiveSource libpcap(String name, int linkType, LiveOptions options, List<String> notes) {
        if (options.idleStrategy() != IdleStrategy.PARK) {
            throw new MisuseException("--idle is not for --backend pcap, which waits in the kernel");
        }
        LibpcapOptions pcap = LibpcapOptions.of(name)
                .withSnapLength(options.snapLength())
                .withPromiscuous(options.isPromiscuous())
                .withMonitor(options.isMonitor())
                .withBuffer((int) buffer(options, MAX_PCAP_BUFFER, "1Gi"));
        try {
            LibpcapSource source = LibpcapSource.open(pcap, options.filter());
            source.warnings().forEach(warning -> notes.add(name + ": " + warning));
            return source;
        } catch (LibpcapException e) {
            throw new MisuseException("-i " + e.getMessage());
        } catch (FilterException e) {
            throw FrameFilter.misuse(options.filter(), linkType, e);
        }
    }

    /** What was asked for, which not every way has. */
    private static long buffer(LiveOptions options, long most, String mostAsTyped) {
        if (options.bufferBytes() > most) {
            throw new MisuseException("--buffer " + Decimals.grouped(options.bufferBytes())
                    + " bytes are more than the " + mostAsTyped + " that --backend " + options.backend() + " can have");
        }
        return options.bufferBytes();
    }

    private static LiveSource xdp(NetworkDevice device, LiveOptions options, List<String> notes) {
        XdpOptions xdp = XdpOptions.of(device.name())
                .withSnapLength(options.snapLength())
                .withPromiscuous(options.isPromiscuous())
                .withMemory(buffer(options, MAX_XDP_MEMORY, "8Gi"))
                .withIdleStrategy(options.idleStrategy());
        try {
            XdpSource source = XdpSource.open(xdp, options.filter());
            notes.add(device.name() + ": AF_XDP, " + source.description() + "; what "
                    + (options.filter().isEmpty() ? "comes in" : "--filter wants")
                    + " does not reach this machine's own network stack, and what it sends is not seen");
            return source;
        } catch (FilterException e) {
            throw FrameFilter.misuse(options.filter(), LinkType.ETHERNET, e);
        }
    }

    /** The one of that name. */
    static LiveInterface named(String name, List<LiveInterface> known) {
        for (LiveInterface one : known) {
            if (one.device().name().equals(name)) {
                return one;
            }
        }
        String others = known.stream().map(one -> one.device().name()).collect(Collectors.joining(", "));
        throw new MisuseException("there is no interface " + name
                + (others.isEmpty() ? "; there is none at all in this network namespace" : "; there are " + others));
    }

    /** The one of {@code --user}; null where it was not given. */
    static @Nullable UserAccount account(@Nullable String name) {
        if (name == null) {
            return null;
        }
        UserAccount account = UserAccount.named(name);
        if (account == null) {
            throw new MisuseException("--user " + name + ": there is no such user");
        }
        return account;
    }

    static void become(UserAccount account) {
        try {
            account.become();
        } catch (LinuxException e) {
            if (e.errno() == LinuxException.EPERM) {
                throw new MisuseException("--user " + account.name() + ": only root can become another user");
            }
            throw new MisuseException("--user " + account.name() + ": " + e.getMessage());
        }
    }

    /** All interfaces as one; it is closed with this. */
    LiveSource source() {
        return source;
    }

    /** The interfaces in the order of {@code -i}, as they were when it began; without what only libpcap knows. */
    List<NetworkDevice> devices() {
        return devices;
    }

    /** Their names as one reads them: "eth0, eth1". */
    String names() {
        return String.join(", ", options.interfaces());
    }

    /** Says on standard error what one must know of the way that was chosen; before the first packet. */
    void tellNotes(Terminal terminal) {
        notes.forEach(note -> terminal.err().println("offhook: " + Text.printable(note)));
    }

    /** Whether Ctrl-C or SIGTERM has ended it. */
    boolean isInterrupted() {
        return interruption.isInterrupted();
    }

    /** Says on standard error that it has begun, on what, and how it ends. */
    void tellBeginning(Terminal terminal) {
        tellNotes(terminal);
        terminal.err().println("Capturing from " + Text.printable(names()) + "; Ctrl-C ends it.");
    }

    /** Why the source has ended, when nobody has stopped it. */
    CaptureStatistics.End endedBy() {
        if (source.counts().delivered() >= options.count()) {
            return CaptureStatistics.End.COUNT;
        }
        boolean isGone = source.faults().size() >= source.interfaces().size();
        return isGone ? CaptureStatistics.End.INTERFACES : CaptureStatistics.End.DURATION;
    }

    /** What went wrong while it ran, told on standard error; for the end. @return what the command ends with */
    int tellFaults(int code, Terminal terminal) {
        return CaptureInput.tell(source.faults(), null, code, terminal);
    }

    @Override
    public void close() {
        source.close();
        interruption.close();
    }
}
