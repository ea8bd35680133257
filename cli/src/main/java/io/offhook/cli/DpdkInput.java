package io.offhook.cli;

import io.offhook.dpdk.DpdkBackend;
import io.offhook.dpdk.DpdkException;
import io.offhook.dpdk.DpdkSource;
import io.offhook.dpdk.DpdkSourceOptions;
import io.offhook.dpdk.Eal;
import io.offhook.filter.FilterException;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveInterface;
import io.offhook.live.LiveSource;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device of {@code --backend dpdk}: an interface of the kernel, or what DPDK alone knows, which then stands among the
 * interfaces as if it were one. Nothing of it is loaded by other ways to capture.
 */
final class DpdkInput {
    /** IFF_UP of net/if.h. */
    private static final int UP = 1;
    /** Of an mbuf, with its header and headroom. */
    private static final int MBUF_BYTES = 2304;

    private static final int MIN_MBUFS = 1023;
    private static final int MAX_MBUFS = (1 << 24) - 1;

    private DpdkInput() {}

    /**
     * Starts DPDK for all devices that are captured from, before the first is opened: it learns only then which network cards
     * it may have.
     *
     * @param known the interfaces of the kernel
     * @throws MisuseException where that fails, or one of them cannot be captured from
     */
    static void start(LiveOptions options, List<LiveInterface> known) {
        List<DpdkSourceOptions> all = new ArrayList<>();
        for (String name : options.interfaces()) {
            all.add(wanted(name, options, kernelDevice(name, known)));
        }
        try {
            DpdkSource.startEal(all);
        } catch (DpdkException | IllegalArgumentException e) {
            throw new MisuseException("-i " + String.join(" -i ", options.interfaces()) + ": " + e.getMessage());
        }
    }

    /** The interface of the kernel of that name, which works; null where there is none. */
    private static @Nullable NetworkDevice kernelDevice(String name, List<LiveInterface> known) {
        for (LiveInterface one : known) {
            if (one.device().name().equals(name)) {
                return LiveInput.usable(DpdkBackend.with(one), DpdkBackend.NAME);
            }
        }
        return null;
    }

    private static DpdkSourceOptions wanted(String name, LiveOptions options, @Nullable NetworkDevice device) {
        int mbufs = Math.clamp(options.bufferBytes() / MBUF_BYTES, MIN_MBUFS, MAX_MBUFS);
        DpdkSourceOptions wanted = DpdkSourceOptions.of(name)
                .withSnapLength(options.snapLength())
                .withPromiscuous(options.isPromiscuous())
                .withMbufs(mbufs)
                .withIdleStrategy(options.idleStrategy());
        return device == null ? wanted : wanted.withRing(options.bufferBytes(), device.mtu());
    }

    /**
     * Begins to capture.
     *
     * @param known the interfaces of the kernel
     * @param devices gets it
     * @param notes gets what one must know of it
     * @throws MisuseException where it cannot be captured from: why, and what would help
     */
    static LiveSource open(
            String name,
            LiveOptions options,
            List<LiveInterface> known,
            List<NetworkDevice> devices,
            List<String> notes) {
        NetworkDevice device = kernelDevice(name, known);
        DpdkSourceOptions wanted = wanted(name, options, device);
        try {
            DpdkSource source = DpdkSource.open(wanted, options.filter());
            devices.add(device == null ? device(name, source) : device);
            notes.add(name + ": " + Eal.version() + ", " + source.port().info().driverName()
                    + "; times are taken by Offhook, once a burst");
            if (device != null) {
                notes.add(name + ": the ring that the kernel fills has room for "
                        + Decimals.grouped(wanted.rxDescriptors()) + " packets, 32,768 at the most");
            }
            if (source.longestFrameBytes() < options.snapLength()) {
                notes.add(name + ": frames of more than " + Decimals.grouped(source.longestFrameBytes())
                        + " bytes are cut, as those are that offloads merge; ethtool -K " + name
                        + " gro off gso off tso off keeps them from it");
            }
            return source;
        } catch (FilterException e) {
            throw FrameFilter.misuse(options.filter(), LinkType.ETHERNET, e);
        } catch (DpdkException | IllegalArgumentException e) {
            throw new MisuseException("-i " + name + ": " + e.getMessage());
        }
    }

    private static NetworkDevice device(String name, DpdkSource source) {
        return new NetworkDevice(
                name,
                0,
                NetworkDevice.ETHERNET,
                UP,
                source.port().mtu(),
                MacAddress.text(source.port().macAddress()),
                List.of(),
                "unknown");
    }
}
