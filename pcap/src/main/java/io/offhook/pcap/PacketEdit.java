package io.offhook.pcap;

/** What becomes of packets on their way from one capture file to another. Asked of one after the other, by one thread. */
@FunctionalInterface
public interface PacketEdit {

    /**
     * Looks at a packet, and may change it.
     *
     * @return whether it is to be written
     */
    boolean edit(EditedPacket packet);

    /** Whether no further packet is wanted, so that reading can end; asked after each. */
    default boolean isDone() {
        return false;
    }
}
