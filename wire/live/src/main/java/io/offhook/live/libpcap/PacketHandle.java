package io.offhook.live.libpcap;

import io.offhook.filter.BpfProgram;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What {@link LibpcapDriver} needs of an open {@code pcap_t}: its properties, and its current packet. */
interface PacketHandle extends AutoCloseable {
    /** Returns the warnings from activating it. */
    List<String> warnings();

    /** Returns the descriptor for poll(2); -1 if the device has none. */
    int descriptor();

    /** Returns the link type as libpcap numbers it internally (DLT_...). */
    int dataLink();

    /** Lets libpcap, or the kernel on its behalf, drop packets that the program does not match. */
    void filter(BpfProgram program);

    /**
     * Moves to the next packet.
     *
     * @return 1, 0 if there is none now, or PCAP_ERROR...
     */
    int next();

    /** Returns the captured length of the current packet in bytes. */
    int capturedLength();

    /** Returns the wire length of the current packet in bytes. */
    int wireLength();

    /** Returns the time of the current packet in nanoseconds since the epoch. */
    long timestampNs();

    /** Copies the first bytes of the current packet. */
    void copyTo(MemorySegment target, long offset, int length);

    /** Returns the last error message. */
    String error();

    /** Reads the counters returned by the two methods below; returns false if the device has none. */
    boolean readStatistics();

    /** Returns the packets dropped for lack of buffer space, modulo 2^32. */
    int dropped();

    /** Returns the packets dropped by the interface or its driver, modulo 2^32, whoever they were for. */
    int droppedByInterface();

    @Override
    void close();
}
