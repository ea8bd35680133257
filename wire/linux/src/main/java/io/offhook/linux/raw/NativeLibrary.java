package io.offhook.linux.raw;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shared library that may be installed: libpcap, DPDK. An open library stays loaded until the process ends, because
 * threads it started may still run.
 */
@SuppressWarnings("restricted") // the purpose of this class
public final class NativeLibrary {
    private static final Linker LINKER = Linker.nativeLinker();

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Opens the first library that dlopen(3) finds.
     *
     * @param names file names in order of preference: {@code libpcap.so.1}, {@code libpcap.so.0.8}
     * @return null if none of them is installed
     */
    public static @Nullable NativeLibrary open(List<String> names) {
        for (String name : names) {
            try {
                return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                // not installed: try the next
            }
        }
        return null;
    }

    /** The file name by which the library was found. */
    public String name() {
        return name;
    }

    /** The address of a function or variable; empty if this version of the library does not have it. */
    public Optional<MemorySegment> find(String symbol) {
        return symbols.find(symbol);
    }

    /**
     * Links a function.
     *
     * @param symbol the name of the function
     * @param descriptor its signature
     * @param options options for {@link Linker#downcallHandle}
     * @throws NoSuchElementException if this version of the library does not have the function
     */
    public MethodHandle function(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment address =
                find(symbol).orElseThrow(() -> new NoSuchElementException(name + " has no function " + symbol));
        return function(address, descriptor, options);
    }

    /** Links a function by its address, such as an entry of a table of functions. */
    public static MethodHandle function(
            MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(address, descriptor, options);
    }

    /**
     * Links all functions of a signature: the first argument of the handle is the address. A constant handle is
     * compiled to a plain call, whatever the address.
     */
    public static MethodHandle function(FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(descriptor, options);
    }

    /**
     * Creates a function pointer for native code to a Java method. An exception from the method ends the process.
     *
     * @param function the method
     * @param descriptor its native signature
     * @param arena the lifetime of the pointer
     */
    public static MemorySegment callback(MethodHandle function, FunctionDescriptor descriptor, Arena arena) {
        return LINKER.upcallStub(function, descriptor, arena);
    }

    /**
     * Memory owned by native code, which must stay valid while it is read.
     *
     * @param address the first byte
     * @param bytes the length; {@link Long#MAX_VALUE} for everything that follows
     */
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
