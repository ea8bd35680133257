package io.offhook.research.forwarding;

/** What is done to packets, and between which devices. */
enum ForwardingKind {
    /** Addresses swapped, between rings: the packets stay the same, and go round. */
    L2_RING(0, "L2, rings"),
    /** A look-up by longest prefix, time to live, checksum, new addresses; between rings. */
    L3_RING(1, "L3, rings"),
    /** Addresses swapped, between devices that make packets and forget them: mbufs are taken and freed all the time. */
    L2_NULL(2, "L2, null devices");

    /** As forwarding.c numbers it. */
    final int number;

    /** As in the report. */
    final String words;

    ForwardingKind(int number, String words) {
        this.number = number;
        this.words = words;
    }
}
