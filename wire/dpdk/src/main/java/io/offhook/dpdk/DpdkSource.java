package io.offhook.dpdk;

import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.live.DrivenSource;
import io.offhook.live.RingSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Captures the packets that a DPDK port receives, by polling. Frames are in the mbufs that the device wrote them to,
 * which a batch borrows until it is filled again; packets that span several mbufs are copied. The filter runs in this
 * process. A VLAN tag that the device removed is put back.
 *
 * <p>Timestamps are taken here, once per burst of at most 64 packets, from the machine's clock; only net_pcap uses
 * those of its file. The kernel no longer sees packets of a network card that DPDK drives.
 *
 * <p>On a kernel interface, net_af_packet truncates frames longer than the MTU, as offloads create them by merging
 * packets, to {@link #longestFrameBytes} without recording their length. Only one source of a process can use such an
 * interface, because all sockets of net_af_packet on it form a group, in which each packet goes to one of them.
 *
 * <p>EAL is started if necessary, and keeps running. The thread that calls {@link #next} is registered with it until
 * the source has ended or that thread closes it. An existing port belongs to the source from then on and is closed with
 * it.
 */
public final class DpdkSource implements DrivenSource {
    private static final AtomicInteger NEXT_POOL = new AtomicInteger();
    private static final int CACHE = 256;
    private final DpdkDriver driver;
    private final RingSource ring;

    private DpdkSource(DpdkDriver driver, DpdkSourceOptions options) {
        this.driver = driver;
        ring = new RingSource(driver, options.idleStrategy());
    }

    /**
     * Starts EAL for several sources if it is not running: a process can start it only once, and the first source alone
     * would start it without the network cards of the others, and with memory for itself only.
     *
     * @param all the options of all sources to {@linkplain #open open} afterwards, at least one
     * @throws DpdkException if DPDK is missing or cannot be started
     * @throws IllegalArgumentException if a device does not exist
     */
    public static void startEal(List<DpdkSourceOptions> all) {
        DpdkLibraries.require();
        Eal.runningOrStarted(ealOptions(all));
    }

    static EalOptions ealOptions(List<DpdkSourceOptions> all) {
        List<DpdkDevice> devices = new ArrayList<>();
        long poolBytes = 0;
        for (DpdkSourceOptions options : all) {
            DpdkDevice device = DpdkDevice.of(options.device(), options.rxDescriptors());
            devices.add(device);
            poolBytes += device.poolBytes(options.mbufs());
        }
        return DpdkDevice.ealOptions(devices, poolBytes);
    }

    /**
     * Starts to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws DpdkException if DPDK is missing, cannot be started or refuses the device, or a port of this process uses
     *     it already
     * @throws FilterException if the expression is invalid
     * @throws IllegalArgumentException if the device does not exist
     */
    public static DpdkSource open(DpdkSourceOptions options, String expression) {
        DpdkLibraries.require();
        PacketFilter filter = PacketFilter.of(expression, LinkType.ETHERNET);
        DpdkDevice device = DpdkDevice.of(options.device(), options.rxDescriptors());
        Eal eal = Eal.runningOrStarted(DpdkDevice.ealOptions(List.of(device), device.poolBytes(options.mbufs())));
        EthPort other = device.interfaceIndex() == 0 ? null : eal.onInterface(device.interfaceIndex());
        if (other != null) {
            throw new DpdkException(other + " is on " + options.device()
                    + " already, and net_af_packet would deliver each packet to only one of the two; close it first");
        }
        String argument = device.argument();
        EthPort port = argument == null ? eal.port(device.port()) : eal.add(argument);
        if (port.isStarted()) {
            throw new DpdkException(port + " is in use already, and only one source can use it; stop it first");
        }
        Mempool pool = null;
        try {
            pool = eal.mempool("offhook-" + NEXT_POOL.getAndIncrement(), options.mbufs(), CACHE, device.dataBytes());
            port.start(
                    EthPortOptions.ofQueues(1, 1)
                            .withDescriptors(options.rxDescriptors(), 64)
                            .withPromiscuous(options.isPromiscuous()),
                    pool);
            return new DpdkSource(new DpdkDriver(options, device.longestFrame(), eal, port, pool, filter), options);
        } catch (RuntimeException e) {
            DpdkDriver.end(port, pool);
            throw e;
        }
    }

    @Override
    public RingSource ring() {
        return ring;
    }

    @Override
    public boolean next(FrameBatch batch) {
        driver.checkOpen();
        return ring.next(batch);
    }

    @Override
    public void release(FrameBatch batch) {
        driver.checkOpen();
        ring.release(batch);
    }

    /**
     * Returns the packets copied so far because they spanned several mbufs; to be called on the thread that calls
     * {@link #next}.
     */
    public long copiedPackets() {
        return driver.copied();
    }

    /**
     * Returns the longest frame in bytes that is certain to be captured whole; {@link Integer#MAX_VALUE} if the driver
     * truncates none.
     */
    public int longestFrameBytes() {
        return driver.longestFrame();
    }

    /** Returns the port that it captures from, for its link, MAC address and statistics. */
    public EthPort port() {
        return driver.port();
    }

    /** Returns the pool that it receives into. */
    Mempool pool() {
        return driver.pool();
    }
}
