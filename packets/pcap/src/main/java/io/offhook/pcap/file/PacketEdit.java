package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;

/** Edits packets on their way from one capture file to another. One thread calls it for each packet in turn. */
@FunctionalInterface
public interface PacketEdit {

    /**
     * Examines a packet and may change it.
     *
     * @return whether to write it
     */
    boolean edit(EditedPacket packet);

    /**
     * Returns whether to write a pcapng block that is not a packet: names, statistics, secrets, custom and unknown
     * ones. Not called for section headers and interface descriptions, without which packets cannot be read.
     *
     * @param block valid until this returns
     */
    default boolean keepsBlock(PcapNgBlockView block) {
        return true;
    }

    /**
     * Returns whether to write a pcapng option. Leaving out the resolution (9, if_tsresol) or offset (14, if_tsoffset)
     * of an interface changes the times of its packets.
     *
     * @param blockType the type of its block: see {@link PcapNgBlock}
     */
    default boolean keepsOption(int blockType, int code) {
        return true;
    }

    /** Returns whether no further packet is wanted, so that reading can end; called after each packet. */
    default boolean isDone() {
        return false;
    }
}
