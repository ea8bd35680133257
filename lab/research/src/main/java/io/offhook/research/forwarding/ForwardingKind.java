package io.offhook.research.forwarding;

/** The processing of packets, and the devices. */
enum ForwardingKind {
    /** Addresses swapped, between rings: the same packets circulate. */
    L2_RING(0, "L2, rings"),
    /** A look-up by longest prefix, time to live, checksum, new addresses; between rings. */
    L3_RING(1, "L3, rings"),
    /** Addresses swapped, between devices that create and discard packets: mbufs are continuously allocated and freed. */
    L2_NULL(2, "L2, null devices");

    /** The number in forwarding.c. */
    final int number;

    /** The name in the report. */
    final String words;

    ForwardingKind(int number, String words) {
        this.number = number;
        this.words = words;
    }
}
