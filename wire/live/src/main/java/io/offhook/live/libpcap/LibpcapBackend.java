package io.offhook.live.libpcap;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRemedy;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveInterface;
import io.offhook.live.LiveSource;
import io.offhook.live.packetsocket.PacketSocketBackend;
import io.offhook.packet.LinkType;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The backend for libpcap, if it is installed: {@link LibpcapSource}. */
public final class LibpcapBackend implements CaptureBackend {
    /** The name of this backend. */
    public static final String NAME = "pcap";

    /** Creates the backend, as {@link java.util.ServiceLoader} does; nothing native is loaded yet. */
    public LibpcapBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 200;
    }

    @Override
    public Set<CaptureFeature> features() {
        return Set.of(CaptureFeature.MONITOR_MODE);
    }

    @Override
    public long mostBufferBytes() {
        return LibpcapOptions.MAX_BUFFER;
    }

    @Override
    public Availability on(NetworkDevice device) {
        return survey().apply(device);
    }

    /** {@inheritDoc} On Linux it needs the same as a packet socket. */
    @Override
    public Function<NetworkDevice, Availability> survey() {
        if (!Pcap.isInstalled()) {
            Availability missing = Availability.without(
                    "libpcap is not installed", new CaptureRemedy.Command("sudo apt-get install libpcap0.8"));
            return device -> missing;
        }
        Availability sockets = PacketSocketBackend.sockets();
        return device -> sockets.isUsable() ? LiveInterface.ifUp(device) : sockets;
    }

    /** {@inheritDoc} Empty if libpcap is not installed or cannot list them. */
    @Override
    public List<CaptureDevice> ownDevices() {
        try {
            Set<String> known =
                    NetworkDevice.all().stream().map(NetworkDevice::name).collect(Collectors.toSet());
            return LibpcapInterface.all().stream()
                    .filter(one -> !known.contains(one.name()))
                    .map(one -> CaptureDevice.of(one.name(), one.description(), one.availability()))
                    .toList();
        } catch (LibpcapException | LinuxException e) {
            return List.of();
        }
    }

    @Override
    public boolean takes(String name) {
        if (!Pcap.isInstalled()) {
            return false;
        }
        try {
            return LibpcapInterface.all().stream().anyMatch(one -> one.name().equals(name));
        } catch (LibpcapException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }

    @Override
    public LiveSource open(CaptureRequest request) {
        request.checkFor(this);
        try {
            LibpcapOptions options = LibpcapOptions.of(request.name())
                    .withSnapLength(request.snapLength())
                    .withPromiscuous(request.reception().isPromiscuous())
                    .withMonitor(request.reception().isMonitor())
                    .withBuffer(Math.toIntExact(request.bufferBytes()));
            return LibpcapSource.open(options, request.filter());
        } catch (FilterException e) {
            NetworkDevice device = NetworkDevice.named(request.name());
            throw new CaptureRefusedException(device == null ? LinkType.LINUX_SLL2 : LiveInterface.linkType(device), e);
        } catch (LibpcapException | LinuxException | IllegalArgumentException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }
}
