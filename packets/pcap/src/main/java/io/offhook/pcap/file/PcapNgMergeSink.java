package io.offhook.pcap.file;

import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.InterfaceTable;
import io.offhook.pcap.reader.PcapNgSection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges capture files of any format into one pcapng section. Each interface of each file becomes an interface of its
 * own, with its options and the resolution of its timestamps; the blocks that refer to interfaces and packets follow
 * them. Comments on the first section of each file become comments on the merged section ({@link PcapNgSectionNotes}).
 *
 * <p>The section has the byte order of the first pcapng file. Blocks from a section of the other byte order are
 * converted as far as their form is known; custom blocks and those of unknown types are then left out and counted.
 */
final class PcapNgMergeSink extends RecordSink {
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int MICROSECONDS = 1_000_000;
    /** The most bytes of names and secrets that are repeated in each of several files. */
    private static final long MOST_REPEATED_BYTES = 16 << 20;

    private final InterfaceTable interfaces;
    private final CopyRules rules;
    private final boolean isSplit;
    private final PcapNgBlockWriter writer;
    private final PcapNgOptionCopy options;
    private final PcapNgPackets packets;
    private final PcapNgBlockTurn turn;
    private final PcapNgSectionNotes notes;
    private final PcapNgBlockView again = new PcapNgBlockView();
    /** For each file, the numbers that the interfaces of its current section have in the output. */
    private final List<int[]> numbers = new ArrayList<>();

    private final int[] described;
    /** For each input file, the interfaces of its current section, which each of several output files begins with. */
    private final List<List<Repeated>> repeatedInterfaces = new ArrayList<>();
    /** The blocks with names and secrets that each of several files begins with. */
    private final List<Repeated> repeated = new ArrayList<>();

    private long repeatedBytes;
    /** The options left out of repeated blocks, not counting the first time. */
    private long optionsLeftOutAgain;

    private int interfacesWritten;

    /** An interface, or a block with names or secrets, as it was read. */
    private record Repeated(
            @Nullable CaptureInterface captureInterface, MemorySegment block, ByteOrder order, PcapNgOptions added) {}

    /**
     * Creates a sink without a file for the records of {@code cursors}, one per input file, to a section of byte order
     * {@code order}; {@code isSplit} says whether there may be several files.
     */
    PcapNgMergeSink(
            List<RecordCursor> cursors, ByteOrder order, CopyRules rules, boolean isSplit, InterfaceTable interfaces) {
        this.rules = rules;
        this.isSplit = isSplit;
        this.interfaces = interfaces;
        output.order(order);
        writer = new PcapNgBlockWriter(output);
        options = new PcapNgOptionCopy(output, rules);
        packets = new PcapNgPackets(output, options);
        turn = new PcapNgBlockTurn(output, options);
        notes = new PcapNgSectionNotes(cursors, order, rules);
        cursors.forEach(_ -> numbers.add(new int[0]));
        cursors.forEach(_ -> repeatedInterfaces.add(new ArrayList<>()));
        described = new int[cursors.size()];
    }

    /** {@inheritDoc} Interfaces get new numbers, because those of earlier sections are not repeated. */
    @Override
    void begin() {
        writer.section(notes.ofFile());
        long leftOut = options.leftOut();
        interfacesWritten = 0;
        for (int rank = 0; rank < described.length; rank++) {
            List<Repeated> ofSection = repeatedInterfaces.get(rank);
            for (int id = 0; id < ofSection.size(); id++) {
                write(ofSection.get(id));
                numbers.get(rank)[id] = interfacesWritten++;
            }
        }
        repeated.forEach(this::write);
        optionsLeftOutAgain += options.leftOut() - leftOut;
    }

    private void write(Repeated block) {
        CaptureInterface plain = block.captureInterface();
        if (plain != null) {
            writePlain(plain, block.added());
        } else {
            again.wrap(block.block(), 0, (int) block.block().byteSize(), block.order());
            turn.write(again, 0, block.added());
        }
    }

    @Override
    long sizeOf(RecordCursor cursor, EditedPacket packet) {
        return cursor.isPcapNg() ? packets.sizeOf(cursor.block(), packet) : PcapNgPackets.sizeOf(packet);
    }

