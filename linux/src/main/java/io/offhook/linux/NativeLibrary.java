package io.offhook.linux;

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
 * A shared library that is installed, or is not: libpcap, DPDK's. Once open it stays in the process, as what it started
 * may go on.
 */
@SuppressWarnings("restricted") // that is what it is for
public final class NativeLibrary {
    private static final Linker LINKER = Linker.nativeLinker();

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Opens the first that is there, as dlopen(3) finds it.
     *
     * @param names of files: {@code libpcap.so.1}, {@code libpcap.so.0.8}
     * @return null where none of them is there
     */
    public static @Nullable NativeLibrary open(List<String> names) {
        for (String name : names) {
            try {
                return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                // not this one: the next
            }
        }
        return null;
    }

    /** The name that it was found by. */
    public String name() {
        return name;
    }

    /** Where a function or a variable lies; empty where this version has none of that name. */
    public Optional<MemorySegment> find(String symbol) {
        return symbols.find(symbol);
    }

    /**
     * A function.
     *
     * @param options as {@link Linker#downcallHandle} takes them
     * @throws NoSuchElementException where this version of the library has none of that name
     */
    public MethodHandle function(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment address =
                find(symbol).orElseThrow(() -> new NoSuchElementException(name + " has no function " + symbol));
        return function(address, descriptor, options);
    }

    /** A function that is known by its address alone, such as one of a table. */
    public static MethodHandle function(
            MemorySegment address, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(address, descriptor, options);
    }

    /**
     * Any function of this form: the handle's first argument is its address. One handle, constant where it is called, is
     * compiled as a plain call, whatever the address.
     */
    public static MethodHandle function(FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(descriptor, options);
    }

    /**
     * A function of ours that native code may call; an exception that it throws ends the process.
     *
     * @param arena how long it may be called
     */
    public static MemorySegment callback(MethodHandle function, FunctionDescriptor descriptor, Arena arena) {
        return LINKER.upcallStub(function, descriptor, arena);
    }

    /**
     * Memory that native code owns, and keeps as long as it is read.
     *
     * @param address of its first byte
     * @param bytes its length; {@link Long#MAX_VALUE} for all that comes behind
     */
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
