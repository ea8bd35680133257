package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Just enough of pcap, pcapng, Ethernet and IP to get at the UDP payloads of public captures. For tests of this module,
 * which must not depend on {@code pcap}; what it does not understand it leaves out.
 */
final class CaptureBytes {
    /** A UDP datagram, or any other frame with null ports, for looking for SDP in its text. */
    record Datagram(
            long timeNs,
            boolean udp,
            boolean ipv6,
            int ipIdentification,
            String source,
            String destination,
            MemorySegment payload,
            int wireLength) {}

    private final List<Datagram> datagrams = new ArrayList<>();
    private final Arena arena = Arena.ofAuto();
    private long firstNs = Long.MIN_VALUE;

    private CaptureBytes() {}

    static CaptureBytes read(Path file) throws IOException {
        CaptureBytes capture = new CaptureBytes();
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        int magic = in.getInt(0);
        if (magic == 0x0a0d0d0a) {
            capture.readBlocks(in);
        } else {
            capture.readRecords(in, magic);
        }
        return capture;
    }

    List<Datagram> datagrams() {
        return datagrams;
    }

    long firstNs() {
        return firstNs;
    }

    private void readRecords(ByteBuffer in, int magic) {
        boolean swapped = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
        boolean nanos = magic == 0x4d3cb2a1 || magic == 0xa1b23c4d;
        in.order(swapped ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int link = in.getInt(20) & 0xffff;
        int at = 24;
        while (at + 16 <= in.limit()) {
            long ns = (in.getInt(at) & 0xffff_ffffL) * 1_000_000_000 + in.getInt(at + 4) * (nanos ? 1L : 1000L);
            int length = in.getInt(at + 8);
            if (length < 0 || at + 16 + length > in.limit()) {
                return;
            }
            frame(in, at + 16, length, in.getInt(at + 12) - length, ns, link);
            at += 16 + length;
        }
    }

    private void readBlocks(ByteBuffer in) {
        List<int[]> interfaces = new ArrayList<>();
        int at = 0;
        while (at + 12 <= in.limit()) {
            if (in.getInt(at) == 0x0a0d0d0a) {
                in.order(ByteOrder.BIG_ENDIAN);
                in.order(in.getInt(at + 8) == 0x1a2b3c4d ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
                interfaces.clear();
            }
            int type = in.getInt(at);
            int length = in.getInt(at + 4);
            if (length < 12 || at + length > in.limit()) {
                return;
            }
            if (type == 1) {
                interfaces.add(new int[] {in.getShort(at + 8) & 0xffff, resolution(in, at + 16, at + length - 4)});
            } else if (type == 6) {
                int[] description = interfaces.get(in.getInt(at + 8));
                long ticks = (long) in.getInt(at + 12) << 32 | in.getInt(at + 16) & 0xffff_ffffL;
                int captured = in.getInt(at + 20);
                int missing = in.getInt(at + 24) - captured;
                frame(in, at + 28, captured, missing, nanoseconds(ticks, description[1]), description[0]);
            }
            at += length;
        }
    }

    private static int resolution(ByteBuffer in, int from, int end) {
        int at = from;
        while (at + 4 <= end) {
            int code = in.getShort(at) & 0xffff;
            int length = in.getShort(at + 2) & 0xffff;
            if (code == 9) {
                return in.get(at + 4) & 0xff;
            }
            at += 4 + (length + 3 & ~3);
        }
        return 6;
    }

    private static long nanoseconds(long ticks, int resolution) {
        long second = (resolution & 0x80) != 0 ? 1L << (resolution & 0x7f) : (long) Math.pow(10, resolution);
        return ticks / second * 1_000_000_000 + ticks % second * 1_000_000_000 / second;
    }

    private void frame(ByteBuffer in, int offset, int length, int missing, long ns, int link) {
        if (firstNs == Long.MIN_VALUE) {
            firstNs = ns;
        }
        ByteBuffer frame = in.slice(offset, length).order(ByteOrder.BIG_ENDIAN);
        try {
            int at = switch (link) {
                case 1 -> 12;
                case 113 -> 14;
                case 0, 108 -> 4;
                case 276 -> 20;
                default -> 0;
            };
            if (link == 1 || link == 113) {
                int type = frame.getShort(at) & 0xffff;
                while (type == 0x8100 || type == 0x88a8) {
                    at += 4;
                    type = frame.getShort(at) & 0xffff;
                }
                if (type != 0x800 && type != 0x86dd) {
                    return;
                }
                at += 2;
            }
            ip(frame, at, length, missing, ns);
        } catch (IndexOutOfBoundsException cut) {
            // a frame that ends before its headers do carries nothing that is looked for
        }
    }

    private void ip(ByteBuffer frame, int at, int length, int missing, long ns) {
        boolean v6 = (frame.get(at) >> 4 & 0xf) == 6;
        int header = v6 ? 40 : (frame.get(at) & 0xf) * 4;
        int protocol = frame.get(at + (v6 ? 6 : 9)) & 0xff;
        if (!v6 && (frame.getShort(at + 6) & 0x3fff) != 0) {
            return;
        }
        int identification = v6 ? -1 : frame.getShort(at + 4) & 0xffff;
        String source = address(frame, at + (v6 ? 8 : 12), v6);
        String destination = address(frame, at + (v6 ? 24 : 16), v6);
        int udp = at + header;
        boolean isUdp = protocol == 17;
        int start = isUdp ? udp + 8 : udp;
        int wire = isUdp ? (frame.getShort(udp + 4) & 0xffff) - 8 : length + missing - start;
        byte[] bytes = new byte[Math.max(0, Math.min(wire, length - start))];
        frame.get(start, bytes);
        MemorySegment payload = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
        MemorySegment.copy(bytes, 0, payload, ValueLayout.JAVA_BYTE, 0, bytes.length);
        datagrams.add(new Datagram(
                ns,
                isUdp,
                v6,
                identification,
                source + ":" + (isUdp ? frame.getShort(udp) & 0xffff : 0),
                destination + ":" + (isUdp ? frame.getShort(udp + 2) & 0xffff : 0),
                payload,
                Math.max(wire, bytes.length)));
    }

    private static String address(ByteBuffer frame, int at, boolean v6) {
        byte[] bytes = new byte[v6 ? 16 : 4];
        frame.get(at, bytes);
        if (!v6) {
            return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
        }
        ByteBuffer halves = ByteBuffer.wrap(bytes);
        return new Endpoint(halves.getLong(), halves.getLong(), 0).addressText();
    }

    /** The payload as text, where it has SDP in it; else empty. */
    static String text(Datagram datagram) {
        byte[] payload = datagram.payload().toArray(ValueLayout.JAVA_BYTE);
        if (payload.length < 20 || !contains(payload, "m=")) {
            return "";
        }
        return new String(payload, StandardCharsets.ISO_8859_1);
    }

    private static boolean contains(byte[] bytes, String part) {
        byte[] wanted = part.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}
