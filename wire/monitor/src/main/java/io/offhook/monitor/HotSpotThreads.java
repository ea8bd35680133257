package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.linux.ProcessMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what the threads of a HotSpot JVM do right now out of its memory, which costs the JVM nothing: no thread of it takes part, and
 * none is stopped. What is read may be torn or of a thread that has ended; the native id that is read along tells.
 *
 * <p>The JVM keeps two states of a thread: what it waits for, for debuggers, and whether it runs Java, native code or the JVM's own. It
 * does not say whether a thread that waits for a condition sleeps or parks. That is seen by the place in its last frame of Java
 * ({@link WaitKinds}): the same for all that sleep, and another for all that park.
 */
final class HotSpotThreads implements AutoCloseable {
    /** The most threads; the first ones are read, which are the oldest. */
    static final int MOST = 4096;

    /** States of OSThread, osThread.hpp. */
    static final int RUNNABLE = 2;

    static final int MONITOR_WAIT = 3;
    static final int CONDITION_WAIT = 4;
    static final int OBJECT_WAIT = 5;
    static final int SLEEPING = 7;

    /** States of JavaThread, globalDefinitions.hpp, in which a thread that is runnable may have no processor. */
    private static final int IN_NATIVE = 4;

    private static final int IN_NATIVE_TRANSITION = 5;
    private static final int BLOCKED = 10;
    private static final int BLOCKED_TRANSITION = 11;

    /** In a frame of the interpreter, the address of the method, frame_x86.hpp and frame_aarch64.hpp. */
    private static final int FRAME_METHOD = -3 * Long.BYTES;

    private static final int LIST_BYTES = 64;

    private final HotSpotLayout layout;
    /** For what finds threads. */
    private final ProcessMemory search;
    /** For what each sample reads of each thread: its OSThread, and its JavaThread from the anchor to the mode. */
    private final ProcessMemory samples;
    /** For methods of frames. */
    private final ProcessMemory methods;

    private final int osBegin;
    private final int osBytes;
    private final int begin;
    private final int bytes;
    private final long[] addresses = new long[MOST];
    private final long[] osThreads = new long[MOST];
    private final int[] nativeIds = new int[MOST];
    private final int[] states = new int[MOST];
    private final int[] modes = new int[MOST];
    private final long[] places = new long[MOST];
    private final long[] frames = new long[MOST];
    private int count;
    private long list;

    HotSpotThreads(long pid, HotSpotLayout layout) {
        this.layout = layout;
        osBegin = Math.min(layout.state(), layout.nativeId());
        osBytes = Math.max(layout.state(), layout.nativeId()) + Integer.BYTES - osBegin;
        begin = Math.min(layout.anchor(), layout.mode());
        int anchorEnd = layout.anchor() + Math.max(layout.pc(), layout.frame()) + Long.BYTES;
        bytes = Math.max(anchorEnd, layout.mode() + Integer.BYTES) - begin;
        search = new ProcessMemory((int) pid, MOST, MOST * Long.BYTES);
        samples = new ProcessMemory((int) pid, 2 * MOST, MOST * (osBytes + bytes));
        methods = new ProcessMemory((int) pid, MOST, MOST * Long.BYTES);
    }

    /**
     * Finds the threads.
     *
     * @throws LinuxException if the process has ended, or its memory may not be read
     */
    void refresh() {
        count = 0;
        samples.clear();
        list = number(layout.threadList());
        search.clear();
        int head = search.add(list, LIST_BYTES);
        search.read();
        if (!search.isRead(head)) {
            return; // it has just been exchanged; the next time
        }
        int length = Math.clamp(search.intAt(head, layout.listLength()), 0, MOST);
        long threads = search.longAt(head, layout.listThreads());
        for (int i = 0; i < length; i++) {
            addresses[i] = threads + (long) i * Long.BYTES;
        }
        follow(addresses, addresses, 0, length);
        follow(addresses, osThreads, layout.osThread(), length);
        identify(length);
    }

    /** As {@link #refresh}, if threads have begun or ended: the JVM exchanges its list then. */
    void refreshIfChanged() {
        if (number(layout.threadList()) != list) {
            refresh();
        }
    }

