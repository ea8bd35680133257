package io.offhook.live;

/**
 * {@code linux/if_packet.h}: packet(7), its ring of version 3 to receive and of version 2 to send, or to receive frame by
 * frame. Numbers are in the byte order of the machine, where nothing else is said; a test holds sizes and offsets against
 * the C compiler's.
 *
 * <pre>
 *   block                                           packet in a block
 *   +--------------------------------+ 0            +--------------------------------+ 0
 *   | version, offset to private     |              | offset of the next, seconds    |
 *   | status, packets                | 8            | nanoseconds, captured length   | 8
 *   | offset of the first, bytes     | 16           | wire length, status            | 16
 *   | sequence number (64)           | 24           | MAC offset, network offset (16)| 24
 *   | times of the first, the last   | 32           | hash, VLAN tag, TPID           | 28
 *   +--------------------------------+ 48           +--------------------------------+ 48
 *                                                   | sockaddr_ll                    |
 *                                                   +--------------------------------+ 68
 *                                                   ... the frame, from the MAC offset on
 * </pre>
 */
final class IfPacket {
    static final int AF_PACKET = 17;
    static final int SOCK_RAW = 3;
    static final int ETH_P_ALL = 3;

    static final int SOL_SOCKET = 1;
    static final int SO_ERROR = 4;
    static final int SO_SNDBUF = 7;
    static final int SO_ATTACH_FILTER = 26;
    static final int SO_DETACH_FILTER = 27;
    /** As SO_SNDBUF, beyond the limit of net.core.wmem_max; needs CAP_NET_ADMIN. */
    static final int SO_SNDBUFFORCE = 32;

    static final int MSG_DONTWAIT = 0x40;

    static final int SOL_PACKET = 263;
    static final int PACKET_ADD_MEMBERSHIP = 1;
    static final int PACKET_RX_RING = 5;
    static final int PACKET_STATISTICS = 6;
    static final int PACKET_VERSION = 10;
    static final int PACKET_RESERVE = 12;
    static final int PACKET_TX_RING = 13;
    static final int PACKET_TIMESTAMP = 17;
    static final int PACKET_FANOUT = 18;
    static final int PACKET_QDISC_BYPASS = 20;
    static final int PACKET_IGNORE_OUTGOING = 23;
    static final int PACKET_MR_PROMISC = 1;
    static final int PACKET_MR_ALLMULTI = 2;
    static final int PACKET_FANOUT_HASH = 0;
    static final int PACKET_FANOUT_CPU = 2;
    static final int PACKET_FANOUT_QM = 5;
    static final int PACKET_FANOUT_FLAG_UNIQUEID = 0x2000;
    static final int PACKET_FANOUT_FLAG_DEFRAG = 0x8000;
    static final int TPACKET_V2 = 1;
    static final int TPACKET_V3 = 2;

    /** struct sockaddr_ll: family (16), protocol (16, big-endian), interface (32), hardware type (16), packet type (8). */
    static final int ADDRESS_BYTES = 20;

    static final int ADDRESS_PROTOCOL = 2;
    static final int ADDRESS_INTERFACE = 4;

    static final int ADDRESS_PACKET_TYPE = 10;
    /** Packet type of what this machine sends. */
    static final int PACKET_OUTGOING = 4;

    /** struct packet_mreq: interface (32), type (16), address. */
    static final int MEMBERSHIP_BYTES = 16;

    static final int MEMBERSHIP_TYPE = 4;

    /** struct tpacket_req3: block size, blocks, frame size, frames, time to retire a block in ms, private, features. */
    static final int REQUEST_BYTES = 28;

    /** struct tpacket_stats_v3: packets (with those dropped), drops, times the queue froze. Reading sets them to 0. */
    static final int STATISTICS_BYTES = 12;

    static final int STATISTICS_DROPS = 4;
    static final int STATISTICS_FREEZES = 8;

    /** struct tpacket_block_desc. */
    static final int BLOCK_STATUS = 8;

    static final int BLOCK_PACKETS = 12;
    static final int BLOCK_FIRST = 16;

    static final int TP_STATUS_KERNEL = 0;
    static final int TP_STATUS_USER = 1;
    static final int TP_STATUS_VLAN_VALID = 0x10;
    static final int TP_STATUS_VLAN_TPID_VALID = 0x40;
    static final int TP_STATUS_TS_RAW_HARDWARE = 1 << 31;

    /** Of linux/net_tstamp.h: the time that the network card gave, as it gave it. */
    static final int SOF_TIMESTAMPING_RAW_HARDWARE = 1 << 6;

    /** struct tpacket3_hdr, and the struct sockaddr_ll behind it. */
    static final int PACKET_NEXT = 0;

    static final int PACKET_SECONDS = 4;
    static final int PACKET_NANOSECONDS = 8;
    static final int PACKET_CAPTURED = 12;
    static final int PACKET_WIRE = 16;
    static final int PACKET_STATUS = 20;
    static final int PACKET_MAC = 24;
    static final int PACKET_VLAN_TCI = 32;
    static final int PACKET_VLAN_TPID = 36;
    static final int PACKET_HEADER_BYTES = 48;

    /** struct tpacket_req: block size, blocks, frame size, frames. */
    static final int SEND_REQUEST_BYTES = 16;

    /** Of a slot to send from: it is ours; it is to be sent; the network card has it; the kernel does not take it. */
    static final int TP_STATUS_AVAILABLE = 0;

    static final int TP_STATUS_SEND_REQUEST = 1;
    static final int TP_STATUS_SENDING = 2;
    static final int TP_STATUS_WRONG_FORMAT = 4;

    /** struct tpacket2_hdr: status, length of the frame (32 each), and more that is for receiving; then the frame. */
    static final int SLOT_STATUS = 0;

    static final int SLOT_LENGTH = 4;
    static final int SLOT_FRAME = 32;

    /** For receiving: captured length, MAC offset (16), time, VLAN tag (16 each); a sockaddr_ll is behind, the frame is told. */
    static final int SLOT_CAPTURED = 8;

    static final int SLOT_MAC = 12;
    static final int SLOT_SECONDS = 16;
    static final int SLOT_NANOSECONDS = 20;
    static final int SLOT_VLAN_TCI = 24;
    static final int SLOT_VLAN_TPID = 26;

    /** The checksum of TCP or UDP was left to a network card that the packet never came by. */
    static final int TP_STATUS_CSUMNOTREADY = 8;

    /** struct sock_fprog: instructions (16), address of the first. */
    static final int FILTER_PROGRAM_BYTES = 16;

    static final int FILTER_PROGRAM_ADDRESS = 8;

    private IfPacket() {}
}
