package io.offhook.bench.forwarding;

/** What is done to packets, and between which devices. */
enum ForwardingKind {
    /** Addresses swapped, between rings: the packets stay the same, and go round. */
    L2_RING("L2, rings"),
    /** A look-up by longest prefix, time to live, checksum, new addresses; between rings. */
    L3_RING("L3, rings"),
    /** Addresses swapped, between devices that make packets and forget them: mbufs are taken and freed all the time. */
    L2_NULL("L2, null devices");

    /** As in the report. */
    final String words;

    ForwardingKind(String words) {
        this.words = words;
    }
}
