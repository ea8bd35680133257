package io.offhook.doctor;

/**
 * A place where packets get lost, and how many were.
 *
 * @param cause why
 * @param subject where: an interface, a socket and whose it is, a processor; empty for the whole machine
 * @param counters that tell of it, as the kernel names them
 * @param total packets, since the counter began
 * @param grown packets, between two looks
 * @param waiting in the queue now: bytes of a socket, packets of a queueing discipline; 0 where not told
 * @param limit that may wait; 0 where not told
 */
public record Loss(Cause cause, String subject, String counters, long total, long grown, long waiting, long limit) {
    /** With another number of packets between the two looks. */
    Loss withGrown(long packets) {
        return new Loss(cause, subject, counters, total, packets, waiting, limit);
    }

    /** Why packets get lost. */
    public enum Cause {
        /** The receive buffer of a UDP socket was full. */
        SOCKET("the socket's receive buffer was full"),
        /** The receive buffer of a packet socket without a ring was full: a sniffer lost them, and the network did not. */
        PACKET_SOCKET("the packet socket's receive buffer was full"),
        /** Receive buffers of UDP sockets were full. */
        UDP_RECEIVE("receive buffers of UDP sockets were full"),
        /** Send buffers of UDP sockets were full. */
        UDP_SEND("send buffers of UDP sockets were full"),
        /** All memory that UDP may have was in use. */
        UDP_MEMORY("the memory of UDP was used up"),
        /** Datagrams were damaged. */
        UDP_CHECKSUM("UDP checksums were wrong"),
        /** The backlog of a processor was full. */
        BACKLOG("the processor's backlog was full"),
        /** One flow filled the backlog. */
        FLOW_LIMIT("one flow filled the processor's backlog"),
        /** The card had no room for what came. */
        CARD("the card's receive ring was full"),
        /** The driver or the kernel dropped what came. */
        INTERFACE_RECEIVE("driver or kernel dropped what came in"),
        /** The driver or the kernel dropped what was to be sent. */
        INTERFACE_SEND("driver or kernel dropped what was to go out"),
        /** The queue that packets leave by was full. */
        QUEUEING("the queue that packets leave by was full"),
        /** The table of connections was full. */
        CONNTRACK("the connection table was full"),
        /** The sender would not be reached by the interface it came from. */
        REVERSE_PATH("reverse path filter"),
        /** Fragments did not become packets. */
        REASSEMBLY("IP fragments did not become packets"),
        /** More connections came than a program accepted. */
        LISTEN("a listening socket's queue was full");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** What happened, part of a sentence. */
        public String words() {
            return words;
        }
    }
}
