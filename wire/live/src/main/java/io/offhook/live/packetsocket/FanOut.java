package io.offhook.live.packetsocket;

import io.offhook.live.engine.IfPacket;

/** How the packets are distributed among the sources of a group: PACKET_FANOUT of packet(7). */
public enum FanOut {
    /**
     * By the hash of addresses and ports, symmetric: all packets of a flow, in both directions, go to one source. For
     * fragments only the addresses count, so they may go to another one.
     */
    HASH(IfPacket.PACKET_FANOUT_HASH),
    /**
     * As {@link #HASH}, but the kernel reassembles IPv4 fragments first, so that they stay with their flow. The
     * captured frame is then the whole datagram, longer than the MTU, with the time of the fragment that completed it.
     * Fragments of datagrams that are never completed are neither captured nor counted (except in {@code IpReasmFails}
     * of {@code nstat}). IPv6 is hashed as in {@link #HASH}.
     */
    HASH_DEFRAGMENTED(IfPacket.PACKET_FANOUT_HASH | IfPacket.PACKET_FANOUT_FLAG_DEFRAG),
    /** By the processor on which the kernel received the packet: source n gets those of processors n, n + count... */
    CPU(IfPacket.PACKET_FANOUT_CPU),
    /** By the queue of the network card: source n gets those of queues n, n + count... */
    QUEUE(IfPacket.PACKET_FANOUT_QM);

    private final int type;

    FanOut(int type) {
        this.type = type;
    }

    /** Returns PACKET_FANOUT_... with its flags. */
    int type() {
        return type;
    }
}
