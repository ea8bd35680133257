package io.offhook.forward;

/** Where things are in an Ethernet frame, and what its numbers mean. */
final class EthernetFrames {
    static final int HEADER = 14;
    /** With two VLAN tags. */
    static final int MAX_HEADER = HEADER + 8;

    static final int DESTINATION = 0;
    static final int SOURCE = 6;
    static final int TYPE = 12;

    static final int IPV4 = 0x0800;
    static final int ARP = 0x0806;
    static final int IPV6 = 0x86dd;

    static final long BROADCAST = 0xffff_ffff_ffffL;

    private EthernetFrames() {}

    static boolean isMulticast(long linkAddress) {
        return (linkAddress >>> 40 & 1) != 0;
    }

    static boolean isTag(int etherType) {
        return etherType == 0x8100 || etherType == 0x88a8 || etherType == 0x9100;
    }
}
