package io.offhook.packet.walk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The frames of a pcap or pcapng file, for tests of this module, which stands below the one that reads files. */
public final class CaptureFrames {
    private static final ValueLayout.OfInt INT_LITTLE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT_BIG = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment file;
    private boolean isBig;

    /** Takes a frame; numbers start at 1. */
    public interface Handler {
        void frame(int number, MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType);
    }

    private CaptureFrames(MemorySegment file) {
        this.file = file;
    }

    public static void read(Path path, Handler handler) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        if (bytes.length > 2 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b) {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(path))) {
                bytes = in.readAllBytes();
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = arena.allocate(Math.max(bytes.length, 1));
            MemorySegment.copy(bytes, 0, file, ValueLayout.JAVA_BYTE, 0, bytes.length);
            new CaptureFrames(file).read(bytes.length, handler);
        }
    }

    private void read(long size, Handler handler) {
        if (size < 24) {
            return;
        }
        int magic = file.get(INT_BIG, 0);
        switch (magic) {
            case 0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34 -> classic(true, magic == 0xa1b2cd34, size, handler);
            case 0xd4c3b2a1, 0x4d3cb2a1, 0x34cdb2a1 -> classic(false, magic == 0x34cdb2a1, size, handler);
            case 0x0a0d0d0a -> blocks(size, handler);
            default -> {}
        }
    }

    private void classic(boolean isBig, boolean isModified, long size, Handler handler) {
        this.isBig = isBig;
        int linkType = u32(20) & 0xffff;
        int header = isModified ? 24 : 16;
        long at = 24;
        int number = 0;
        while (at + header <= size) {
            int captured = u32(at + 8);
            int wire = u32(at + 12);
            at += header;
            if (captured < 0 || at + captured > size) {
                return;
            }
            handler.frame(++number, file, at, captured, wire, linkType);
            at += captured;
        }
    }

    private void blocks(long size, Handler handler) {
        List<Integer> linkTypes = new ArrayList<>();
        List<Integer> snapLengths = new ArrayList<>();
        long at = 0;
        int number = 0;
        while (at + 12 <= size) {
            int type = file.get(INT_BIG, at);
            if (type == 0x0a0d0d0a) {
                isBig = file.get(INT_BIG, at + 8) == 0x1a2b3c4d;
                linkTypes.clear();
                snapLengths.clear();
            } else {
                type = u32(at);
            }
            int length = u32(at + 4);
            if (length < 12 || at + length > size) {
                return;
            }
            switch (type) {
                case 1 -> {
                    linkTypes.add(isBig ? u32(at + 8) >>> 16 : u32(at + 8) & 0xffff);
                    snapLengths.add(u32(at + 12));
                }
                case 2, 6 -> {
                    int first = type == 6 ? u32(at + 8) : isBig ? u32(at + 8) >>> 16 : u32(at + 8) & 0xffff;
                    handler.frame(++number, file, at + 28, u32(at + 20), u32(at + 24), linkTypes.get(first));
                }
                case 3 -> {
                    int captured = Math.min(u32(at + 8), length - 16);
                    int snap = snapLengths.getFirst();
                    captured = snap > 0 ? Math.min(captured, snap) : captured;
                    handler.frame(++number, file, at + 12, captured, u32(at + 8), linkTypes.getFirst());
                }
                default -> {}
            }
            at += length;
        }
    }

    private int u32(long offset) {
        return file.get(isBig ? INT_BIG : INT_LITTLE, offset);
    }
}
