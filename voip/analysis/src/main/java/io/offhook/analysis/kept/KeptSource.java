package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Packets of a call, from the segments that have them, in the order of capture. Only these are read: each where the index says
 * that it begins, mapped in place.
 */
final class KeptSource implements PacketSource {
    private static final long NANOSECONDS = 1_000_000_000L;
    private static final int MOST_PACKETS = 1 << 24;

    private final Arena arena = Arena.ofShared();
    private final List<Part> parts = new ArrayList<>();
    private final List<CaptureInterface> interfaces = new ArrayList<>();
    private long packets;
    private int part;
    private int next;
    private long number = 1;
    private boolean isClosed;

    /** The wanted packets of a segment. */
    private static final class Part {
        private final SegmentFile file;
        /** Where they begin, in units of four bytes, ascending. */
        private final int[] positions;
        /** The number here of each of its interfaces. */
        private final int[] interfaces;

        Part(SegmentFile file, int[] positions, int[] interfaces) {
            this.file = file;
            this.positions = positions;
            this.interfaces = interfaces;
        }
    }

    /** Where to look for packets: the index of a segment. */
    @FunctionalInterface
    interface Lookup {
        /** Passes the positions of packets with a key. */
        void positions(int key, LongConsumer found);
    }

    /**
     * Adds the wanted packets of a segment, behind those of earlier ones.
     *
     * @throws IOException if it cannot be read, or there are too many packets; one that was deleted has none
     */
    void add(Path file, Lookup lookup, List<KeptCall.Want> wants) throws IOException {
        SegmentFile segment;
        try {
            segment = SegmentFile.map(file, arena);
        } catch (NoSuchFileException _) {
            return;
        }
        int[] positions = positions(segment, lookup, wants);
        if (positions.length > 0) {
            packets += positions.length;
            if (packets > MOST_PACKETS) {
                throw new IOException("the call has more than " + MOST_PACKETS + " packets");
            }
            parts.add(new Part(segment, positions, interfaces(file, segment)));
        }
    }

    private static int[] positions(SegmentFile segment, Lookup lookup, List<KeptCall.Want> wants) {
        Positions found = new Positions();
        for (KeptCall.Want want : wants) {
            lookup.positions(want.key(), at -> {
                if (segment.isPacket(at)) {
                    long timestampNs = segment.timestampNs(at);
                    if (timestampNs >= want.fromNs() && timestampNs <= want.untilNs()) {
                        found.add(at);
                    }
                }
            });
        }
        return found.ascending();
    }

    private static final class Positions {
        private int[] units = new int[64];
        private int count;

        void add(long position) {
            units = count == units.length ? Arrays.copyOf(units, 2 * count) : units;
            units[count++] = (int) (position >>> 2);
        }

        int[] ascending() {
            return Arrays.stream(units, 0, count).sorted().distinct().toArray();
        }
    }

    private int[] interfaces(Path file, SegmentFile segment) {
        SegmentInterface[] described = segment.interfaces();
        int[] numbers = new int[described.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = interfaceOf(file, described[i]);
        }
        return numbers;
    }

    private int interfaceOf(Path file, SegmentInterface described) {
        String name = described.name().isEmpty() ? null : described.name();
        for (int i = 0; i < interfaces.size(); i++) {
            if (interfaces.get(i).linkType() == described.linkType()
                    && Objects.equals(interfaces.get(i).name(), name)) {
                return i;
            }
        }
        interfaces.add(
                new CaptureInterface(file.toString(), described.linkType(), Block.SNAP_LENGTH, NANOSECONDS, 0, name));
        return interfaces.size() - 1;
    }

    @Override
    public boolean next(FrameBatch batch) {
        batch.clear(number);
        while (part < parts.size() && !batch.isFull()) {
            Part current = parts.get(part);
            int segment = batch.addSegment(current.file.bytes());
            if (segment < 0) {
                break;
            }
            for (; next < current.positions.length && !batch.isFull(); next++) {
                add(batch, segment, current, (current.positions[next] & 0xffff_ffffL) << 2);
            }
            if (next == current.positions.length) {
                part++;
                next = 0;
            }
        }
        number += batch.count();
        return batch.count() > 0;
    }

    private static void add(FrameBatch batch, int segment, Part part, long at) {
        SegmentFile file = part.file;
        batch.add(
                segment,
                at + Block.PACKET,
                (int) file.capturedLength(at),
                file.wireLength(at),
                file.timestampNs(at),
                part.interfaces[file.interfaceId(at)],
                file.linkType(at));
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return List.copyOf(interfaces);
    }

    @Override
    public List<CaptureFault> faults() {
        return List.of();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            arena.close();
        }
    }
}
