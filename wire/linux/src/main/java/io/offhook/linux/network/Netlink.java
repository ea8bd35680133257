package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Requests to the kernel and its answers, netlink(7): {@code linux/netlink.h}. Numbers are in native byte order.
 *
 * <pre>
 *    0                                     32                  48                  64
 *   +-------------------------------------+-------------------+-------------------+
 *   |           message length            |       type        |       flags       |     struct nlmsghdr
 *   +-------------------------------------+-------------------+-------------------+
 *   |              sequence               |                port                   |
 *   +-------------------------------------+---------------------------------------+
 *   body, then attributes: length (16), type (16), value, each padded to a multiple of four
 * </pre>
 */
final class Netlink {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    static final int AF_NETLINK = 16;
    static final int SOCK_RAW = 3;
    static final int NLM_F_REQUEST = 1;
    /** The objects changed during the dump: some may be missing, others repeated. */
    static final int NLM_F_DUMP_INTR = 0x10;

    static final int NLM_F_DUMP = 0x300;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    static final int HEADER = 16;
    private static final int FLAGS = 6;
    private static final int ATTRIBUTE_HEADER = 4;
    private static final int ATTRIBUTE_TYPE = 0x3fff;
    /** The kernel fills at most 32 KiB of a dump per call. */
    static final int BUFFER_BYTES = 64 << 10;
    /** How often a dump is repeated while objects change; the last answer is used as it is. */
    static final int MOST_TRIES = 10;

    private Netlink() {}

    /** Receives the objects of a dump. */
    interface Visitor {
        /** @param body the body of the message, with its attributes */
        void message(int type, MemorySegment body);
    }

    /**
     * Requests all objects of a kind.
     *
     * @param protocol NETLINK_...
     * @param request the type of the request
     * @param bodyBytes the size of the request's body
     * @param question fills in the body, which is initially 0
     */
    static void dump(int protocol, int request, int bodyBytes, Consumer<MemorySegment> question, Visitor visitor) {
        try (NativeSocket socket = NativeSocket.open(AF_NETLINK, SOCK_RAW, protocol, "open a netlink socket");
                Arena arena = Arena.ofConfined()) {
            MemorySegment message = request(arena, request, NLM_F_REQUEST | NLM_F_DUMP, bodyBytes);
            question.accept(message.asSlice(HEADER));
            MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
            List<MemorySegment> answer = ofOneTime(() -> {
                check(socket.send(message, 0));
                List<MemorySegment> received = new ArrayList<>();
                boolean more = true;
                while (more) {
                    long bytes = check(socket.receive(buffer, 0));
                    received.add(arena.allocate(bytes, Long.BYTES).copyFrom(buffer.asSlice(0, bytes)));
                    more = visit(received.getLast(), (_, _) -> {});
                }
                return received;
            });
            answer.forEach(messages -> visit(messages, visitor));
        }
    }

    /** A request whose body is 0. */
    static MemorySegment request(Arena arena, int type, int flags, int bodyBytes) {
        MemorySegment message = arena.allocate(HEADER + bodyBytes, Long.BYTES);
        message.set(INT, 0, (int) message.byteSize());
        message.set(SHORT, 4, (short) type);
        message.set(SHORT, FLAGS, (short) flags);
        return message;
    }

    /** Repeats a request until its answer is consistent. */
    static List<MemorySegment> ofOneTime(Supplier<List<MemorySegment>> question) {
        List<MemorySegment> answer = question.get();
        for (int tries = 1; tries < MOST_TRIES && answer.stream().anyMatch(Netlink::isInterrupted); tries++) {
            answer = question.get();
        }
        return answer;
    }

    private static boolean isInterrupted(MemorySegment messages) {
        long at = 0;
        while (messages.byteSize() - at >= HEADER) {
            if ((messages.get(SHORT, at + FLAGS) & NLM_F_DUMP_INTR) != 0) {
                return true;
            }
            at += Math.max(HEADER, messages.get(INT, at) + 3L & ~3L);
        }
        return false;
    }

    static long check(long result) {
        if (result < 0) {
            throw new LinuxException("ask by netlink", (int) -result);
        }
        return result;
    }

    /** @return whether further messages follow */
    static boolean visit(MemorySegment messages, Visitor visitor) {
        long at = 0;
        while (messages.byteSize() - at >= HEADER) {
            int length = messages.get(INT, at);
            int type = messages.get(SHORT, at + 4) & 0xffff;
            if (length < HEADER || length > messages.byteSize() - at) {
                return false;
            }
            MemorySegment body = messages.asSlice(at + HEADER, length - HEADER);
            // the end of a dump may carry an error: ENOENT if the kernel lacks a family
            if (type == NLMSG_ERROR || type == NLMSG_DONE) {
                int error = body.byteSize() < Integer.BYTES ? 0 : body.get(INT, 0);
                if (error < 0) {
                    throw new LinuxException("ask by netlink", -error);
                }
                return false;
            }
            visitor.message(type, body);
            at += length + 3L & ~3L;
        }
        return true;
    }

    /** The value of the first attribute of a type; an empty segment if there is none. */
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

    /** A copy; {@link MemorySegment#toArray} would make a segment in the heap (docs/decisions/0010). */
    static byte[] bytes(MemorySegment segment) {
        byte[] bytes = new byte[Math.toIntExact(segment.byteSize())];
        MemorySegment.copy(segment, JAVA_BYTE, 0, bytes, 0, bytes.length);
        return bytes;
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

    static void setU32(MemorySegment bytes, long offset, int value) {
        bytes.set(INT, offset, value);
    }
}
