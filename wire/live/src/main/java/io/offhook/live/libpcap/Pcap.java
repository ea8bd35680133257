package io.offhook.live.libpcap;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code pcap/pcap.h}: any installed libpcap since version 1.5 (2013). A test compares the constants with the C
 * compiler's; a long has 64 bits, as on all 64-bit systems except Windows.
 *
 * <pre>
 *    0                                     32                                    64
 *   +---------------------------------------------------------------------------+
 *   |                              seconds since the epoch                      |     struct pcap_pkthdr
 *   +---------------------------------------------------------------------------+
 *   |                microseconds, or nanoseconds if requested                  |
 *   +-------------------------------------+-------------------------------------+
 *   |           captured length           |             wire length             |
 *   +-------------------------------------+-------------------------------------+
 * </pre>
 */
final class Pcap {
    static final int PCAP_ERRBUF_SIZE = 256;
    static final int PCAP_TSTAMP_PRECISION_NANO = 1;
    static final int PCAP_ERROR = -1;
    static final int PCAP_ERROR_BREAK = -2;
    static final int PCAP_ERROR_PERM_DENIED = -8;
    static final int PCAP_ERROR_PROMISC_PERM_DENIED = -11;
    static final int PCAP_WARNING = 1;
    static final int DLT_LINUX_SLL2 = 276;

    static final int HEADER_BYTES = 24;
    static final int HEADER_FRACTION = 8;
    static final int HEADER_CAPTURED = 16;
    static final int HEADER_WIRE = 20;

    /** struct pcap_stat: received, dropped for lack of buffer space, dropped by the interface; 32 bits each. */
    static final int STATISTICS_BYTES = 12;

    static final int STATISTICS_DROPPED = 4;
    static final int STATISTICS_INTERFACE_DROPPED = 8;

    /** struct bpf_program: number of instructions (32), address of the first. */
    static final int PROGRAM_BYTES = 16;

    static final int PROGRAM_FIRST = 8;

    /** struct pcap_if. */
    static final int DEVICE_BYTES = 40;

    static final int DEVICE_NAME = 8;
    static final int DEVICE_DESCRIPTION = 16;
    static final int DEVICE_ADDRESSES = 24;
    static final int DEVICE_FLAGS = 32;
    static final int PCAP_IF_LOOPBACK = 1;
    static final int PCAP_IF_UP = 2;
    static final int PCAP_IF_WIRELESS = 8;

    /** struct pcap_addr. */
    static final int ADDRESS_BYTES = 40;

    static final int ADDRESS_VALUE = 8;

    private static final List<String> NAMES =
            List.of("libpcap.so.1", "libpcap.so.0.8", "libpcap.so", "libpcap.A.dylib", "libpcap.dylib");
    /** The most recent of the functions used. */
    private static final String YOUNGEST = "pcap_set_tstamp_precision";

    /** Null if libpcap is not installed or too old. */
    private static final @Nullable NativeLibrary INSTALLED = find();

    private static @Nullable NativeLibrary find() {
        NativeLibrary library = NativeLibrary.open(NAMES);
        return library == null || library.find(YOUNGEST).isEmpty() ? null : library;
    }

    /** Returns whether libpcap is installed, in version 1.5 or later. */
    static boolean isInstalled() {
        return INSTALLED != null;
    }

    private static NativeLibrary library() {
        if (INSTALLED == null) {
            throw new LibpcapException(
                    "libpcap is not installed or older than 1.5 (2013); install it, on Debian the package libpcap0.8");
        }
        return INSTALLED;
    }

