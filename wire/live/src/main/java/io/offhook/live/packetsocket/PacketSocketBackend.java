package io.offhook.live.packetsocket;

import io.offhook.filter.FilterException;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRemedy;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveInterface;
import io.offhook.live.LiveSource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The backend for AF_PACKET: {@link PacketSocketSource}. */
public final class PacketSocketBackend implements CaptureBackend {
    /** The name of this backend. */
    public static final String NAME = "afpacket";

    private static final int LARGEST_BLOCK = 1 << 20;
    private static final int SMALLEST_BLOCK = 64 << 10;
    private static final int MOST_BLOCKS = 1 << 16;
    /** The least number of blocks of a ring that is large enough: one is filled while others are read. */
    private static final int FEW_BLOCKS = 8;

    /** Creates the backend, as {@link java.util.ServiceLoader} does; nothing native is loaded yet. */
    public PacketSocketBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 400;
    }

    @Override
    public Set<CaptureFeature> features() {
        return Set.of(CaptureFeature.IDLE_STRATEGY, CaptureFeature.HARDWARE_CLOCK);
    }

    /** Returns whether this process can open packet sockets. */
    public static Availability sockets() {
        try {
            PacketRing.probe();
            return Availability.USABLE;
        } catch (LinuxException e) {
            String what = e.errno() == LinuxException.EPERM ? "capability CAP_NET_RAW is missing" : e.getMessage();
            return Availability.without(String.valueOf(what), new CaptureRemedy.Capabilities(List.of("CAP_NET_RAW")));
        }
    }

    @Override
    public Availability on(NetworkDevice device) {
        return survey().apply(device);
    }

    @Override
    public Function<NetworkDevice, Availability> survey() {
        Availability sockets = sockets();
        return device -> {
            if (!sockets.isUsable()) {
                return sockets;
            }
            return LiveInterface.linkType(device) < 0
                    ? Availability.without("frames of hardware type " + device.hardwareType() + " are not known")
                    : LiveInterface.ifUp(device);
        };
    }

    @Override
    public LiveSource open(CaptureRequest request) {
        request.checkFor(this);
        int block = LARGEST_BLOCK;
        while (block > SMALLEST_BLOCK && request.bufferBytes() / block < FEW_BLOCKS) {
            block /= 2;
        }
        try {
            PacketSocketOptions options = PacketSocketOptions.of(request.name())
                    .withSnapLength(request.snapLength())
                    .withPromiscuous(request.reception().isPromiscuous())
                    .withIdleStrategy(request.idleStrategy())
                    .withClock(request.clock())
                    .withRing(block, Math.clamp(request.bufferBytes() / block, 2, MOST_BLOCKS));
            return PacketSocketSource.open(options, request.filter());
        } catch (FilterException e) {
            throw new CaptureRefusedException(LiveInterface.linkType(PacketSocketSource.device(request.name())), e);
        } catch (LinuxException | IllegalArgumentException e) {
            // no memory for the ring, or the interface has just disappeared
            throw new CaptureRefusedException(e.getMessage(), e);
        }
    }
}