    /** Reads an address at an offset of each of these. */
    private void follow(long[] from, long[] to, int offset, int length) {
        search.clear();
        for (int i = 0; i < length; i++) {
            search.add(from[i] + offset, Long.BYTES);
        }
        search.read();
        for (int i = 0; i < length; i++) {
            to[i] = search.isRead(i) ? search.longAt(i, 0) : 0;
        }
    }

    private void identify(int length) {
        search.clear();
        for (int i = 0; i < length; i++) {
            search.add(osThreads[i] + layout.nativeId(), Integer.BYTES);
        }
        search.read();
        for (int i = 0; i < length; i++) {
            if (search.isRead(i) && search.intAt(i, 0) > 0) {
                nativeIds[count++] = search.intAt(i, 0);
                samples.add(osThreads[i] + osBegin, osBytes);
                samples.add(addresses[i] + begin, bytes);
            }
        }
    }

    private long number(long address) {
        search.clear();
        int piece = search.add(address, Long.BYTES);
        search.read();
        return search.isRead(piece) ? search.longAt(piece, 0) : 0;
    }

    /**
     * Reads what each does.
     *
     * @throws LinuxException if the process has ended, or its memory may not be read
     */
    void sample() {
        int pc = layout.anchor() + layout.pc() - begin;
        int frame = layout.anchor() + layout.frame() - begin;
        samples.read();
        for (int i = 0; i < count; i++) {
            boolean isRead = samples.isRead(2 * i)
                    && samples.isRead(2 * i + 1)
                    && samples.intAt(2 * i, layout.nativeId() - osBegin) == nativeIds[i];
            states[i] = isRead ? samples.intAt(2 * i, layout.state() - osBegin) : 0;
            modes[i] = isRead ? samples.intAt(2 * i + 1, layout.mode() - begin) : 0;
            boolean isWaiting = states[i] == CONDITION_WAIT || isStopped(i);
            places[i] = isWaiting ? samples.longAt(2 * i + 1, pc) : 0;
            frames[i] = isWaiting ? samples.longAt(2 * i + 1, frame) : 0;
        }
        findMethods();
    }

    /** Code of the interpreter is the same for all methods: what tells them apart is in the frame. */
    private void findMethods() {
        methods.clear();
        for (int i = 0; i < count; i++) {
            if (frames[i] != 0) {
                methods.add(frames[i] + FRAME_METHOD, Long.BYTES);
            }
        }
        methods.read();
        int piece = 0;
        for (int i = 0; i < count; i++) {
            if (frames[i] != 0) {
                places[i] = places[i] * 31 + (methods.isRead(piece) ? methods.longAt(piece, 0) : 0);
                piece++;
            }
        }
    }

    /** Samples where threads wait for a condition now, by their native ids; nowhere once the process has ended. */
    Map<Integer, Long> conditionPlaces() {
        Map<Integer, Long> at = new HashMap<>();
        try {
            sample();
        } catch (LinuxException e) {
            return at;
        }
        for (int i = 0; i < count; i++) {
            if (states[i] == CONDITION_WAIT) {
                at.put(nativeIds[i], places[i]);
            }
        }
        return at;
    }

    /** How many threads there are. */
    int count() {
        return count;
    }

    /** The number of a thread in the kernel. */
    int nativeId(int thread) {
        return nativeIds[thread];
    }

    /** What a thread waits for; 0 if it has ended. */
    int state(int thread) {
        return states[thread];
    }

    /** Whether a thread that is {@link #RUNNABLE} is in native code, where it may wait in the kernel. */
    boolean isNative(int thread) {
        return modes[thread] == IN_NATIVE || modes[thread] == IN_NATIVE_TRANSITION;
    }

    /** Whether a thread that is {@link #RUNNABLE} is stopped by the JVM, maybe when it was about to return from waiting. */
    boolean isStopped(int thread) {
        return states[thread] == RUNNABLE && (modes[thread] == BLOCKED || modes[thread] == BLOCKED_TRANSITION);
    }

    /** Where a thread is that waits for a condition or is stopped; 0 if in no frame of Java. */
    long place(int thread) {
        return places[thread];
    }

    @Override
    public void close() {
        search.close();
        samples.close();
        methods.close();
    }
}
