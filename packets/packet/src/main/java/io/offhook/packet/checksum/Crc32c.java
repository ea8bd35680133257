package io.offhook.packet.checksum;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.SctpView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The cyclic redundancy check with Castagnoli's polynomial, as SCTP has it (RFC 9260, appendix A), iSCSI and others.
 *
 * <p>In SCTP's header its bytes stand lowest first: {@link #sctp} gives the 32 bits as the field reads in network
 * order.
 */
public final class Crc32c {
    private static final VarHandle U32_LITTLE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final int POLYNOMIAL = 0x82f6_3b78; // bits reflected
    private static final int SCTP_CHECKSUM = 8;
    private static final int[] TABLE = tables();

    private Crc32c() {}

    /** Eight tables of 256: what a byte becomes when so many others follow it. */
    private static int[] tables() {
        int[] tables = new int[8 * 256];
        for (int i = 0; i < 256; i++) {
            int crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) != 0 ? POLYNOMIAL : 0);
            }
            tables[i] = crc;
        }
        for (int i = 256; i < tables.length; i++) {
            int crc = tables[i - 256];
            tables[i] = crc >>> 8 ^ tables[crc & 0xff];
        }
        return tables;
    }

    /** Of {@code length} bytes. */
    public static int of(MemorySegment segment, long offset, long length) {
        return ~update(-1, segment, offset, length);
    }

    /** What the checksum field of an SCTP packet should hold, whatever it holds, as an unsigned number of 32 bits. */
    public static long sctp(MemorySegment segment, long offset, long length) {
        int crc = update(-1, segment, offset, SCTP_CHECKSUM);
        crc = zeros(crc, 4);
        crc = update(crc, segment, offset + SctpView.LENGTH, length - SctpView.LENGTH);
        return Integer.reverseBytes(~crc) & 0xffff_ffffL;
    }

    /** The register after more bytes; it starts as ones and is inverted at the end. */
    static int update(int register, MemorySegment segment, long offset, long length) {
        int crc = register;
        long at = offset;
        long end = offset + length;
        int[] table = TABLE;
        for (; end - at >= 8; at += 8) {
            int low = crc ^ (int) U32_LITTLE.get(segment, at);
            int high = (int) U32_LITTLE.get(segment, at + 4);
            crc = table[7 * 256 + (low & 0xff)]
                    ^ table[6 * 256 + (low >>> 8 & 0xff)]
                    ^ table[5 * 256 + (low >>> 16 & 0xff)]
                    ^ table[4 * 256 + (low >>> 24)]
                    ^ table[3 * 256 + (high & 0xff)]
                    ^ table[2 * 256 + (high >>> 8 & 0xff)]
                    ^ table[256 + (high >>> 16 & 0xff)]
                    ^ table[high >>> 24];
        }
        for (; at < end; at++) {
            crc = next(crc, NetworkOrder.u8(segment, at));
        }
        return crc;
    }

    /** The register after a byte. */
    public static int next(int register, int value) {
        return register >>> 8 ^ TABLE[(register ^ value) & 0xff];
    }

    /** The register after so many bytes of 0. */
    public static int zeros(int register, long length) {
        int crc = register;
        for (long i = 0; i < length; i++) {
            crc = next(crc, 0);
        }
        return crc;
    }
}
