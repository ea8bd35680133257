package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;

/** What becomes of packets on their way from one capture file to another. Asked of one after the other, by one thread. */
@FunctionalInterface
public interface PacketEdit {

    /**
     * Looks at a packet, and may change it.
     *
     * @return whether it is to be written
     */
    boolean edit(EditedPacket packet);

    /**
     * Whether a block of pcapng that holds no packet is written: names, statistics, secrets, custom and unknown ones. Not
     * asked of section headers and interface descriptions, without which packets cannot be read.
     *
     * @param block valid until this returns
     */
    default boolean keepsBlock(PcapNgBlockView block) {
        return true;
    }

    /**
     * Whether an option of pcapng is written. An interface whose resolution (9, if_tsresol) or offset (14, if_tsoffset) is
     * left out has other times.
     *
     * @param blockType what its block is: see {@link PcapNgBlock}
     */
    default boolean keepsOption(int blockType, int code) {
        return true;
    }

    /** Whether no further packet is wanted, so that reading can end; asked after each. */
    default boolean isDone() {
        return false;
    }
}
