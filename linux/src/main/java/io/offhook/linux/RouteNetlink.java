package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What the kernel knows of interfaces and addresses, rtnetlink(7): {@code linux/netlink.h} and {@code linux/rtnetlink.h}.
 * Numbers are in the byte order of the machine.
 *
 * <pre>
 *    0                                     32                  48                  64
 *   +-------------------------------------+-------------------+-------------------+
 *   |           message length            |       type        |       flags       |     struct nlmsghdr
 *   +-------------------------------------+-------------------+-------------------+
 *   |              sequence               |                port                   |
 *   +-------------------------------------+---------------------------------------+
 *   body, then attributes: length (16), type (16), value, each at a multiple of four
 * </pre>
 */
final class RouteNetlink {
    static final int RTM_NEWLINK = 16;
    static final int RTM_GETLINK = 18;
    static final int RTM_NEWADDR = 20;
    static final int RTM_GETADDR = 22;

    /** Of struct ifinfomsg: family, hardware type (16 at 2), index (32 at 4), flags (32 at 8), change. */
    static final int IFINFOMSG = 16;
    /** Of struct ifaddrmsg: family (8), prefix length (8 at 1), flags, scope, index (32 at 4). */
    static final int IFADDRMSG = 8;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int NETLINK_ROUTE = 0;
    private static final int NLM_F_REQUEST = 1;
    private static final int NLM_F_DUMP = 0x300;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    private static final int HEADER = 16;
    private static final int ATTRIBUTE_HEADER = 4;
    private static final int ATTRIBUTE_TYPE = 0x3fff;
    /** The kernel fills at most 32 KiB of a dump at a time. */
    private static final int BUFFER_BYTES = 64 << 10;

    private RouteNetlink() {}

    /** What is told of each object of a dump. */
    interface Visitor {
        /**
         * @param body of the message, with its attributes
         */
        void message(int type, MemorySegment body);
    }

    /** Asks for all objects: RTM_GET... */
    static void dump(int request, Visitor visitor) {
        try (NativeSocket socket = NativeSocket.open(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE, "open a netlink socket");
                Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(HEADER + IFINFOMSG, Long.BYTES);
            message.set(INT, 0, (int) message.byteSize());
            message.set(SHORT, 4, (short) request);
            message.set(SHORT, 6, (short) (NLM_F_REQUEST | NLM_F_DUMP));
            check(socket.send(message, 0));
            MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
            boolean more = true;
            while (more) {
                more = visit(buffer.asSlice(0, check(socket.receive(buffer, 0))), visitor);
            }
        }
    }

    private static long check(long result) {
        if (result < 0) {
            throw new LinuxException("ask by netlink", (int) -result);
        }
        return result;
    }

    /** @return whether more is to come */
    private static boolean visit(MemorySegment messages, Visitor visitor) {
        long at = 0;
        while (messages.byteSize() - at >= HEADER) {
            int length = messages.get(INT, at);
            int type = messages.get(SHORT, at + 4) & 0xffff;
            if (type == NLMSG_DONE || length < HEADER || length > messages.byteSize() - at) {
                return false;
            }
            MemorySegment body = messages.asSlice(at + HEADER, length - HEADER);
            if (type == NLMSG_ERROR) {
                throw new LinuxException("ask by netlink", -body.get(INT, 0));
            }
            visitor.message(type, body);
            at += length + 3L & ~3L;
        }
        return true;
    }

    /** The value of the first attribute of that type, or an empty segment. */
    static MemorySegment attribute(MemorySegment body, int fixedBytes, int type) {
        long at = fixedBytes;
        while (body.byteSize() - at >= ATTRIBUTE_HEADER) {
            int length = body.get(SHORT, at) & 0xffff;
            if (length < ATTRIBUTE_HEADER || length > body.byteSize() - at) {
                break;
            }
            if ((body.get(SHORT, at + 2) & ATTRIBUTE_TYPE) == type) {
                return body.asSlice(at + ATTRIBUTE_HEADER, length - ATTRIBUTE_HEADER);
            }
            at += length + 3L & ~3L;
        }
        return MemorySegment.NULL;
    }

    static int u8(MemorySegment bytes, long offset) {
        return bytes.get(JAVA_BYTE, offset) & 0xff;
    }

    static int u16(MemorySegment bytes, long offset) {
        return bytes.get(SHORT, offset) & 0xffff;
    }

    static int u32(MemorySegment bytes, long offset) {
        return bytes.get(INT, offset);
    }
}
