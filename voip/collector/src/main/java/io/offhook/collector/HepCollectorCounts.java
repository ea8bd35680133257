package io.offhook.collector;

/**
 * What a collector has not delivered, or has closed, by cause, since it was opened.
 *
 * @param notHep datagrams that are not HEP
 * @param malformed packets whose lengths or content do not fit; counted here only if there is a key, otherwise by who
 *     decodes them
 * @param wrongKey packets without the authentication key, or with another one
 * @param tooLong packets longer than fits behind an IP header: 65,507 bytes over IPv4, 65,527 over IPv6
 * @param keepAlives packets without content, by which agents keep their connection alive; counted here only if there is a
 *     key, otherwise by who decodes them
 * @param connections what became of connections
 * @param socketDrops datagrams that the kernel dropped because the buffer of a socket was full
 * @param waits times that a transport waited for room: connections then wait too, and datagrams wait in their socket
 */
public record HepCollectorCounts(
        long notHep,
        long malformed,
        long wrongKey,
        long tooLong,
        long keepAlives,
        Connections connections,
        long socketDrops,
        long waits) {

    /**
     * What became of connections over TCP and TLS.
     *
     * @param accepted those that were accepted
     * @param refused those that were refused, because too many were open, or the system had no room
     * @param notHep those closed because what came is not HEP 3, or has an impossible length
     * @param slow those closed because a packet, or the handshake of TLS, was not complete in time
     * @param tlsFailed those with which no TLS could be agreed on, or whose TLS was damaged
     */
    public record Connections(long accepted, long refused, long notHep, long slow, long tlsFailed) {}

    /** Packets that came and were not delivered. */
    public long refused() {
        return notHep + malformed + wrongKey + tooLong;
    }
}