    @Override
    void packet(RecordCursor cursor, EditedPacket packet) {
        CaptureInterface of = interfaces.get(cursor.interfaceNumber());
        if (!cursor.isPcapNg()) {
            int id = ofPlain(cursor, of);
            packets.write(packet, id, packet.timestampNs() / (1_000_000_000 / of.timestampUnitsPerSecond()));
            return;
        }
        PcapNgBlockView block = cursor.block();
        long units = block.type() == PcapNgBlock.SIMPLE_PACKET
                ? PcapNgPackets.unitsOf(cursor.timestampNs(), of)
                : block.timestampUnits();
        packets.write(block, packet, numbers.get(cursor.rank())[(int) block.interfaceId()], units);
    }

    /** Returns the number of the only interface of a pcap or snoop file, which is written before its first packet. */
    private int ofPlain(RecordCursor cursor, CaptureInterface plain) {
        int rank = cursor.rank();
        if (described[rank] == 0) {
            PcapNgOptions added = notes.ofInterface(rank);
            writePlain(plain, added);
            if (isSplit) {
                repeatedInterfaces.get(rank).add(new Repeated(plain, MemorySegment.NULL, output.order(), added));
            }
            count(true);
            number(rank);
        }
        return numbers.get(rank)[0];
    }

    /** {@inheritDoc} The interface of a pcap file without packets is written here. */
    @Override
    void ended(RecordCursor cursor) {
        if (cursor.isPcapNg() || described[cursor.rank()] > 0) {
            return;
        }
        String path = cursor.input().describe().path();
        for (CaptureInterface plain : interfaces.snapshot()) {
            if (plain.file().equals(path)) {
                ofPlain(cursor, plain);
                return;
            }
        }
    }

    private void writePlain(CaptureInterface plain, PcapNgOptions added) {
        PcapNgOptions options = new PcapNgOptions(output.order());
        if (plain.timestampUnitsPerSecond() != MICROSECONDS) {
            options.u8(OPTION_TIME_RESOLUTION, 9);
        }
        if (plain.frameCheckBytes() >= 0) {
            options.u8(PcapNgSection.OPTION_FRAME_CHECK, plain.frameCheckBytes());
        }
        options.addAll(added);
        writer.interfaceDescription(plain.linkType(), plain.snapLength(), options);
    }

    private void number(int rank) {
        int id = described[rank]++;
        int[] known = numbers.get(rank);
        if (id == known.length) {
            known = Arrays.copyOf(known, Math.max(4, 2 * id));
            numbers.set(rank, known);
        }
        known[id] = interfacesWritten++;
    }

    @Override
    void block(RecordCursor cursor) {
        PcapNgBlockView block = cursor.block();
        int rank = cursor.rank();
        switch (block.type()) {
            case PcapNgBlock.SECTION_HEADER -> {
                described[rank] = 0;
                repeatedInterfaces.get(rank).clear(); // no later packet refers to them
                notes.section(rank, block);
            }
            case PcapNgBlock.INTERFACE_DESCRIPTION -> describe(rank, block);
            default -> count(rules.keepsBlock(block) && write(rank, block));
        }
    }

    private void describe(int rank, PcapNgBlockView block) {
        if (described[rank] == InterfaceTable.MOST) {
            count(false); // its packets are not read
            return;
        }
        PcapNgOptions added = notes.ofInterface(rank);
        turn.write(block, 0, added);
        repeat(block, added, repeatedInterfaces.get(rank));
        number(rank);
        count(true);
    }

    private boolean write(int rank, PcapNgBlockView block) {
        return switch (block.type()) {
            case PcapNgBlock.INTERFACE_STATISTICS -> {
                long id = block.interfaceId();
                yield id < described[rank] && turn.write(block, numbers.get(rank)[(int) id], notes.none());
            }
            case PcapNgBlock.NAME_RESOLUTION, PcapNgBlock.DECRYPTION_SECRETS -> {
                boolean isWritten = turn.write(block, 0, notes.none());
                if (isWritten && repeatedBytes + block.length() <= MOST_REPEATED_BYTES) {
                    repeatedBytes += block.length();
                    repeat(block, notes.none(), repeated);
                }
                yield isWritten;
            }
            default -> turn.write(block, 0, notes.none());
        };
    }

    private void repeat(PcapNgBlockView block, PcapNgOptions added, List<Repeated> to) {
        if (isSplit) {
            MemorySegment copy = Arena.ofAuto().allocate(block.length());
            MemorySegment.copy(block.segment(), block.offset(), copy, 0, block.length());
            to.add(new Repeated(null, copy, block.order(), added));
        }
    }

    @Override
    long optionsLeftOut() {
        return options.leftOut() - optionsLeftOutAgain + notes.leftOut();
    }
}
