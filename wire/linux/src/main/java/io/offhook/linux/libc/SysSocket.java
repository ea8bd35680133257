package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code sys/socket.h}: each function returns a negative errno on failure. */
public final class SysSocket {
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
}
