package io.offhook.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The UDP sockets of one thread. All methods belong to this thread, except {@link #wakeUp} and {@link #counters}. The thread
 * runs a loop:
 *
 * <pre>{@code
 * while (running) {
 *     lane.await(nanoseconds until the next timer);
 *     lane.receive(handler);
 *     // the mailbox, the timers
 *     lane.flush();
 * }
 * }</pre>
 */
public interface DatagramLane extends AutoCloseable {
    /**
     * Opens a lane with a socket a listener. For several lanes that share their addresses, see {@link DatagramSockets#open}.
     *
     * @throws IOException if an address cannot be bound
     */
    static DatagramLane open(List<DatagramListener> listeners, DatagramOptions options) throws IOException {
        return DatagramSockets.open(1, listeners, options).lanes().getFirst();
    }

    /** The number of sockets, one for each listener, in their order. */
    int socketCount();

    /** The address that a socket is bound to, with the port that the system chose if 0 was asked for. */
    InetSocketAddress localAddress(int socket);

    /**
     * Delivers what has arrived, without waiting: at most a burst a socket, so that none is starved, and errors of datagrams
     * that were sent. If the handler throws, the exception is passed on, and the rest of the burst is delivered by the next
     * call.
     *
     * @return the number of datagrams delivered
     */
    int receive(DatagramHandler handler);

    /**
     * When the datagram at hand arrived, as {@link System#nanoTime} counts; for {@link DatagramHandler#datagram}, while it
     * runs. With Linux's own interface it is the kernel's time stamp, so the wait in the socket counts. Where {@link
     * #stampsArrivals} is false, it is when {@link #receive} was called: what a datagram waited before cannot be seen.
     */
    long arrivalNs();

    /** Whether the system reports when the datagrams of all sockets arrived. */
    boolean stampsArrivals();

    /**
     * Copies a datagram into the batch of its socket, to be sent by {@link #flush}, or at once if the batch is full.
     *
     * @param socket the index of the socket
     * @param octets holds the datagram
     * @param offset where it begins
     * @param length its length in bytes, from 0
     * @param to the destination, of the family of the socket
     * @return false if it cannot be sent: it is too long, of another family, or the system takes nothing and the batch is full;
     *     counted in {@link DatagramCounters#refused}
     */
    default boolean send(int socket, byte[] octets, int offset, int length, DatagramAddress to) {
        return send(socket, octets, offset, length, to, null);
    }

    /**
     * As above, from a chosen address.
     *
     * @param from the local address that the answer is sent from, on a socket that is bound to the wildcard: the one that a
     *     request was sent to. Null, and where the system has no such option, for one that the system chooses
     */
    boolean send(int socket, byte[] octets, int offset, int length, DatagramAddress to, @Nullable DatagramAddress from);

    /**
     * Sends the batches of all sockets. What the system has no room for is kept for the next call, which {@link #await} then
     * does not delay by more than a millisecond.
     *
     * @return the number of datagrams sent
     */
    int flush();

    /**
     * Waits until a socket has something, or {@link #wakeUp}, or the timeout. Returns at once if {@link #wakeUp} was called
     * since the last wait: so a thread that looks at its mailbox and then waits misses nothing.
     *
     * @param timeoutNs the timeout in nanoseconds; 0 or negative does not wait
     * @return whether a socket is known to have something; {@link #receive} finds it in any case
     */
    boolean await(long timeoutNs);

    /**
     * Ends the current wait, or the next one. Thread-safe, without a system call unless the lane sleeps; after the lane was
     * closed, without effect.
     */
    void wakeUp();

    /** What the lane has done so far. Thread-safe; figures of different moments may be a few datagrams apart. */
    DatagramCounters counters();

    /** Closes the sockets; datagrams that were not flushed are lost. */
    @Override
    void close();
}
