package io.offhook.bench;

import io.offhook.packet.LayerSet;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * An experiment: walks several places of a mapped capture at once, on one thread, so that waiting for memory at one place
 * overlaps with work at the others. The sums always equal those of the walk from front to back.
 *
 * <p>A classic pcap file is a chain: only a record's length leads to the next one. So the beginning of a later stretch is a
 * guess: a run of plausible record headers. The guess is confirmed when the previous stretch ends exactly there. If it does
 * not, the result of the stretch is discarded, and it is walked again from the end of the previous one. A wrong guess costs
 * time, but never changes the result.
 */
final class Stretches {
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MOST_PACKET_BYTES = 262_144;
    private static final int UNITS_PER_SECOND = 1_000_000_000;
    private static final int DAY = 86_400;
    private static final int LINE = 64;
    /** This many plausible record headers in a row count as records. */
    private static final int RUN = 16;

    private final MemorySegment file;
    private final long size;
    private final PacketWalker walker = new PacketWalker();
    private final int count;
    private final long[] start;
    private final long[] at;
    private final long[] end;
    private final long[] next;
    private final long[] packets;
    private final long[] sum;
    private final boolean[] isOver;
    /** A meaningless sum of the bytes read ahead, so that the compiler does not remove the reads. */
    private int touched;

    private long allPackets;
    private long allSum;
    private int redone;

    /**
     * @param file a classic little-endian pcap of Ethernet
     * @param count how many stretches, 1 or more
     */
    Stretches(MemorySegment file, int count) {
        this.file = file;
        this.count = count;
        size = file.byteSize();
        start = new long[count];
        at = new long[count];
        end = new long[count];
        next = new long[count];
        packets = new long[count];
        sum = new long[count];
        isOver = new boolean[count];
    }

    /** Walks the whole file. */
    void walk() {
        divide();
        walkTogether();
        for (int i = 0; i < count; i++) {
            while (!isOver[i]) {
                step(i);
            }
        }
        prove();
    }

    private void divide() {
        start[0] = Math.min(FILE_HEADER, size);
        for (int i = 1; i < count; i++) {
            long guess = guess(Math.max(start[i - 1], FILE_HEADER + (size - FILE_HEADER) / count * i));
            start[i] = guess;
            end[i - 1] = guess;
        }
        end[count - 1] = size;
        for (int i = 0; i < count; i++) {
            at[i] = start[i];
            packets[i] = 0;
            sum[i] = 0;
            isOver[i] = isEnd(i);
        }
    }

    /** Returns the first place from there on that looks like a record; the file's end if there is none. */
    private long guess(long from) {
        for (long place = from; place < size; place++) {
            if (isRun(place)) {
                return place;
            }
        }
        return size;
    }

    private boolean isRun(long from) {
        long place = from;
        long seconds = -1;
        for (int i = 0; i < RUN; i++) {
            if (place == size && i > 0) {
                return true;
            }
            if (size - place < RECORD_HEADER) {
                return false;
            }
            long captured = u32(place + 8);
            long wire = u32(place + 12);
            long time = u32(place);
            if (u32(place + 4) >= UNITS_PER_SECOND
                    || captured == 0
                    || captured > Math.min(wire, MOST_PACKET_BYTES)
                    || wire > MOST_PACKET_BYTES
                    || seconds >= 0 && Math.abs(time - seconds) > DAY) {
                return false;
            }
            seconds = time;
            place += RECORD_HEADER + captured;
        }
        return place <= size;
    }

    private long u32(long offset) {
        return (int) U32.get(file, offset) & 0xffff_ffffL;
    }

    /** Walks all stretches in turn, one packet each, until one of them ends. */
    private void walkTogether() {
        while (noneIsOver()) {
            int ahead = touched;
            for (int i = 0; i < count; i++) {
                long record = at[i];
                long after = record + RECORD_HEADER + u32(record + 8);
                next[i] = after;
                if (after < size - 2 * LINE) { // before the current packets are walked
                    ahead += (byte) BYTE.get(file, after) + (byte) BYTE.get(file, after + LINE);
                }
            }
            touched = ahead;
            for (int i = 0; i < count; i++) {
                take(i);
            }
        }
    }

    private boolean noneIsOver() {
        for (int i = 0; i < count; i++) {
            if (isOver[i]) {
                return false;
            }
        }
        return true;
    }

    private void step(int i) {
        next[i] = at[i] + RECORD_HEADER + u32(at[i] + 8);
        take(i);
    }

    /** Walks the current packet of a stretch, and moves to the next one. */
    private void take(int i) {
        long packet = at[i] + RECORD_HEADER;
        long length = next[i] - packet;
        if (length > MOST_PACKET_BYTES || next[i] > size) {
            isOver[i] = true;
            return;
        }
        packets[i]++;
        walker.walk(file, packet, (int) length, (int) length, LinkType.ETHERNET, LayerSet.TCP_OR_UDP);
        if (walker.transport() >= 0) {
            sum[i] += walker.sourcePort() + walker.destinationPort() + walker.payloadLength();
        }
        at[i] = next[i];
        isOver[i] = isEnd(i);
    }

    /** Returns whether a stretch has ended: it is at its end or beyond it, or no record header follows. */
    private boolean isEnd(int i) {
        return at[i] >= end[i] || size - at[i] < RECORD_HEADER;
    }

    /** Adds up confirmed stretches, from front to back, and walks the others again. */
    private void prove() {
        allPackets = 0;
        allSum = 0;
        redone = 0;
        long proven = start[0];
        for (int i = 0; i < count; i++) {
            if (proven < start[i]) { // the file is at its end, or damaged, before this stretch
                return;
            }
            if (proven != start[i]) {
                redone++;
                at[i] = proven;
                packets[i] = 0;
                sum[i] = 0;
                for (isOver[i] = isEnd(i); !isOver[i]; ) {
                    step(i);
                }
            }
            allPackets += packets[i];
            allSum += sum[i];
            proven = at[i];
        }
    }

    long packets() {
        return allPackets;
    }

    /** Packets of one stretch. */
    long packetsOf(int stretch) {
        return packets[stretch];
    }

    /** The sum of ports and payload lengths, as in {@link WalkBenchmark}. */
    long sum() {
        return allSum;
    }

    /** The number of wrong guesses. */
    int redone() {
        return redone;
    }
}
