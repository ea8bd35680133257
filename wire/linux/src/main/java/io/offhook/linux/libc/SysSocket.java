package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code sys/socket.h}: each function returns a negative errno on failure. The layouts are those of 64-bit systems; a test
 * compares them with the C compiler's.
 *
 * <pre>
 *    mmsghdr, which begins with msghdr             cmsghdr
 *   +-----------------------------------+ 0       +-----------------------------------+ 0
 *   | address                           |         | length, of header and data        |
 *   | length of the address (32)        | 8       | level (32), type (32)             | 8
 *   | vectors                           | 16      | data, padded to a multiple of 8   | 16
 *   | number of vectors                 | 24      +-----------------------------------+
 *   | control data                      | 32
 *   | length of the control data        | 40      iovec
 *   | flags (32)                        | 48     +-----------------------------------+ 0
 *   | bytes sent or received (32)       | 56     | address                           |
 *   +-----------------------------------+ 64     | length                            | 8
 *                                                +-----------------------------------+ 16
 * </pre>
 */
public final class SysSocket {
    public static final int SOCK_DGRAM = 2;
    public static final int SOL_SOCKET = 1;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_REUSEPORT = 15;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;
    /** Also the type of its control data, a struct timespec of CLOCK_REALTIME. */
    public static final int SO_TIMESTAMPNS = 35;

    public static final int SO_ATTACH_REUSEPORT_EBPF = 52;
    public static final int SO_MEMINFO = 55;

    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_ERRQUEUE = 0x2000;

    /** The size of struct mmsghdr. */
    public static final int MESSAGE_BYTES = 64;

    public static final int MESSAGE_NAME = 0;
    public static final int MESSAGE_NAME_LENGTH = 8;
    public static final int MESSAGE_VECTORS = 16;
    public static final int MESSAGE_VECTOR_COUNT = 24;
    public static final int MESSAGE_CONTROL = 32;
    public static final int MESSAGE_CONTROL_LENGTH = 40;
    public static final int MESSAGE_FLAGS = 48;
    public static final int MESSAGE_LENGTH = 56;

    /** The size of struct iovec. */
    public static final int VECTOR_BYTES = 16;

    public static final int VECTOR_LENGTH = 8;

    /** The size of struct cmsghdr. */
    public static final int CONTROL_BYTES = 16;

    public static final int CONTROL_LEVEL = 8;
    public static final int CONTROL_TYPE = 12;

    private static final MethodHandle SOCKET = CLibrary.function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SOCKETPAIR =
            CLibrary.function("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle BIND = CLibrary.function("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKNAME =
            CLibrary.function("getsockname", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle SETSOCKOPT =
            CLibrary.function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            CLibrary.function("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle SEND =
            CLibrary.function("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV =
            CLibrary.function("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMMSG =
            CLibrary.function("sendmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);

    /** Apart, so that it is linked only by what receives in batches. */
    private static final class Batches {
        static final MethodHandle RECVMMSG =
                CLibrary.function("recvmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS);
    }

    private SysSocket() {}

    /** @param sockets receives the two descriptors, ints */
    public static int socketpair(int domain, int type, int protocol, MemorySegment sockets) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SOCKETPAIR.invokeExact(state, domain, type, protocol, sockets), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int socket(int domain, int type, int protocol) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SOCKET.invokeExact(state, domain, type, protocol), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int bind(int socket, MemorySegment address, int length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) BIND.invokeExact(state, socket, address, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /** @param length in: the size of the buffer for the address; out: the length of the address; an int */
    public static int getsockname(int socket, MemorySegment address, MemorySegment length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) GETSOCKNAME.invokeExact(state, socket, address, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int setsockopt(int socket, int level, int option, MemorySegment value, int length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SETSOCKOPT.invokeExact(state, socket, level, option, value, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /** @param length in: the size of the buffer for the value; out: the length of the value; an int */
    public static int getsockopt(int socket, int level, int option, MemorySegment value, MemorySegment length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) GETSOCKOPT.invokeExact(state, socket, level, option, value, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static long send(int socket, MemorySegment bytes, long length, int flags) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) SEND.invokeExact(state, socket, bytes, length, flags), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static long recv(int socket, MemorySegment bytes, long length, int flags) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) RECV.invokeExact(state, socket, bytes, length, flags), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /** @param messages the address of an array of struct mmsghdr */
    public static int sendmmsg(int socket, long messages, int count, int flags) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SENDMMSG.invokeExact(state, socket, messages, count, flags), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /**
     * Receives without a timeout.
     *
     * @param messages the address of an array of struct mmsghdr
     */
    public static int recvmmsg(int socket, long messages, int count, int flags) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result(
                    (int) Batches.RECVMMSG.invokeExact(state, socket, messages, count, flags, MemorySegment.NULL),
                    state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
