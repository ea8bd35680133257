package io.offhook.live;

/**
 * The receive ring of version 2 in {@code linux/if_packet.h}: a slot a frame, handed over one by one, at once; that of
 * version 3 waits until a block is full or its time is over. Numbers are in the byte order of the machine.
 *
 * <pre>
 *   +--------------------------------+ 0
 *   | status, wire length            |
 *   | captured length, MAC offset,   | 8
 *   |   network offset (16 each)     |
 *   | seconds, nanoseconds           | 16
 *   | VLAN tag, TPID (16), padding   | 24
 *   +--------------------------------+ 32
 *   | sockaddr_ll, room, the frame from the MAC offset on
 * </pre>
 */
final class FrameRing {
    static final int TPACKET_V2 = 1;
    static final int PACKET_FANOUT = 18;
    static final int PACKET_FANOUT_HASH = 0;
    static final int PACKET_FANOUT_FLAG_UNIQUEID = 0x2000;

    /** struct tpacket_req: block size, blocks, frame size, frames. */
    static final int REQUEST_BYTES = 16;

    static final int STATUS = 0;
    static final int WIRE = 4;
    static final int CAPTURED = 8;
    static final int MAC = 12;
    static final int SECONDS = 16;
    static final int NANOSECONDS = 20;
    static final int VLAN_TCI = 24;
    static final int VLAN_TPID = 26;
    static final int HEADER_BYTES = 32;

    /** The checksum of TCP or UDP was left to a network card that it never came by. */
    static final int TP_STATUS_CSUMNOTREADY = 8;

    /** struct tpacket_stats: packets (with those dropped), drops. */
    static final int STATISTICS_BYTES = 8;

    private FrameRing() {}
}
