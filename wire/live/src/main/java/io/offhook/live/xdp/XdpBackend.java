package io.offhook.live.xdp;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveInterface;
import io.offhook.live.LiveSource;
import io.offhook.live.RehearsedRing;
import io.offhook.packet.LinkType;
import java.util.Set;
import java.util.function.Function;

/** The backend for AF_XDP, which takes packets away from this machine: {@link XdpSource}. */
public final class XdpBackend implements CaptureBackend {
    /** The name of this backend. */
    public static final String NAME = "xdp";

    /** Creates the backend, as {@link java.util.ServiceLoader} does; nothing native is loaded yet. */
    public XdpBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 300;
    }

    @Override
    public Set<CaptureFeature> features() {
        return Set.of(CaptureFeature.IDLE_STRATEGY);
    }

    @Override
    public long mostBufferBytes() {
        return XdpOptions.MAX_MEMORY;
    }

    @Override
    public Availability on(NetworkDevice device) {
        return survey().apply(device);
    }

    @Override
    public Function<NetworkDevice, Availability> survey() {
        Availability kernel = XdpRedirect.availability();
        Set<Integer> taken = NetworkDevice.withXdpProgram();
        return device -> {
            if (!kernel.isUsable()) {
                return kernel;
            }
            if (LiveInterface.linkType(device) != LinkType.ETHERNET) {
                return Availability.without("its frames are not those of Ethernet");
            }
            return taken.contains(device.index())
                    ? Availability.without("it has an XDP program already")
                    : LiveInterface.ifUp(device);
        };
    }

    /** {@inheritDoc} It waits for the start: until then, packets go on to this machine's network stack. */
    @Override
    public LiveSource open(CaptureRequest request) {
        request.checkFor(this);
        try {
            return XdpSource.openHeld(options(request), request.filter());
        } catch (FilterException e) {
            throw new CaptureRefusedException(LinkType.ETHERNET, e);
        } catch (LinuxException | IllegalArgumentException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }

    private static XdpOptions options(CaptureRequest request) {
        return XdpOptions.of(request.name())
                .withSnapLength(request.snapLength())
                .withPromiscuous(request.reception().isPromiscuous())
                .withMemory(request.bufferBytes())
                .withIdleStrategy(request.idleStrategy());
    }

    @Override
    public RehearsedRing rehearse(CaptureRequest request) {
        try {
            return new XdpRehearsal(options(request));
        } catch (LinuxException | IllegalArgumentException e) {
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }
}
