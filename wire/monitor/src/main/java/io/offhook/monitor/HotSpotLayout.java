package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.linux.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a HotSpot JVM keeps what this watch reads of its threads. The JVM has tables of it for debuggers, the addresses of which are
 * symbols of its library: {@code src/hotspot/share/runtime/vmStructs.hpp} of OpenJDK.
 *
 * @param threadList where the address of the list of threads is
 * @param listLength in the list, how many threads there are
 * @param listThreads in the list, the address of their addresses
 * @param osThread in a thread, the address of what it is to the system
 * @param state in that, its state
 * @param nativeId in that, its number in the kernel
 * @param mode in a thread, whether it runs Java, native code or the JVM's
 * @param anchor in a thread, the anchor of its last frame of Java
 * @param pc in the anchor, the address of its code; the address of the frame is behind it or before it
 * @param frame in the anchor, the address of the frame
 */
record HotSpotLayout(
        long threadList,
        int listLength,
        int listThreads,
        int osThread,
        int state,
        int nativeId,
        int mode,
        int anchor,
        int pc,
        int frame) {
    private static final String LIBRARY = "/libjvm.so";
    private static final String TABLE = "gHotSpotVMStruct";
    private static final int MOST_FIELDS = 20_000;
    private static final int BATCH = 500;
    private static final int NAME_BYTES = 64;

    /** Where the library of a JVM is. */
    private record Loaded(Path file, long address) {}

    /** Whether a process is a HotSpot JVM, as far as it may be looked at. */
    static boolean isJvm(long pid) {
        try {
            return loaded(pid) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable Loaded loaded(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        for (String line : Files.readAllLines(process.resolve("maps"))) {
            // loaded, not merely read, as by whoever looks for its symbols
            if (line.endsWith(LIBRARY) && line.contains("p 00000000 ")) {
                String path = line.substring(line.indexOf('/') + 1);
                long address = Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16);
                return new Loaded(process.resolve("root").resolve(path), address);
            }
        }
        return null;
    }

    /**
     * Reads the tables of a JVM.
     *
     * @throws IOException if it has none, or they lack something
     * @throws LinuxException if its memory may not be read
     */
    static HotSpotLayout of(long pid) throws IOException {
        Loaded library = loaded(pid);
        if (library == null) {
            throw new IOException("process " + pid + " has no HotSpot JVM loaded");
        }
        Map<String, Long> symbols = ElfSymbols.beginningWith(TABLE, library.file());
        try (ProcessMemory memory = new ProcessMemory((int) pid, 2 * BATCH, 2 * BATCH * NAME_BYTES)) {
            return of(new Tables(memory, symbols, library.address()).fields());
        }
    }

    private static HotSpotLayout of(Map<String, Long> fields) throws IOException {
        long anchor = of(fields, "JavaThread._anchor");
        return new HotSpotLayout(
                of(fields, "ThreadsSMRSupport._java_thread_list"),
                (int) of(fields, "ThreadsList._length"),
                (int) of(fields, "ThreadsList._threads"),
                (int) of(fields, fields.containsKey("Thread._osthread") ? "Thread._osthread" : "JavaThread._osthread"),
                (int) of(fields, "OSThread._state"),
                (int) of(fields, "OSThread._thread_id"),
                (int) of(fields, "JavaThread._thread_state"),
                (int) anchor,
                (int) of(fields, "JavaFrameAnchor._last_Java_pc"),
                (int) of(fields, "JavaFrameAnchor._last_Java_fp"));
    }

    private static long of(Map<String, Long> fields, String name) throws IOException {
        Long value = fields.get(name);
        if (value == null) {
            throw new IOException("the JVM does not say where it has " + name);
        }
        return value;
    }

    /** The tables of a JVM. */
    private record Tables(ProcessMemory memory, Map<String, Long> symbols, long library) {
        /** The offset of each field, of a static one its address, by type and name. */
        Map<String, Long> fields() throws IOException {
            long table = value("s");
            int stride = (int) value("EntryArrayStride");
            int type = (int) value("EntryTypeNameOffset");
            int name = (int) value("EntryFieldNameOffset");
            int isStatic = (int) value("EntryIsStaticOffset");
            int offset = (int) value("EntryOffsetOffset");
            int address = (int) value("EntryAddressOffset");
            Map<String, Long> fields = new HashMap<>();
            for (int first = 0; first < MOST_FIELDS; first += BATCH) {
                memory.clear();
                for (int i = 0; i < BATCH; i++) {
                    memory.add(table + (long) (first + i) * stride, stride);
                }
                memory.read();
                long[] types = new long[BATCH];
                long[] names = new long[BATCH];
                long[] values = new long[BATCH];
                int count = 0;
                while (count < BATCH && memory.isRead(count) && memory.longAt(count, type) != 0) {
                    types[count] = memory.longAt(count, type);
                    names[count] = memory.longAt(count, name);
                    values[count] = memory.longAt(count, memory.intAt(count, isStatic) == 0 ? offset : address);
                    count++;
                }
                memory.clear();
                for (int i = 0; i < count; i++) {
                    memory.add(types[i], NAME_BYTES);
                    memory.add(names[i], NAME_BYTES);
                }
                memory.read();
                for (int i = 0; i < count; i++) {
                    fields.put(memory.textAt(2 * i) + "." + memory.textAt(2 * i + 1), values[i]);
                }
                if (count < BATCH) {
                    break;
                }
            }
            return fields;
        }

        /** The value of a number that has a symbol. */
        private long value(String name) throws IOException {
            Long address = symbols.get(TABLE + name);
            if (address == null) {
                throw new IOException("the JVM has no symbol " + TABLE + name);
            }
            memory.clear();
            int piece = memory.add(library + address, Long.BYTES);
            memory.read();
            if (!memory.isRead(piece)) {
                throw new IOException("the JVM has nothing where its symbol " + TABLE + name + " is");
            }
            return memory.longAt(piece, 0);
        }
    }
}
