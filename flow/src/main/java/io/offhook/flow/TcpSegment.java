package io.offhook.flow;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/** The TCP segment at hand. One for each table, filled anew for each packet. */
final class TcpSegment {
    private static final int SEQUENCE = 4;
    private static final int ACKNOWLEDGMENT = 8;
    private static final int FLAGS = 13;
    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int RST = 0x04;
    private static final int ACK = 0x10;

    MemorySegment memory = MemorySegment.NULL;
    long sourceHigh;
    long sourceLow;
    int sourcePort;
    long destinationHigh;
    long destinationLow;
    int destinationPort;
    int scope;
    /** The source is the lower one of the two endpoints: which of the connection's directions this is. */
    boolean upward;

    /** As in the header; a SYN takes this number and data begins at the next. */
    int sequence;

    int acknowledgment;
    int flags;
    long payload;
    /** Bytes of payload captured. */
    int length;
    /** Bytes of payload sent, {@link #length} or more. */
    int wireLength;

    long timestampNs;
    long frameNumber;

    void readHeader(MemorySegment memory, long offset) {
        this.memory = memory;
        sequence = NetworkOrder.bits32(memory, offset + SEQUENCE);
        acknowledgment = NetworkOrder.bits32(memory, offset + ACKNOWLEDGMENT);
        flags = NetworkOrder.u8(memory, offset + FLAGS);
    }

    boolean isSyn() {
        return (flags & SYN) != 0;
    }

    boolean isFin() {
        return (flags & FIN) != 0;
    }

    boolean isRst() {
        return (flags & RST) != 0;
    }

    boolean hasAcknowledgment() {
        return (flags & ACK) != 0;
    }

    /** Neither SYN, FIN nor RST: data and acknowledgments only. */
    boolean isOrdinary() {
        return (flags & (SYN | FIN | RST)) == 0;
    }

    /** The sequence number of the first byte of payload. */
    int dataSequence() {
        return isSyn() ? sequence + 1 : sequence;
    }

    /** The sequence number behind the last byte of payload: that of the FIN, if there is one. */
    int endSequence() {
        return dataSequence() + wireLength;
    }
}
