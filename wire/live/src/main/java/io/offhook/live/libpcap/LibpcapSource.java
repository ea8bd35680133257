package io.offhook.live.libpcap;

import io.offhook.filter.FilterException;
import io.offhook.live.DrivenSource;
import io.offhook.live.IdleStrategy;
import io.offhook.live.RingSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets of whatever libpcap can capture from: {@code any}, USB, Bluetooth, wireless in monitor mode. Whatever version is
 * installed does, from 1.5 on; nothing of it is shipped. Nothing here needs Linux, but it was never run on another system.
 *
 * <p>libpcap keeps a packet only until it is asked for the next one, so each is copied, once, into memory of the batch that
 * it is handed over in. On Linux AF_PACKET does without, and is to be preferred for network interfaces.
 *
 * <p>The filter is compiled here and not by libpcap: the language is the same for all ways to capture, and an expression
 * means what it means on a file. libpcap or the kernel leave out what they can, and each packet that comes is asked once
 * more: of one with a VLAN tag the kernel cannot decide.
 *
 * <p>Counters: {@code ringDrops} is libpcap's ps_drop. {@code kernelDrops} is its ps_ifdrop since the source was opened:
 * drops of the interface or its driver, whoever the packets were for, on Linux and where else the system tells them.
 * ps_recv is not used, as each system counts something else by it (before or after the filter, with drops or without);
 * received is what was handed over, filtered or dropped, and what still waits in libpcap is in none of them.
 */
public final class LibpcapSource implements DrivenSource {
    private final LibpcapHandle handle;
    private final RingSource ring;

    private LibpcapSource(LibpcapOptions options, LibpcapHandle handle, String expression) {
        this.handle = handle;
        ring = new RingSource(new LibpcapDriver(options, handle, expression), IdleStrategy.PARK);
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws LibpcapException where libpcap is not installed, or refuses: why, in its words
     * @throws FilterException where the expression is none
     */
    public static LibpcapSource open(LibpcapOptions options, String expression) {
        LibpcapHandle handle = LibpcapHandle.open(options);
        try {
            return new LibpcapSource(options, handle, expression);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    /** The version that is installed, as it says itself; null where none is. */
    public static @Nullable String version() {
        return Pcap.isInstalled() ? Pcap.version() : null;
    }

    /** What libpcap warned of when it was opened: no promiscuous mode, say. Capturing goes on. */
    public List<String> warnings() {
        return handle.warnings();
    }

    @Override
    public RingSource ring() {
        return ring;
    }
}
