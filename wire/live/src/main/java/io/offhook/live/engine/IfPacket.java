package io.offhook.live.engine;

/**
 * {@code linux/if_packet.h}: packet(7), with its rings: version 3 to receive, version 2 to send or to receive frame by
 * frame. Numbers are in native byte order unless stated otherwise; a test compares sizes and offsets with those of the
 * C compiler.
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
public final class IfPacket {
    /** Address family of packet sockets, of {@code sys/socket.h}. */
    public static final int AF_PACKET = 17;
    /** Socket type: frames with their link-layer header, of {@code sys/socket.h}. */
    public static final int SOCK_RAW = 3;
    /** Protocol: frames of every protocol, of {@code linux/if_ether.h}; big-endian in an address. */
    public static final int ETH_P_ALL = 3;

    /** Level of the options that all sockets have, of socket(7). */
    public static final int SOL_SOCKET = 1;
    /** Option: the pending error of the socket, an errno or 0; reading sets it to 0. */
    public static final int SO_ERROR = 4;
    /** Option: the size of the send buffer in bytes, at most net.core.wmem_max; the kernel doubles it. */
    public static final int SO_SNDBUF = 7;
    /** Option: attaches a classic BPF program, a struct sock_fprog, replacing the previous one. */
    public static final int SO_ATTACH_FILTER = 26;
    /** Option: detaches the BPF program. */
    public static final int SO_DETACH_FILTER = 27;
    /** As SO_SNDBUF, but not limited by net.core.wmem_max; needs CAP_NET_ADMIN. */
    public static final int SO_SNDBUFFORCE = 32;

    /** Flag of send(2) and recv(2): the call does not block, and fails with EAGAIN instead. */
    public static final int MSG_DONTWAIT = 0x40;

    /** Level of the options of packet sockets, packet(7). */
    public static final int SOL_PACKET = 263;

    public static final int PACKET_ADD_MEMBERSHIP = 1;
    /** Option: creates a receive ring from a struct tpacket_req or, in version 3, tpacket_req3. */
    public static final int PACKET_RX_RING = 5;
    /** Read-only option: what the socket received and dropped; in version 3 a struct tpacket_stats_v3. */
    public static final int PACKET_STATISTICS = 6;
    /** Option: the version of the ring, {@link #TPACKET_V2} or {@link #TPACKET_V3}; set before the ring. */
    public static final int PACKET_VERSION = 10;
    /** Option: the bytes that stay free in front of each received frame; set before the ring. */
    public static final int PACKET_RESERVE = 12;
    /** Option: creates a send ring from a struct tpacket_req. */
    public static final int PACKET_TX_RING = 13;
    /** Option: the source of the timestamps in the ring, such as {@link #SOF_TIMESTAMPING_RAW_HARDWARE}. */
    public static final int PACKET_TIMESTAMP = 17;
    /** Option: joins a group that shares packets: its number (low 16 bits), mode and flags (high 16 bits). */
    public static final int PACKET_FANOUT = 18;
    /** Option: 1 to send past the queueing discipline, straight to the driver. */
    public static final int PACKET_QDISC_BYPASS = 20;
    /** Option: 1 to receive nothing that this machine sends; since Linux 4.20. */
    public static final int PACKET_IGNORE_OUTGOING = 23;

    public static final int PACKET_MR_PROMISC = 1;
    public static final int PACKET_MR_ALLMULTI = 2;
    /** Mode of a group: by the hash of the flow, so that a flow stays with one socket. */
    public static final int PACKET_FANOUT_HASH = 0;
    /** Mode of a group: by the processor that the packet arrived on. */
    public static final int PACKET_FANOUT_CPU = 2;
    /** Mode of a group: by the receive queue of the network card on which the packet arrived. */
    public static final int PACKET_FANOUT_QM = 5;
    /** Flag of a group: the kernel creates a new one, with an unused number. */
    public static final int PACKET_FANOUT_FLAG_UNIQUEID = 0x2000;
    /** Flag of a group: IP fragments are reassembled before the hash is computed. */
    public static final int PACKET_FANOUT_FLAG_DEFRAG = 0x8000;
    /** Value of {@link #PACKET_VERSION}: slots of one frame each, struct tpacket2_hdr. */
    public static final int TPACKET_V2 = 1;
    /** Value of {@link #PACKET_VERSION}: blocks of several frames, struct tpacket3_hdr. */
    public static final int TPACKET_V3 = 2;

    /**
     * struct sockaddr_ll: family (16), protocol (16, big-endian), interface (32), hardware type (16), packet type (8).
     */
    public static final int ADDRESS_BYTES = 20;

    /** Offset of sll_protocol in struct sockaddr_ll (16 bits, big-endian). */
    public static final int ADDRESS_PROTOCOL = 2;
    /** Offset of sll_ifindex, the index of the interface, in struct sockaddr_ll (32 bits). */
    public static final int ADDRESS_INTERFACE = 4;

    /** Offset of sll_pkttype in struct sockaddr_ll (8 bits). */
    public static final int ADDRESS_PACKET_TYPE = 10;
    /** Packet type of packets that this machine sends. */
    public static final int PACKET_OUTGOING = 4;

    /** struct packet_mreq: interface (32), type (16), address. */
    public static final int MEMBERSHIP_BYTES = 16;

    public static final int MEMBERSHIP_TYPE = 4;

    /** struct tpacket_req3: block size, blocks, frame size, frames, block timeout in ms, private, features. */
    public static final int REQUEST_BYTES = 28;

    /**
     * struct tpacket_stats_v3: packets (including dropped ones), drops, times the queue froze. Reading resets them to
     * 0.
     */
    public static final int STATISTICS_BYTES = 12;

    /** Offset of tp_drops, the packets dropped, in struct tpacket_stats_v3 (32 bits). */
    public static final int STATISTICS_DROPS = 4;
    /** Offset of tp_freeze_q_cnt, the times the queue froze, in struct tpacket_stats_v3 (32 bits). */
    public static final int STATISTICS_FREEZES = 8;

    /** struct tpacket_block_desc. */
    public static final int BLOCK_STATUS = 8;

    /** Offset of num_pkts, the packets in the block, in struct tpacket_block_desc (32 bits). */
    public static final int BLOCK_PACKETS = 12;
    /** Offset of offset_to_first_pkt, in bytes from the start of the block, in struct tpacket_block_desc (32 bits). */
    public static final int BLOCK_FIRST = 16;

    /** Status of a block or a slot to receive: it belongs to the kernel. */
    public static final int TP_STATUS_KERNEL = 0;
    /** Bit of the status of a block or a slot to receive: the kernel has handed it over. */
    public static final int TP_STATUS_USER = 1;
    /** Bit of the status of a packet: its VLAN tag was removed, and the TCI is in the header. */
    public static final int TP_STATUS_VLAN_VALID = 0x10;
    /** Bit of the status of a packet: the TPID of its VLAN tag is in the header, too. */
    public static final int TP_STATUS_VLAN_TPID_VALID = 0x40;

    public static final int TP_STATUS_TS_RAW_HARDWARE = 1 << 31;

    /** Flag of linux/net_tstamp.h: the raw timestamp of the network card. */
    public static final int SOF_TIMESTAMPING_RAW_HARDWARE = 1 << 6;

    /** struct tpacket3_hdr, followed by a struct sockaddr_ll. */
    public static final int PACKET_NEXT = 0;

    /** Offset of tp_sec, the seconds of the time, in struct tpacket3_hdr (32 bits, unsigned). */
    public static final int PACKET_SECONDS = 4;
    /** Offset of tp_nsec, the nanoseconds within the second, in struct tpacket3_hdr (32 bits). */
    public static final int PACKET_NANOSECONDS = 8;
    /** Offset of tp_snaplen, the bytes captured, in struct tpacket3_hdr (32 bits). */
    public static final int PACKET_CAPTURED = 12;
    /** Offset of tp_len, the bytes on the wire, in struct tpacket3_hdr (32 bits). */
    public static final int PACKET_WIRE = 16;
    /** Offset of tp_status, bits such as {@link #TP_STATUS_VLAN_VALID}, in struct tpacket3_hdr (32 bits). */
    public static final int PACKET_STATUS = 20;
    /** Offset of tp_mac, the frame's offset from the start of the header, in struct tpacket3_hdr (16 bits). */
    public static final int PACKET_MAC = 24;
    /** Offset of hv1.tp_vlan_tci, the TCI of the VLAN tag, in struct tpacket3_hdr (32 bits). */
    public static final int PACKET_VLAN_TCI = 32;
    /** Offset of hv1.tp_vlan_tpid, the TPID of the VLAN tag, in struct tpacket3_hdr (16 bits). */
    public static final int PACKET_VLAN_TPID = 36;
    /** Size of struct tpacket3_hdr in bytes; the struct sockaddr_ll is at this offset. */
    public static final int PACKET_HEADER_BYTES = 48;

    /** struct tpacket_req: block size, blocks, frame size, frames. */
    public static final int SEND_REQUEST_BYTES = 16;

    /** Status of a slot to send from: it is free. */
    public static final int TP_STATUS_AVAILABLE = 0;

    /** Status of a slot to send from: it is filled and to be sent. */
    public static final int TP_STATUS_SEND_REQUEST = 1;
    /** Status of a slot to send from: the kernel has passed the frame to the driver, which is not done with it. */
    public static final int TP_STATUS_SENDING = 2;

    /** struct tpacket2_hdr: status, length of the frame (32 each), fields for receiving only; then the frame. */
    public static final int SLOT_STATUS = 0;

    /**
     * Offset of tp_len, the bytes to send, or the wire length of a received frame, in struct tpacket2_hdr (32 bits).
     */
    public static final int SLOT_LENGTH = 4;
    /**
     * Size of struct tpacket2_hdr in bytes: the offset of a frame to send, or of a received frame's struct sockaddr_ll.
     */
    public static final int SLOT_FRAME = 32;

    /**
     * When receiving: captured length, MAC offset (16), time, VLAN tag (16 each), followed by a sockaddr_ll; the frame
     * is at the MAC offset.
     */
    public static final int SLOT_CAPTURED = 8;

    /** Offset of tp_mac, the frame's offset from the start of the slot, in struct tpacket2_hdr (16 bits). */
    public static final int SLOT_MAC = 12;
    /** Offset of tp_sec, the seconds of the time, in struct tpacket2_hdr (32 bits, unsigned). */
    public static final int SLOT_SECONDS = 16;
    /** Offset of tp_nsec, the nanoseconds within the second, in struct tpacket2_hdr (32 bits). */
    public static final int SLOT_NANOSECONDS = 20;
    /** Offset of tp_vlan_tci, the TCI of the VLAN tag, in struct tpacket2_hdr (16 bits). */
    public static final int SLOT_VLAN_TCI = 24;
    /** Offset of tp_vlan_tpid, the TPID of the VLAN tag, in struct tpacket2_hdr (16 bits). */
    public static final int SLOT_VLAN_TPID = 26;

    /**
     * Bit of the status of a packet: its TCP or UDP checksum is partial; it was left to a network card that the packet
     * never passed.
     */
    public static final int TP_STATUS_CSUMNOTREADY = 8;

    /** struct sock_fprog: instructions (16), address of the first. */
    public static final int FILTER_PROGRAM_BYTES = 16;

    /** Offset of filter, the address of the first instruction, in struct sock_fprog (64 bits). */
    public static final int FILTER_PROGRAM_ADDRESS = 8;

    private IfPacket() {}
}
