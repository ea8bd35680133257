package io.offhook.doctor;

/**
 * A place where packets are lost, with counters.
 *
 * @param cause why packets are lost
 * @param subject where: an interface, a socket with its owner, or a processor; empty for the whole machine
 * @param counters the names of the kernel's counters
 * @param total packets lost since the counter began
 * @param grown packets lost between two looks
 * @param waiting the current length of the queue: bytes of a socket, connections of an accept queue, packets
 *     of a queueing discipline; 0 if unknown
 * @param limit the longest length of the queue; 0 if unknown
 */
public record Loss(Cause cause, String subject, String counters, long total, long grown, long waiting, long limit) {
    /** The same loss with another growth. */
    Loss withGrown(long packets) {
        return new Loss(cause, subject, counters, total, packets, waiting, limit);
    }

    /** Why packets are lost. */
    public enum Cause {
        /** The receive buffer of a UDP socket was full. */
        SOCKET("the socket's receive buffer was full"),
        /** The receive buffer of a packet socket without a ring was full: a sniffer lost them, the network did not. */
        PACKET_SOCKET("the packet socket's receive buffer was full"),
        /** Receive buffers of UDP sockets were full. */
        UDP_RECEIVE("receive buffers of UDP sockets were full"),
        /** Send buffers of UDP sockets were full. */
        UDP_SEND("send buffers of UDP sockets were full"),
        /** All memory that UDP may have was in use. */
        UDP_MEMORY("the memory of UDP was used up"),
        /** Datagrams with wrong checksums: they were damaged. */
        UDP_CHECKSUM("UDP checksums were wrong"),
        /** The backlog of a processor was full. */
        BACKLOG("the processor's backlog was full"),
        /** One flow filled the backlog. */
        FLOW_LIMIT("one flow filled the processor's backlog"),
        /** The receive ring of the card was full. */
        CARD("the card's receive ring was full"),
        /** The driver or the kernel dropped received packets. */
        INTERFACE_RECEIVE("driver or kernel dropped what came in"),
        /** The driver or the kernel dropped packets to be sent. */
        INTERFACE_SEND("driver or kernel dropped what was to go out"),
        /** The send queue was full. */
        QUEUEING("the queue that packets leave by was full"),
        /** The connection tracking table was full. */
        CONNTRACK("the connection table was full"),
        /** The reverse path filter: the route to the sender uses another interface. */
        REVERSE_PATH("reverse path filter"),
        /** Fragments that did not form whole packets. */
        REASSEMBLY("IP fragments did not become packets"),
        /** A watched listening socket had no room for a connection, as its program did not accept others in time. */
        ACCEPT_QUEUE("the accept queue was full"),
        /** More connections arrived than a program accepted. */
        LISTEN("a listening socket's queue was full");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** The cause as part of a sentence. */
        public String words() {
            return words;
        }
    }
}
