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
 * The packets that come in by a port of DPDK, polled. Frames lie in the mbufs that the device wrote them to, which a batch
 * keeps until it is handed in again; packets of several mbufs are copied together. The filter runs here. A VLAN tag that the
 * device took out is put back.
 *
 * <p>Times are taken here, once a burst of at most 64 packets, by the machine's clock; only net_pcap gives those of its file.
 * What other machines get of a network card that DPDK has, the kernel does not see any more.
 *
 * <p>Of an interface of the kernel, frames that are longer than its MTU, as offloads make them by merging packets, are cut
 * by net_af_packet to {@link #longestFrameBytes}, and nothing tells how long they were. One source of a process can have such an interface,
 * for all sockets of net_af_packet on it are a group, of which each packet comes to one.
 *
 * <p>EAL is started where it was not, and goes on running. The thread that calls {@link #next} is registered with it, until
 * the source has ended or that thread closes it. A port that was there before is the source's then, which closes it.
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
     * Starts EAL for several sources, where it was not started: a process can do so once, and the first source alone would
     * start it without the network cards that others want, and with memory for itself.
     *
     * @param all what is to be {@linkplain #open opened} then, one or more
     * @throws DpdkException where DPDK is missing, or cannot be started
     * @throws IllegalArgumentException where there is no such device
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
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws DpdkException where DPDK is missing, cannot be started, or refuses the device, or a port of this process has it already
     * @throws FilterException where the expression is none
     * @throws IllegalArgumentException where there is no such device
     */
    public static DpdkSource open(DpdkSourceOptions options, String expression) {
        DpdkLibraries.require();
        PacketFilter filter = PacketFilter.of(expression, LinkType.ETHERNET);
        DpdkDevice device = DpdkDevice.of(options.device(), options.rxDescriptors());
        Eal eal = Eal.runningOrStarted(DpdkDevice.ealOptions(List.of(device), device.poolBytes(options.mbufs())));
        EthPort other = device.interfaceIndex() == 0 ? null : eal.onInterface(device.interfaceIndex());
        if (other != null) {
            throw new DpdkException(other + " is on " + options.device()
                    + " already, and net_af_packet would give each packet to one of both only; close it first");
        }
        String argument = device.argument();
        EthPort port = argument == null ? eal.port(device.port()) : eal.add(argument);
        if (port.isStarted()) {
            throw new DpdkException(port + " is in use already, which one can have only; stop it first");
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

    /** Packets that were copied so far, for they lay in several mbufs; on the thread that calls {@link #next}. */
    public long copiedPackets() {
        return driver.copied();
    }

    /** The longest frame that is certain to be captured whole; {@link Integer#MAX_VALUE} where the driver cuts none. */
    public int longestFrameBytes() {
        return driver.longestFrame();
    }

    /** The port that it captures from, for its link, MAC address and statistics. */
    public EthPort port() {
        return driver.port();
    }

    /** What it receives into. */
    Mempool pool() {
        return driver.pool();
    }
}
