package io.offhook.dpdk;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveSource;
import io.offhook.live.packetsocket.PacketSocketBackend;
import io.offhook.packet.LinkType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The backend for DPDK: {@link DpdkSource}. For a kernel interface it creates a net_af_packet device, which needs
 * neither huge pages nor a driver of its own; network cards that DPDK drives itself are not kernel interfaces: {@link
 * PciCard}.
 */
public final class DpdkBackend implements CaptureBackend {
    /** The name of this backend. */
    public static final String NAME = "dpdk";

    /** The bytes of an mbuf, including header and headroom. */
    private static final int MBUF_BYTES = 2304;

    private static final int MIN_MBUFS = 1023;
    private static final int MAX_MBUFS = (1 << 24) - 1;

    /** Creates the backend, as {@link java.util.ServiceLoader} does; nothing native is loaded yet. */
    public DpdkBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 100;
    }

    @Override
    public Set<CaptureFeature> features() {
        return Set.of(CaptureFeature.IDLE_STRATEGY);
    }

    @Override
    public Availability on(NetworkDevice device) {
        return survey().apply(device);
    }

    /** {@inheritDoc} Searches for DPDK's libraries. */
    @Override
    public Function<NetworkDevice, Availability> survey() {
        String missing = DpdkLibraries.missing();
        if (missing != null) {
            Availability without = Availability.without(missing, DpdkLibraries.remedy());
            return device -> without;
        }
        // the driver has sockets of AF_PACKET
        return on(new PacketSocketBackend().survey());
    }

    /** @param packetSocket whether AF_PACKET works on an interface */
    static Function<NetworkDevice, Availability> on(Function<NetworkDevice, Availability> packetSocket) {
        return device -> {
            int hardware = device.hardwareType();
            return hardware != NetworkDevice.ETHERNET && hardware != NetworkDevice.LOOPBACK
                    ? Availability.without("its frames are not those of Ethernet")
                    : packetSocket.apply(device);
        };
    }

    /** {@inheritDoc} Network cards on PCI. */
    @Override
    public List<CaptureDevice> ownDevices() {
        return PciCard.all().stream().map(PciCard::device).toList();
    }

    /** {@inheritDoc} Any name: virtual devices, PCI addresses and ports are distinguished when they are opened. */
    @Override
    public boolean takes(String name) {
        return true;
    }

    private static DpdkSourceOptions options(CaptureRequest request) {
        DpdkSourceOptions options = DpdkSourceOptions.of(request.name())
                .withSnapLength(request.snapLength())
                .withPromiscuous(request.reception().isPromiscuous())
                .withMbufs(Math.clamp(request.bufferBytes() / MBUF_BYTES, MIN_MBUFS, MAX_MBUFS))
                .withIdleStrategy(request.idleStrategy());
        NetworkDevice device = NetworkDevice.named(request.name());
        return device == null ? options : options.withRing(request.bufferBytes(), device.mtu());
    }

    /** {@inheritDoc} A process can start EAL only once, and only that start defines which network cards it may use. */
    @Override
    public void prepare(List<CaptureRequest> all) {
        List<DpdkSourceOptions> options = new ArrayList<>();
        all.forEach(request -> options.add(options(request)));
        try {
            DpdkSource.startEal(options);
        } catch (DpdkException | LinuxException | IllegalArgumentException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }

    @Override
    public LiveSource open(CaptureRequest request) {
        request.checkFor(this);
        try {
            return DpdkSource.open(options(request), request.filter());
        } catch (FilterException e) {
            throw new CaptureRefusedException(LinkType.ETHERNET, e);
        } catch (DpdkException | LinuxException | IllegalArgumentException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }
}
