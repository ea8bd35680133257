package io.offhook.live.packetsocket;

import io.offhook.live.engine.IfPacket;

/** How packets are shared out among the sources of a group: PACKET_FANOUT of packet(7). */
public enum FanOut {
    /**
     * By the hash of addresses and ports, the same for both directions: all packets of a flow come to one source. Of fragments
     * only addresses count, so they may come to another one.
     */
    HASH(IfPacket.PACKET_FANOUT_HASH),
    /**
     * As {@link #HASH}; the kernel puts fragments of IPv4 together before, so that they follow their flow. What is captured is
     * then the whole datagram in one frame, longer than the MTU, with the time of the fragment that completed it; fragments
     * of datagrams that are never complete are not captured and not counted (but in {@code IpReasmFails} of
     * {@code nstat}). IPv6 is hashed as in {@link #HASH}.
     */
    HASH_DEFRAGMENTED(IfPacket.PACKET_FANOUT_HASH | IfPacket.PACKET_FANOUT_FLAG_DEFRAG),
    /** By the processor that the kernel received the packet on: source n gets those of processor n, n + count... */
    CPU(IfPacket.PACKET_FANOUT_CPU),
    /** By the queue of the network card: source n gets those of queue n, n + count... */
    QUEUE(IfPacket.PACKET_FANOUT_QM);

    private final int type;

    FanOut(int type) {
        this.type = type;
    }

    /** PACKET_FANOUT_... with its flags. */
    int type() {
        return type;
    }
}
