package io.offhook.transport;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What a lane has done so far.
 *
 * @param received datagrams delivered
 * @param receivedOctets their bytes
 * @param truncated datagrams longer than the longest allowed, not delivered
 * @param receiveCalls system calls that delivered datagrams: {@code received / receiveCalls} is the size of a burst
 * @param receiveErrors system calls that failed for another reason than that nothing had arrived
 * @param sent datagrams that the system has taken
 * @param sentOctets their bytes
 * @param sendCalls system calls that took datagrams
 * @param postponed system calls that took nothing because there was no room; what was to be sent is kept for the next flush
 * @param refused datagrams that {@link DatagramLane#send} did not accept: no room was left, too long, or of another family
 * @param failures errors reported to {@link DatagramHandler#failed}
 * @param sendErrors datagrams that the system did not take, by errno
 * @param sockets the state of each socket
 */
public record DatagramCounters(
        long received,
        long receivedOctets,
        long truncated,
        long receiveCalls,
        long receiveErrors,
        long sent,
        long sentOctets,
        long sendCalls,
        long postponed,
        long refused,
        long failures,
        List<SendErrors> sendErrors,
        List<SocketState> sockets) {
    /**
     * Datagrams that the system did not take for one reason.
     *
     * @param errno as errno.h numbers it; 0 if unknown
     * @param count the datagrams
     */
    public record SendErrors(int errno, long count) {}

    /**
     * A socket of a lane.
     *
     * @param local the address that it is bound to
     * @param receiveBufferAsked the size asked for in bytes; 0 if none was
     * @param receiveBufferGiven the size that the system gave, in the same unit
     * @param waitingBytes the bytes that wait to be received, with the system's overhead: up to twice the buffer; -1 if unknown
     * @param drops datagrams that the system dropped since the socket is open, mostly because its buffer was full; -1 if unknown
     */
    public record SocketState(
            InetSocketAddress local, int receiveBufferAsked, int receiveBufferGiven, long waitingBytes, long drops) {}
}
