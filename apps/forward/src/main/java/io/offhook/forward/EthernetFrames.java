package io.offhook.forward;

/** Offsets and constants of Ethernet frames. */
public final class EthernetFrames {
    /** Bytes of the header without VLAN tags. */
    public static final int HEADER = 14;
    /** With two VLAN tags. */
    public static final int MAX_HEADER = HEADER + 8;

    /** Where the destination address starts, in bytes from the start of the frame. */
    public static final int DESTINATION = 0;
    /** Where the source address starts, in bytes from the start of the frame. */
    public static final int SOURCE = 6;
    /** Where the EtherType stands, or the first VLAN tag, in bytes from the start of the frame. */
    public static final int TYPE = 12;

    /** EtherType of IPv4. */
    public static final int IPV4 = 0x0800;
    /** EtherType of ARP. */
    public static final int ARP = 0x0806;
    /** EtherType of IPv6. */
    public static final int IPV6 = 0x86dd;

    /** The broadcast address, ff:ff:ff:ff:ff:ff, as a number of 48 bits. */
    public static final long BROADCAST = 0xffff_ffff_ffffL;

    private EthernetFrames() {}

    /**
     * Whether an address is that of a group, which includes broadcast.
     *
     * @param linkAddress in the low 48 bits, its first byte highest
     */
    public static boolean isMulticast(long linkAddress) {
        return (linkAddress >>> 40 & 1) != 0;
    }

    /** Whether an EtherType is that of a VLAN tag: 0x8100, 0x88a8 or 0x9100. */
    public static boolean isTag(int etherType) {
        return etherType == 0x8100 || etherType == 0x88a8 || etherType == 0x9100;
    }
}