    /** Linked when the first of them is called. */
    private static final class Calls {
        static final MethodHandle NEXT = of("pcap_next_ex", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
        static final MethodHandle STATISTICS = of("pcap_stats", JAVA_INT, ADDRESS, ADDRESS);
        static final MethodHandle CREATE = of("pcap_create", ADDRESS, ADDRESS, ADDRESS);
        static final MethodHandle SET_NON_BLOCKING = of("pcap_setnonblock", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
        static final MethodHandle SET_FILTER = of("pcap_setfilter", JAVA_INT, ADDRESS, ADDRESS);
        static final MethodHandle GET_ERROR = of("pcap_geterr", ADDRESS, ADDRESS);
        static final MethodHandle STATUS_TEXT = of("pcap_statustostr", ADDRESS, JAVA_INT);
        static final MethodHandle VERSION = of("pcap_lib_version", ADDRESS);
        static final MethodHandle FIND_ALL = of("pcap_findalldevs", JAVA_INT, ADDRESS, ADDRESS);
        static final MethodHandle FREE_ALL = library().function("pcap_freealldevs", FunctionDescriptor.ofVoid(ADDRESS));
        static final MethodHandle CLOSE = library().function("pcap_close", FunctionDescriptor.ofVoid(ADDRESS));

        private Calls() {}

        static MethodHandle of(String name, MemoryLayout result, MemoryLayout... arguments) {
            return library().function(name, FunctionDescriptor.of(result, arguments));
        }
    }

    private Pcap() {}

    /** Creates a handle without opening anything; returns NULL on failure, with the reason in {@code errors}. */
    static MemorySegment create(MemorySegment name, MemorySegment errors) {
        try {
            return (MemorySegment) Calls.CREATE.invokeExact(name, errors);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Calls one of the many functions that take a number and return a status. */
    static int set(String function, MemorySegment handle, int value) {
        try {
            return (int) Calls.of(function, JAVA_INT, ADDRESS, JAVA_INT).invokeExact(handle, value);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Calls one of the many functions that return a number. */
    static int get(String function, MemorySegment handle) {
        try {
            return (int) Calls.of(function, JAVA_INT, ADDRESS).invokeExact(handle);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int setNonBlocking(MemorySegment handle, MemorySegment errors) {
        try {
            return (int) Calls.SET_NON_BLOCKING.invokeExact(handle, 1, errors);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int setFilter(MemorySegment handle, MemorySegment program) {
        try {
            return (int) Calls.SET_FILTER.invokeExact(handle, program);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /**
     * Moves to the next packet, which is valid until the next call.
     *
     * @param header receives the address of its header
     * @param bytes receives the address of its bytes
     * @return 1, 0 if there is none now, or PCAP_ERROR...
     */
    static int next(MemorySegment handle, MemorySegment header, MemorySegment bytes) {
        try {
            return (int) Calls.NEXT.invokeExact(handle, header, bytes);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int statistics(MemorySegment handle, MemorySegment statistics) {
        try {
            return (int) Calls.STATISTICS.invokeExact(handle, statistics);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the last error message of a handle. */
    static String error(MemorySegment handle) {
        try {
            return text((MemorySegment) Calls.GET_ERROR.invokeExact(handle));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the general meaning of a status. */
    static String statusText(int status) {
        try {
            return text((MemorySegment) Calls.STATUS_TEXT.invokeExact(status));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the version string of the library: {@code libpcap version 1.10.3 (with TPACKET_V3)}. */
    static String version() {
        try {
            return text((MemorySegment) Calls.VERSION.invokeExact());
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** @param first receives the address of the first device of a list, which the caller must free */
    static int findAll(MemorySegment first, MemorySegment errors) {
        try {
            return (int) Calls.FIND_ALL.invokeExact(first, errors);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static void freeAll(MemorySegment first) {
        try {
            Calls.FREE_ALL.invokeExact(first);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static void close(MemorySegment handle) {
        try {
            Calls.CLOSE.invokeExact(handle);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static RuntimeException impossible(Throwable e) {
        return e instanceof LibpcapException missing
                ? missing
                : new IllegalStateException("a call into libpcap failed to be made", e);
    }

    /** Returns a C string that the library owns; empty for NULL. */
    static String text(MemorySegment string) {
        return string.address() == 0
                ? ""
                : NativeLibrary.memory(string.address(), Long.MAX_VALUE).getString(0);
    }
}
