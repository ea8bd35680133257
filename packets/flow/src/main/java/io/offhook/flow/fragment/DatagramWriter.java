package io.offhook.flow.fragment;

import io.offhook.flow.state.BlockPool;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Assembles whole IP packets from their fragments, one at a time, in a buffer of its own. */
final class DatagramWriter {
    private static final int MAX_LENGTH = 65_535;
    private static final int MAX_BYTES = Ipv6View.LENGTH + MAX_LENGTH;

    private final BlockPool pool;
    private @Nullable MemorySegment buffer;

    DatagramWriter(BlockPool pool) {
        this.pool = pool;
    }

    /** The buffer; the packet written last starts at offset 0. */
    MemorySegment buffer() {
        MemorySegment memory = buffer;
        if (memory == null) {
            memory = pool.allocate(MAX_BYTES);
            buffer = memory;
        }
        return memory;
    }

    /** Writes a complete datagram. Returns its length up to the first byte that was not captured. */
    int write(Datagram datagram) {
        return write(datagram, datagram.payloadLength);
    }

    /** Writes the contiguous beginning of a datagram, as a packet of the longest length if the length is unknown. */
    int writeBeginning(Datagram datagram) {
        return write(datagram, beginningLength(datagram) - datagram.headerLength);
    }

    /** The length that the header of {@link #writeBeginning} states, in bytes. */
    static int beginningLength(Datagram datagram) {
        if (datagram.payloadLength != Datagram.UNKNOWN) {
            return datagram.headerLength + datagram.payloadLength;
        }
        return datagram.version == 4 ? MAX_LENGTH : Ipv6View.LENGTH + MAX_LENGTH;
    }

    /**
     * Writes the header of a complete datagram to the buffer and lists its bytes by reference: the header in the
     * buffer, the payload in the fragments. Returns its length up to the first byte that was not captured.
     */
    int list(Datagram datagram, CompositeBuffer to) {
        writeHeader(datagram, datagram.payloadLength);
        to.clear();
        to.append(buffer(), 0, datagram.headerLength, pool.frameNumber(datagram.headerBlock));
        long position = 0;
        for (int block = datagram.payload.first();
                block != BlockPool.NONE && !pool.isAbsent(block) && pool.start(block) == position;
                block = pool.next(block)) {
            position += pool.length(block);
            to.append(pool.segment(block), pool.offset(block), pool.length(block), pool.frameNumber(block));
        }
        return (int) to.length();
    }

    /** As {@link #writeAtomic}, but by reference; the packet must not be in the buffer. */
    int listAtomic(FragmentView fragment, MemorySegment segment, long offset, long frameNumber, CompositeBuffer to) {
        MemorySegment out = buffer();
        int header = fragment.headerLength();
        MemorySegment.copy(segment, offset, out, 0, header);
        finishV6(out, header, fragment.payloadWireLength(), fragment.nextHeaderField(), fragment.nextHeader());
        to.clear();
        to.append(out, 0, header, frameNumber);
        to.append(segment, offset + fragment.payloadStart(), fragment.payloadLength(), frameNumber);
        return header + fragment.payloadLength();
    }

    private int write(Datagram datagram, int payloadLength) {
        writeHeader(datagram, payloadLength);
        MemorySegment out = buffer();
        int length = datagram.headerLength;
        int block = datagram.payload.first();
        long position = 0;
        while (block != BlockPool.NONE && !pool.isAbsent(block) && pool.start(block) == position) {
            position += pool.length(block);
            MemorySegment.copy(pool.segment(block), pool.offset(block), out, length, pool.length(block));
            length += pool.length(block);
            block = pool.next(block);
        }
        return length;
    }

    private void writeHeader(Datagram datagram, int payloadLength) {
        MemorySegment out = buffer();
        int length = datagram.headerLength;
        MemorySegment.copy(pool.segment(datagram.headerBlock), pool.offset(datagram.headerBlock), out, 0, length);
        if (datagram.version == 4) {
            finishV4(out, length, payloadLength);
        } else {
            finishV6(out, length, payloadLength, datagram.nextHeaderField, datagram.nextHeader);
        }
    }

    /**
     * Writes an IPv6 packet that is the first and the last fragment at once. The packet may itself be in the buffer,
     * behind another header: copies move towards the start and may overlap their source.
     */
    int writeAtomic(FragmentView fragment, MemorySegment segment, long offset) {
        MemorySegment out = buffer();
        int header = fragment.headerLength();
        MemorySegment.copy(segment, offset, out, 0, header);
        MemorySegment.copy(segment, offset + fragment.payloadStart(), out, header, fragment.payloadLength());
        finishV6(out, header, fragment.payloadWireLength(), fragment.nextHeaderField(), fragment.nextHeader());
        return header + fragment.payloadLength();
    }

    private static void finishV4(MemorySegment out, int headerLength, int payloadLength) {
        NetworkOrder.putU16(out, Ipv4View.TOTAL_LENGTH, headerLength + payloadLength);
        // keeps the reserved bit and "don't fragment"
        NetworkOrder.putU16(out, Ipv4View.FLAGS_OFFSET, NetworkOrder.u16(out, Ipv4View.FLAGS_OFFSET) & 0xc000);
        NetworkOrder.putU16(out, Ipv4View.CHECKSUM, InternetChecksum.ofIpv4Header(out, 0, headerLength));
    }

    private static void finishV6(
            MemorySegment out, int headerLength, int payloadLength, int nextHeaderField, int nextHeader) {
        NetworkOrder.putU16(out, Ipv6View.PAYLOAD_LENGTH, headerLength - Ipv6View.LENGTH + payloadLength);
        NetworkOrder.putU8(out, nextHeaderField, nextHeader);
    }
}
