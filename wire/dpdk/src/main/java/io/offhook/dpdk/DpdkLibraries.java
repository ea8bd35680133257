package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.offhook.linux.raw.NativeLibrary;
import io.offhook.live.CaptureRemedy;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The libraries of DPDK, and whether their version has known structures. A query loads them; nothing is loaded before.
 */
final class DpdkLibraries {
    /**
     * A version for which the header classes have the offsets.
     *
     * @param name the start of {@code rte_version()} after {@code DPDK }
     * @param abi the number that the names of its libraries end with
     */
    record Known(String name, int abi) {}

    /** Structures change with each ABI; versions not listed here are refused. */
    static final List<Known> KNOWN = List.of(new Known("22.11", 23));

    private static final String NOT_INSTALLED = "DPDK is not installed";
    private static final int OLDEST_ABI = 20;
    private static final int NEWEST_ABI = 40;
    private static final int TEXT_BYTES = 256;
    private static final int ABI = KNOWN.getFirst().abi();

    static final @Nullable NativeLibrary EAL = open("eal");
    static final @Nullable NativeLibrary ETHDEV = open("ethdev");
    static final @Nullable NativeLibrary MBUF = open("mbuf");
    static final @Nullable NativeLibrary MEMPOOL = open("mempool");

    private static final @Nullable String MISSING = findMissing();
    /** The command that installs DPDK. */
    private static final String INSTALL = "sudo apt-get install dpdk";

    private DpdkLibraries() {}

    private static @Nullable NativeLibrary open(String name) {
        return NativeLibrary.open(List.of(file(name, ABI)));
    }

    private static String file(String name, int abi) {
        return "librte_" + name + ".so." + abi;
    }

    /** Returns what keeps DPDK from being used here; null if nothing does. */
    static @Nullable String missing() {
        return MISSING;
    }

    /** Returns the remedy for what is missing. */
    static CaptureRemedy remedy() {
        return MISSING != null && MISSING.startsWith(NOT_INSTALLED)
                ? new CaptureRemedy.Command(INSTALL)
                : new CaptureRemedy.None();
    }

    /** Returns what is missing together with the remedy, as text; null if nothing is missing. */
    static @Nullable String missingWithRemedy() {
        return remedy() instanceof CaptureRemedy.Command command ? MISSING + "; " + command.line() : MISSING;
    }

    /** @throws DpdkException if something is {@link #missing} */
    static void require() {
        String missing = missingWithRemedy();
        if (missing != null) {
            throw new DpdkException(missing);
        }
    }

    private static @Nullable String findMissing() {
        if (EAL == null) {
            for (int abi = NEWEST_ABI; abi >= OLDEST_ABI; abi--) {
                NativeLibrary other = NativeLibrary.open(List.of(file("eal", abi)));
                if (other != null) {
                    return unknown(version(other) + " (" + other.name() + ")");
                }
            }
            return NOT_INSTALLED + ": there is no " + file("eal", ABI);
        }
        String version = version(EAL);
        if (!isKnown(version)) {
            return unknown(version);
        }
        return ETHDEV == null || MBUF == null || MEMPOOL == null
                ? NOT_INSTALLED + " whole: there is no "
                        + file(ETHDEV == null ? "ethdev" : MBUF == null ? "mbuf" : "mempool", ABI)
                : null;
    }

    /** @param version the result of rte_version(): {@code DPDK 22.11.3} */
    static boolean isKnown(String version) {
        return KNOWN.stream()
                .map(known -> "DPDK " + known.name())
                .anyMatch(known -> version.equals(known) || version.startsWith(known + "."));
    }

    static String unknown(String version) {
        return version + " is installed, whose structures are not known here; known: "
                + String.join(
                        ", ",
                        KNOWN.stream().map(known -> "DPDK " + known.name()).toList());
    }

    private static String version(NativeLibrary eal) {
        try {
            MethodHandle function = eal.function("rte_version", FunctionDescriptor.of(ADDRESS));
            return text(((MemorySegment) function.invokeExact()).address());
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the version string of the installed DPDK. */
    static String version() {
        return version(present(EAL));
    }

    /** Returns a C string owned by DPDK. */
    static String text(long address) {
        return address == 0 ? "" : NativeLibrary.memory(address, TEXT_BYTES).getString(0);
    }

    /** Links a function. */
    static MethodHandle function(
            @Nullable NativeLibrary library, String name, MemoryLayout result, MemoryLayout... arguments) {
        return present(library).function(name, FunctionDescriptor.of(result, arguments));
    }

    /** Links a function without a result. */
    static MethodHandle procedure(@Nullable NativeLibrary library, String name, MemoryLayout... arguments) {
        return present(library).function(name, FunctionDescriptor.ofVoid(arguments));
    }

    /**
     * Links a function that neither blocks nor enters the kernel, called for packets; {@code result} is null if it has
     * none.
     */
    static MethodHandle critical(
            @Nullable NativeLibrary library, String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor form =
                result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments);
        return present(library).function(name, form, Linker.Option.critical(false));
    }

    static NativeLibrary present(@Nullable NativeLibrary library) {
        require();
        if (library == null) {
            throw new AssertionError("internal error: require() checks all libraries");
        }
        return library;
    }

    /** Returns the error for an exception from a handle: none of these functions throws, so this is a bug. */
    static AssertionError impossible(Throwable e) {
        return new AssertionError("internal error: a call into DPDK failed", e);
    }
}
