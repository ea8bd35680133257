package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Copies the options of pcapng blocks into another file, which may be of the other byte order. Numbers are then
 * converted according to what draft-ietf-opsawg-pcapng says of each code. Options of unknown codes, whose values may or
 * may not be numbers, are left out.
 *
 * <p>Passes through the options twice: for their length, which precedes them in a block, and to write them.
 */
final class PcapNgOptionCopy {
    private static final int PACKET_HASH = 3;
    private static final int PACKET_DROP_COUNT = 4;
    private static final int PACKET_VERDICT = 7;
    static final int CUSTOM_TEXT_NOT_COPIED = 19372;
    static final int CUSTOM_BYTES_NOT_COPIED = 19373;
    private static final int CUSTOM_TEXT = 2988;
    private static final int CUSTOM_BYTES = 2989;

    /** How a value is composed. */
    private enum Form {
        BYTES,
        U32,
        U64,
        /** 64 bits, upper half first. */
        TIME,
        /** A byte for the kind, followed by bytes or a 64-bit number. */
        VERDICT,
        /** A 32-bit number, the vendor, followed by bytes. */
        CUSTOM,
        NOT_KNOWN
    }

    private final CaptureOutput output;
    private final CopyRules rules;
    private final PcapNgOptionsView options = new PcapNgOptionsView();
    private long leftOut;

    PcapNgOptionCopy(CaptureOutput output, CopyRules rules) {
        this.output = output;
        this.rules = rules;
    }

    /**
     * Returns the options left out so far, by the rules or because their byte order could not be converted; the hashes
     * of changed packets do not count.
     */
    long leftOut() {
        return leftOut;
    }

    /**
     * Returns the bytes that the options of a block will take, including their end; 0 if there are none.
     *
     * @param isChanged whether the packet was changed, so that its hash is left out
     * @param added the bytes of options that {@link #write} will add
     */
    int length(PcapNgBlockView block, boolean isChanged, int added) {
        int sum = added;
        block.options(options);
        while (options.next()) {
            if (isCopied(block, isChanged)) {
                sum += 4 + (int) PcapNgBlock.padded(options.length());
            }
        }
        return sum == 0 ? 0 : sum + 4;
    }

    /** Returns whether the rules leave out any of a block's options. */
    boolean hasUncopied(PcapNgBlockView block) {
        block.options(options);
        while (options.next()) {
            if (!rules.keepsOption(block.type(), options.code())) {
                return true;
            }
        }
        return false;
    }

    private boolean isCopied(PcapNgBlockView block, boolean isChanged) {
        int code = options.code();
        if (isStaleHash(block, isChanged, code) || !rules.keepsOption(block.type(), code)) {
            return false;
        }
        return block.order() == output.order() || form(block.type(), code) != Form.NOT_KNOWN;
    }

    private static boolean isStaleHash(PcapNgBlockView block, boolean isChanged, int code) {
        return isChanged && code == PACKET_HASH && block.isPacket();
    }

    /** Writes the options that {@link #length} counted, without their end. */
    void write(PcapNgBlockView block, boolean isChanged) {
        boolean isTurned = block.order() != output.order();
        block.options(options);
        while (options.next()) {
            if (!isCopied(block, isChanged)) {
                leftOut += isStaleHash(block, isChanged, options.code()) ? 0 : 1;
                continue;
            }
            output.putU16(options.code());
            output.putU16(options.length());
            if (isTurned) {
                turn(form(block.type(), options.code()));
            } else {
                output.put(options.segment(), options.offset(), options.length());
            }
            output.pad(options.length());
        }
    }

