package io.offhook.transport;

/** Receives the datagrams of a {@link DatagramLane}, on its thread. */
public interface DatagramHandler {
    /**
     * Called for each datagram. Array and addresses are reused: they are valid, and may be changed, until the method returns.
     *
     * @param socket the index of the socket in its lane
     * @param octets holds the datagram from its beginning
     * @param length the length of the datagram in bytes, from 0
     * @param from where it came from
     * @param to the local address that it was sent to; where the system does not report it, the address that the socket is
     *     bound to
     */
    void datagram(int socket, byte[] octets, int length, DatagramAddress from, DatagramAddress to);

    /**
     * Called when the system reports that a datagram to an address did not arrive: an ICMP error, or a datagram that was
     * accepted by {@link DatagramLane#send} and that the system then refused. Nothing says which datagram it was.
     *
     * @param socket the index of the socket in its lane
     * @param to where the datagram was sent; reused
     * @param errno the error as errno.h numbers it: ECONNREFUSED is 111 on Linux; 0 if unknown
     */
    default void failed(int socket, DatagramAddress to, int errno) {}
}
