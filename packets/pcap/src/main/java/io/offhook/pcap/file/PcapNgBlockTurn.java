package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.nio.ByteOrder;

/**
 * Writes pcapng blocks into a section of either byte order, converting the numbers of known fields if necessary. Not
 * for packets and section headers.
 */
final class PcapNgBlockTurn {
    private final CaptureOutput output;
    private final PcapNgOptionCopy options;
    private final PcapNgOptionsView records = new PcapNgOptionsView();

    PcapNgBlockTurn(CaptureOutput output, PcapNgOptionCopy options) {
        this.output = output;
        this.options = options;
    }

    /**
     * Writes a block.
     *
     * @param interfaceId the number that the interface of a statistics block has in the section
     * @param added options to put before its own
     * @return false if nothing was written, because the block is malformed, or is of the other byte order and an
     *     unknown form
     */
    boolean write(PcapNgBlockView block, int interfaceId, PcapNgOptions added) {
        boolean isKnown = isKnown(block.type());
        ByteOrder order = output.order();
        if (!block.isSound() || !isKnown && block.order() != order) {
            return false;
        }
        int fixed = (int) (block.optionsOffset() - block.offset());
        int ofAdded = added.isEmpty() ? 0 : added.length() - 4;
        int ofOptions = options.length(block, false, ofAdded);
        int length = fixed + ofOptions + PcapNgBlock.TRAILER;
        output.endRecord();
        output.putU32(block.type());
        output.putU32(length);
        if (isKnown) {
            writeFixed(block, interfaceId);
        } else {
            output.put(block.segment(), block.offset() + PcapNgBlock.HEADER, fixed - PcapNgBlock.HEADER);
        }
        if (ofOptions > 0) {
            added.writeWithoutEnd(output);
            options.write(block, false);
            output.putU32(0);
        } else {
            options.write(block, false); // writes none, but counts them
        }
        output.putU32(length);
        return true;
    }

    /**
     * Returns whether the form of a block is known. Only its vendor knows where the data of a custom block ends and its
     * options begin.
     */
    private static boolean isKnown(int type) {
        return switch (type) {
            case PcapNgBlock.INTERFACE_DESCRIPTION,
                    PcapNgBlock.INTERFACE_STATISTICS,
                    PcapNgBlock.NAME_RESOLUTION,
                    PcapNgBlock.DECRYPTION_SECRETS -> true;
            default -> false;
        };
    }

    /** Writes the fields between the block's length and its options. */
    private void writeFixed(PcapNgBlockView block, int interfaceId) {
        switch (block.type()) {
            case PcapNgBlock.INTERFACE_DESCRIPTION -> {
                output.putU16(block.linkType());
                output.putU16(0);
                output.putU32(block.snapLength());
            }
            case PcapNgBlock.INTERFACE_STATISTICS -> {
                output.putU32(interfaceId);
                output.putU32(block.timestampUnits() >>> 32);
                output.putU32(block.timestampUnits());
            }
            case PcapNgBlock.NAME_RESOLUTION -> writeNames(block);
            default -> {
                output.putU32(block.secretsType());
                output.putU32(block.dataLength());
                output.put(block.segment(), block.dataOffset(), (int) PcapNgBlock.padded(block.dataLength()));
            }
        }
    }

    private void writeNames(PcapNgBlockView block) {
        long end = block.optionsOffset();
        long at = block.offset() + PcapNgBlock.HEADER;
        block.nameRecords(records);
        while (records.next()) {
            output.putU16(records.code());
            output.putU16(records.length());
            output.put(records.segment(), records.offset(), records.length());
            output.pad(records.length());
            at = records.offset() + PcapNgBlock.padded(records.length());
        }
        // the end of the records, if present
        for (; at < end; at += 4) {
            output.putU32(0);
        }
    }
}
