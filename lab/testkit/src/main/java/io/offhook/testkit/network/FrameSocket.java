package io.offhook.testkit.network;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Sends or receives frames as they are, by an interface of the namespace in which it is opened: packet(7), written apart
 * from the product's own, so that a fault there does not hide in its test. Single-threaded.
 */
@SuppressWarnings("restricted") // sockets of tests are no business of the product
public final class FrameSocket implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int ADDRESS_BYTES = 20; // struct sockaddr_ll
    private static final int LONGEST_FRAME = 1 << 16;
    private static final int ENOBUFS = 105;
    private static final short NO_PROTOCOL = 0; // nothing is received
    private static final short ALL_PROTOCOLS = 0x0300; // ETH_P_ALL in network byte order
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_IGNORE_OUTGOING = 23;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle INDEX = function("if_nametoindex", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND = function(
            "send",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
            Linker.Option.captureCallState("errno"));
    private static final MethodHandle SET_OPTION =
            function("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RECEIVE =
            function("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment room = arena.allocate(LONGEST_FRAME);
    private final MemorySegment state = arena.allocate(STATE);
    private final String device;
    private final int descriptor;

    /** @throws IllegalStateException when there is no such interface, or this process may not send by it */
    public FrameSocket(String device) {
        this(device, NO_PROTOCOL);
    }

    private FrameSocket(String device, short protocol) {
        this.device = device;
        int index = (int) call(() -> (int) INDEX.invoke(arena.allocateFrom(device)));
        if (index == 0) {
            arena.close();
            throw new IllegalStateException("there is no interface " + device);
        }
        descriptor = (int) call(() -> (int) SOCKET.invoke(AF_PACKET, SOCK_RAW, 0));
        MemorySegment address = arena.allocate(ADDRESS_BYTES, 4);
        address.set(JAVA_SHORT, 0, (short) AF_PACKET);
        address.set(JAVA_SHORT, 2, protocol);
        address.set(JAVA_INT, 4, index);
        if (descriptor < 0 || call(() -> (int) BIND.invoke(descriptor, address, ADDRESS_BYTES)) != 0) {
            close();
            throw new IllegalStateException("no packet socket on " + device + ": needs root");
        }
    }

    /**
     * Receives the frames that arrive by an interface, without those that it sends.
     *
     * @param patienceMs how long {@link #receive} waits for a frame, in ms
     * @throws IllegalStateException when there is no such interface, or this process may not receive by it
     */
    public static FrameSocket receiver(String device, int patienceMs) {
        FrameSocket socket = new FrameSocket(device, ALL_PROTOCOLS);
        MemorySegment patience = socket.arena.allocate(16, 8); // struct timeval
        patience.set(JAVA_LONG, 0, patienceMs / 1000);
        patience.set(JAVA_LONG, 8, patienceMs % 1000 * 1000L);
        MemorySegment yes = socket.arena.allocateFrom(JAVA_INT, 1);
        if (!socket.set(SOL_SOCKET, SO_RCVTIMEO, patience) || !socket.set(SOL_PACKET, PACKET_IGNORE_OUTGOING, yes)) {
            socket.close();
            throw new IllegalStateException("cannot receive by " + device + ": needs Linux 4.20");
        }
        return socket;
    }

    private boolean set(int level, int option, MemorySegment value) {
        return call(() -> (int) SET_OPTION.invoke(descriptor, level, option, value, (int) value.byteSize())) == 0;
    }

    /** Waits for a frame and returns it, or null if none came in time. */
    public byte @Nullable [] receive() {
        long bytes = call(() -> (long) RECEIVE.invoke(descriptor, room, (long) LONGEST_FRAME, 0));
        return bytes < 0 ? null : room.asSlice(0, bytes).toArray(JAVA_BYTE);
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    @FunctionalInterface
    private interface Call {
        long make() throws Throwable;
    }

    private static long call(Call call) {
        try {
            return call.make();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends frames, in their order. */
    public static int send(String device, Iterable<byte[]> frames) {
        int count = 0;
        try (FrameSocket socket = new FrameSocket(device)) {
            for (byte[] frame : frames) {
                socket.send(frame);
                count++;
            }
        }
        return count;
    }

    /** Sends a frame; waits while the device's queue is full. */
    public void send(byte[] frame) {
        MemorySegment.copy(frame, 0, room, JAVA_BYTE, 0, frame.length);
        long sent;
        do {
            sent = sendOnce(frame.length);
        } while (sent < 0 && (int) ERRNO.get(state, 0L) == ENOBUFS);
        if (sent != frame.length) {
            throw new IllegalStateException("sending " + frame.length + " bytes by " + device + " gave " + sent
                    + (sent < 0 ? ", errno " + (int) ERRNO.get(state, 0L) : ""));
        }
    }

    private long sendOnce(int bytes) {
        try {
            return (long) SEND.invokeExact(state, descriptor, room, (long) bytes, 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (descriptor >= 0) {
            call(() -> (int) CLOSE.invoke(descriptor));
        }
        arena.close();
    }
}
