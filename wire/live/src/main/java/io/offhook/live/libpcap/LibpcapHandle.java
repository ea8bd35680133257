package io.offhook.live.libpcap;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.filter.BpfProgram;
import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** An open {@code pcap_t} and its current packet. One thread at a time. */
final class LibpcapHandle implements PacketHandle {
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    private static final String ANY = "any";

    /** All memory, because libpcap returns addresses and lengths. */
    private static final MemorySegment ALL = NativeLibrary.memory(0, Long.MAX_VALUE);

    private final MemorySegment handle;
    private final String name;
    private final List<String> warnings;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment header = arena.allocate(ADDRESS);
    private final MemorySegment bytes = arena.allocate(ADDRESS);
    private final MemorySegment statistics = arena.allocate(Pcap.STATISTICS_BYTES, Integer.BYTES);
    private final boolean isNano;

    private long headerAt;
    private long bytesAt;

    private LibpcapHandle(MemorySegment handle, String name, List<String> warnings) {
        this.handle = handle;
        this.name = name;
        this.warnings = List.copyOf(warnings);
        isNano = Pcap.get("pcap_get_tstamp_precision", handle) == Pcap.PCAP_TSTAMP_PRECISION_NANO;
    }

    /** Opens an interface and starts to capture. */
    static LibpcapHandle open(LibpcapOptions options) {
        String name = options.interfaceName();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errors = arena.allocate(Pcap.PCAP_ERRBUF_SIZE);
            MemorySegment handle = Pcap.create(arena.allocateFrom(name), errors);
            if (handle.address() == 0) {
                throw new LibpcapException(name + ": " + errors.getString(0));
            }
            try {
                List<String> warnings = new ArrayList<>();
                configure(handle, options);
                activate(handle, name, warnings);
                if (name.equals(ANY)) {
                    // includes the interface of each packet; older versions have DLT_LINUX_SLL only
                    Pcap.set("pcap_set_datalink", handle, Pcap.DLT_LINUX_SLL2);
                }
                if (Pcap.setNonBlocking(handle, errors) != 0) {
                    throw new LibpcapException(name + ": " + errors.getString(0));
                }
                return new LibpcapHandle(handle, name, warnings);
            } catch (RuntimeException e) {
                Pcap.close(handle);
                throw e;
            }
        }
    }

    private static void configure(MemorySegment handle, LibpcapOptions options) {
        set(handle, "pcap_set_snaplen", options.snapLength());
        set(handle, "pcap_set_promisc", options.isPromiscuous() ? 1 : 0);
        set(handle, "pcap_set_timeout", options.timeoutMs());
        set(handle, "pcap_set_buffer_size", options.bufferBytes());
        // if this is refused, timestamps are in microseconds, which is queried later
        Pcap.set("pcap_set_tstamp_precision", handle, Pcap.PCAP_TSTAMP_PRECISION_NANO);
        if (options.isMonitor()) {
            int can = Pcap.get("pcap_can_set_rfmon", handle);
            if (can != 1) {
                throw new LibpcapException(options.interfaceName() + " has no monitor mode"
                        + (can < 0 ? ": " + reported(handle, can) : ""));
            }
            set(handle, "pcap_set_rfmon", 1);
        }
    }

    private static void set(MemorySegment handle, String function, int value) {
        int status = Pcap.set(function, handle, value);
        if (status != 0) {
            throw new LibpcapException(function + "(" + value + "): " + reported(handle, status));
        }
    }

    private static void activate(MemorySegment handle, String name, List<String> warnings) {
        int status = Pcap.get("pcap_activate", handle);
        if (status < 0) {
            boolean isDenied = status == Pcap.PCAP_ERROR_PERM_DENIED || status == Pcap.PCAP_ERROR_PROMISC_PERM_DENIED;
            throw new LibpcapException(name + ": " + reported(handle, status)
                    + (isDenied && IS_LINUX ? " (capability CAP_NET_RAW is missing)" : ""));
        }
        if (status > 0) {
            warnings.add(reported(handle, status));
        }
    }

    /** Returns the meaning of a status, with what the handle adds to it. */
    private static String reported(MemorySegment handle, int status) {
        String general = Pcap.statusText(status);
        String special = Pcap.error(handle);
        if (special.isEmpty()) {
            return general;
        }
        boolean isGeneric = status == Pcap.PCAP_ERROR || status == Pcap.PCAP_WARNING;
        return isGeneric || special.equals(general) ? special : general + " (" + special + ")";
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public int descriptor() {
        return Pcap.get("pcap_get_selectable_fd", handle);
    }

    @Override
    public int dataLink() {
        return Pcap.get("pcap_datalink", handle);
    }

    @Override
    public void filter(BpfProgram program) {
        try (Arena own = Arena.ofConfined()) {
            byte[] instructions = program.toSockFilters();
            MemorySegment first = own.allocate(instructions.length, Long.BYTES);
            MemorySegment.copy(instructions, 0, first, JAVA_BYTE, 0, instructions.length);
            MemorySegment filter = own.allocate(Pcap.PROGRAM_BYTES, Long.BYTES);
            filter.set(JAVA_INT, 0, program.length());
            filter.set(ADDRESS, Pcap.PROGRAM_FIRST, first);
            int status = Pcap.setFilter(handle, filter);
            if (status != 0) {
                throw new LibpcapException(name + ": " + reported(handle, status));
            }
        }
    }

    @Override
    public int next() {
        int result = Pcap.next(handle, header, bytes);
        if (result == 1) {
            headerAt = header.get(JAVA_LONG, 0);
            bytesAt = bytes.get(JAVA_LONG, 0);
        }
        return result;
    }

    @Override
    public int capturedLength() {
        return ALL.get(JAVA_INT, headerAt + Pcap.HEADER_CAPTURED);
    }

    @Override
    public int wireLength() {
        return ALL.get(JAVA_INT, headerAt + Pcap.HEADER_WIRE);
    }

    @Override
    public long timestampNs() {
        long seconds = ALL.get(JAVA_LONG, headerAt);
        // a long on Linux, an int elsewhere
        long fraction = IS_LINUX
                ? ALL.get(JAVA_LONG, headerAt + Pcap.HEADER_FRACTION)
                : ALL.get(JAVA_INT, headerAt + Pcap.HEADER_FRACTION);
        return seconds * 1_000_000_000L + (isNano ? fraction : fraction * 1_000);
    }

    @Override
    public void copyTo(MemorySegment target, long offset, int length) {
        MemorySegment.copy(ALL, bytesAt, target, offset, length);
    }

    @Override
    public String error() {
        return Pcap.error(handle);
    }

    @Override
    public boolean readStatistics() {
        return Pcap.statistics(handle, statistics) == 0;
    }

    @Override
    public int dropped() {
        return statistics.get(JAVA_INT, Pcap.STATISTICS_DROPPED);
    }

    @Override
    public int droppedByInterface() {
        return statistics.get(JAVA_INT, Pcap.STATISTICS_INTERFACE_DROPPED);
    }

    @Override
    public void close() {
        Pcap.close(handle);
        arena.close();
    }
}
