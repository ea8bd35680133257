package io.offhook.dpdk;

import io.offhook.linux.network.NetworkDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a name on the command line stands for: EAL's arguments for it, and how long its frames are.
 *
 * @param argument for {@link Eal#add}; null where the port is there
 * @param port its number, where it is there
 * @param dataBytes of an mbuf
 * @param longestFrame in bytes, that its driver does not cut
 * @param interfaceIndex of the kernel's interface that it is; 0 where it is none
 */
record DpdkDevice(@Nullable String argument, int port, int dataBytes, int longestFrame, int interfaceIndex) {
    private static final Pattern PCI =
            Pattern.compile("(\\p{XDigit}{4,8}:)?\\p{XDigit}{2}:\\p{XDigit}{2}\\.\\p{XDigit}(,.*)?");
    private static final Pattern PORT = Pattern.compile("dpdk:(\\d{1,3})");
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int DEFAULT_BYTES = 2048;
    /** Of net_af_packet: what a frame of its ring has besides the packet, with a VLAN tag. */
    private static final int RING_HEADER_BYTES = 80;

    private static final int LEAST_FRAME = 2048;
    /** Whole pages, for the driver knows of no gap behind a block's last frame; and it must fit the largest mbuf. */
    private static final int LARGEST_FRAME = 15 * 4096;

    private static final int PAGE = 4096;
    /** Header, headroom, and what a pool has for each mbuf. */
    private static final int MBUF_OVERHEAD = 384;
    /** For all but mbufs. */
    private static final int QUEUES_MIB = 128;

    /** @param descriptors frames of the ring, of an interface of the kernel */
    static DpdkDevice of(String device, int descriptors) {
        var port = PORT.matcher(device);
        if (port.matches()) {
            return new DpdkDevice(null, Integer.parseInt(port.group(1)), DEFAULT_BYTES, Integer.MAX_VALUE, 0);
        }
        NetworkDevice kernel = NetworkDevice.named(device);
        if (kernel != null) {
            int frame = frameBytes(kernel.mtu());
            int block = (frame + PAGE - 1) / PAGE * PAGE;
            String argument = "net_af_packet_offhook" + NEXT.getAndIncrement() + ",iface=" + device + ",blocksz="
                    + block + ",framesz=" + frame + ",framecnt=" + descriptors / (block / frame) * (block / frame);
            return new DpdkDevice(
                    argument, -1, Math.min(frame, Mempool.MAX_DATA_BYTES), frame - RING_HEADER_BYTES, kernel.index());
        }
        if (!isPci(device) && !device.startsWith("net_")) {
            throw new IllegalArgumentException("there is no interface " + device
                    + "; DPDK takes one of the kernel's, a device such as net_tap0 or net_pcap0,rx_pcap=FILE,"
                    + " a PCI address such as 0000:03:00.0, or a port such as dpdk:0");
        }
        return new DpdkDevice(device, -1, DEFAULT_BYTES, Integer.MAX_VALUE, 0);
    }

    /** As DPDK calls the device: {@code net_ring0}; of PCI with its domain, {@code 0000:03:00.0}. */
    static String name(String device) {
        int comma = device.indexOf(',');
        String name = comma < 0 ? device : device.substring(0, comma);
        if (!isPci(name)) {
            return name;
        }
        String address = name.toLowerCase(Locale.ROOT);
        return address.indexOf(':') == address.lastIndexOf(':') ? "0000:" + address : address;
    }

    static boolean isPci(String device) {
        return PCI.matcher(device).matches();
    }

    /** Of the ring of an interface of the kernel, for each packet: a power of two, or the largest. */
    static int frameBytes(int mtu) {
        int least = Math.max(LEAST_FRAME, mtu + EthdevLayout.FRAME_OVERHEAD + RING_HEADER_BYTES);
        int frame = Integer.highestOneBit(least - 1) << 1;
        return Math.min(frame, LARGEST_FRAME);
    }

    /** Memory of so many mbufs for it. */
    long poolBytes(int mbufs) {
        return (long) mbufs * (dataBytes + MBUF_OVERHEAD);
    }

    /**
     * What EAL is started with, where it was not: network cards are looked for where one is wanted, and in huge pages, which
     * they need.
     *
     * @param devices all that are captured from
     * @param poolBytes of {@linkplain #poolBytes all} of them; there is room for as many of another capture
     */
    static EalOptions ealOptions(List<DpdkDevice> devices, long poolBytes) {
        List<String> cards = new ArrayList<>();
        for (DpdkDevice device : devices) {
            String argument = device.argument;
            if (argument != null && isPci(argument) && !cards.contains(argument)) {
                cards.add(argument);
            }
        }
        EalOptions options = cards.isEmpty()
                ? EalOptions.virtual()
                : EalOptions.hardware().withPciAllowed(cards.toArray(String[]::new));
        long mib = 2 * (poolBytes >> 20) + QUEUES_MIB;
        return options.withMemoryMib((int) Math.max(options.memoryMib(), mib));
    }
}