    /**
     * As {@link #write}, but into memory, in the block's own byte order, and with the end of the options if there are
     * any.
     *
     * @return the offset of their end in the target
     */
    int copy(PcapNgBlockView block, MemorySegment target, int start) {
        int at = start;
        block.options(options);
        while (options.next()) {
            if (!rules.keepsOption(block.type(), options.code())) {
                leftOut++;
            } else {
                int length = 4 + (int) PcapNgBlock.padded(options.length());
                long room = block.offset() + block.length() - PcapNgBlock.TRAILER - (options.offset() - 4);
                MemorySegment.copy(options.segment(), options.offset() - 4, target, at, Math.min(length, room));
                at += length;
            }
        }
        if (at > start) {
            target.asSlice(at, 4).fill((byte) 0);
            at += 4;
        }
        return at;
    }

    private void turn(Form form) {
        int length = options.length();
        int done = 0;
        if (form == Form.U32 && length >= 4 || form == Form.CUSTOM && length >= 4) {
            output.putU32(options.u32());
            done = 4;
        } else if (form == Form.U64 && length >= 8) {
            output.putBits64(options.bits64());
            done = 8;
        } else if (form == Form.TIME && length >= 8) {
            output.putU32(options.timestampUnits() >>> 32);
            output.putU32(options.timestampUnits());
            done = 8;
        } else if (form == Form.VERDICT && length == 9 && options.u8() > 0) {
            output.put(options.segment(), options.offset(), 1);
            output.putBits64(Long.reverseBytes(options.segment()
                    .get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(output.order()), options.offset() + 1)));
            done = 9;
        }
        output.put(options.segment(), options.offset() + done, length - done);
    }

    private static Form form(int type, int code) {
        if (code == PcapNgOptionsView.COMMENT) {
            return Form.BYTES;
        }
        if (code == CUSTOM_TEXT
                || code == CUSTOM_BYTES
                || code == CUSTOM_TEXT_NOT_COPIED
                || code == CUSTOM_BYTES_NOT_COPIED) {
            return Form.CUSTOM;
        }
        return switch (type) {
            case PcapNgBlock.SECTION_HEADER, PcapNgBlock.NAME_RESOLUTION -> code <= 4 ? Form.BYTES : Form.NOT_KNOWN;
            case PcapNgBlock.INTERFACE_DESCRIPTION -> ofInterface(code);
            case PcapNgBlock.ENHANCED_PACKET, PcapNgBlock.OBSOLETE_PACKET -> ofPacket(code);
            case PcapNgBlock.INTERFACE_STATISTICS -> code <= 3 ? Form.TIME : code <= 8 ? Form.U64 : Form.NOT_KNOWN;
            default -> Form.NOT_KNOWN;
        };
    }

    private static Form ofInterface(int code) {
        return switch (code) {
            // names, addresses, if_tsresol, if_filter, if_os, if_fcslen, if_hardware, if_iana_tzname
            case 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 15, 18 -> Form.BYTES;
            case 10 -> Form.U32; // if_tzone
            case 8, 14, 16, 17 -> Form.U64; // if_speed, if_tsoffset, if_txspeed, if_rxspeed
            default -> Form.NOT_KNOWN;
        };
    }

    private static Form ofPacket(int code) {
        return switch (code) {
            case PACKET_HASH -> Form.BYTES;
            case 2, 6 -> Form.U32; // epb_flags, epb_queue
            case PACKET_DROP_COUNT, 5, 8 -> Form.U64; // epb_packetid, epb_processid_threadid
            case PACKET_VERDICT -> Form.VERDICT;
            default -> Form.NOT_KNOWN;
        };
    }

    /** Returns the bytes of the option that {@link #writeDrops} writes. */
    static int dropsLength(PcapNgBlockView block) {
        return block.drops() < 0 ? 0 : 12;
    }

    /** Writes the drops of an obsolete packet as the option that an enhanced packet has for them. */
    void writeDrops(PcapNgBlockView block) {
        if (block.drops() >= 0) {
            output.putU16(PACKET_DROP_COUNT);
            output.putU16(Long.BYTES);
            output.putBits64(block.drops());
        }
    }

    /** Returns the byte order of the output. */
    ByteOrder order() {
        return output.order();
    }
}
