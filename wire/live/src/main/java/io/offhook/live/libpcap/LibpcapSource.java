package io.offhook.live.libpcap;

import io.offhook.filter.FilterException;
import io.offhook.live.DrivenSource;
import io.offhook.live.IdleStrategy;
import io.offhook.live.RingSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Captures from everything that libpcap supports: {@code any}, USB, Bluetooth, wireless in monitor mode. Any installed
 * version since 1.5 works; none is shipped. Nothing here needs Linux, but it was never run on another system.
 *
 * <p>libpcap keeps a packet only until the next one is requested, so each is copied once, into memory of its batch.
 * AF_PACKET needs no copy and is preferable for network interfaces on Linux.
 *
 * <p>Filters are compiled by this library instead of libpcap: the language is the same for all backends, and an
 * expression means the same as for a file. libpcap or the kernel drop what they can, and each remaining packet is
 * checked once more, because the kernel cannot decide on packets with a VLAN tag.
 *
 * <p>Counters: {@code ringDrops} is libpcap's ps_drop. {@code kernelDrops} is its ps_ifdrop since the source was
 * opened: drops of the interface or its driver, whoever the packets were for, on Linux and other systems that report
 * them. ps_recv is not used, because each system counts something else (before or after the filter, with or without
 * drops). {@code received} is the sum of delivered, filtered and dropped packets; packets still waiting in libpcap are
 * not included.
 */
public final class LibpcapSource implements DrivenSource {
    private final LibpcapHandle handle;
    private final RingSource ring;

    private LibpcapSource(LibpcapOptions options, LibpcapHandle handle, String expression) {
        this.handle = handle;
        ring = new RingSource(new LibpcapDriver(options, handle, expression), IdleStrategy.PARK);
    }

    /**
     * Starts to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws LibpcapException if libpcap is not installed, or refuses; the message has its reason
     * @throws FilterException if the expression is invalid
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

    /** Returns the version string of the installed libpcap; null if none is installed. */
    public static @Nullable String version() {
        return Pcap.isInstalled() ? Pcap.version() : null;
    }

    /** Returns libpcap's warnings from opening, such as missing promiscuous mode; the capture runs nevertheless. */
    public List<String> warnings() {
        return handle.warnings();
    }

    @Override
    public RingSource ring() {
        return ring;
    }
}
