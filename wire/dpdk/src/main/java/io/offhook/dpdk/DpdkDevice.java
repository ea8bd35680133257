package io.offhook.dpdk;

import io.offhook.linux.network.NetworkDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a device name stands for: the argument for EAL, and the size of its frames.
 *
 * @param argument the argument for {@link Eal#add}; null if the port exists
 * @param port the number of an existing port
 * @param dataBytes the data bytes of an mbuf
 * @param longestFrame the longest frame in bytes that its driver does not truncate
 * @param interfaceIndex the index of the kernel interface behind it; 0 if there is none
 */
record DpdkDevice(@Nullable String argument, int port, int dataBytes, int longestFrame, int interfaceIndex) {
    private static final Pattern PCI =
            Pattern.compile("(\\p{XDigit}{4,8}:)?\\p{XDigit}{2}:\\p{XDigit}{2}\\.\\p{XDigit}(,.*)?");
    private static final Pattern PORT = Pattern.compile("dpdk:(\\d{1,3})");
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int DEFAULT_BYTES = 2048;
    /** The bytes that net_af_packet's ring needs for a frame besides the packet, with a VLAN tag. */
    private static final int RING_HEADER_BYTES = 80;

    private static final int LEAST_FRAME = 2048;
    /** Whole pages, because the driver assumes no gap after a block's last frame; and it must fit the largest mbuf. */
    private static final int LARGEST_FRAME = 15 * 4096;

    private static final int PAGE = 4096;
    /** The header, the headroom, and what a pool keeps for each mbuf. */
    private static final int MBUF_OVERHEAD = 384;
    /** The memory for everything except mbufs. */
    private static final int QUEUES_MIB = 128;

    /** @param descriptors the number of frames in the ring of a kernel interface */
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

    /** Returns DPDK's name of the device: {@code net_ring0}; for PCI with the domain, {@code 0000:03:00.0}. */
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

    /** Returns the bytes per packet in the ring of a kernel interface: a power of two, or the maximum. */
    static int frameBytes(int mtu) {
        int least =
                Math.max(LEAST_FRAME, Math.min(mtu, LARGEST_FRAME) + EthdevLayout.FRAME_OVERHEAD + RING_HEADER_BYTES);
        int frame = Integer.highestOneBit(least - 1) << 1;
        return Math.min(frame, LARGEST_FRAME);
    }

    /** Returns the memory in bytes of a pool with this number of mbufs. */
    long poolBytes(int mbufs) {
        return (long) mbufs * (dataBytes + MBUF_OVERHEAD);
    }

    /**
     * Returns the options to start EAL with, if it is not running: PCI is searched only if a network card is captured
     * from, and then with huge pages, which cards need.
     *
     * @param devices all devices to capture from
     * @param poolBytes the {@linkplain #poolBytes memory} of all their pools; the same is reserved again for later
     *     captures
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
        return options.withMemoryMib((int) Math.max(options.memory().mib(), mib));
    }
}
