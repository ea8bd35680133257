package io.offhook.forward.port;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Port;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.PortBackend;
import io.offhook.forward.application.PortRequest;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.xdp.XdpMemory;
import io.offhook.live.xdp.XdpMode;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code backend: xdp}: Ethernet interfaces of Linux by AF_XDP, in native mode if the driver supports it;
 * {@link XdpPort}.
 */
public final class XdpPortBackend implements PortBackend {
    private static final ConfigSchema<String> KEYS = ConfigSchema.of("xdp", "No keys.", _ -> "");

    /** For {@link java.util.ServiceLoader}. */
    public XdpPortBackend() {}

    @Override
    public String name() {
        return "xdp";
    }

    @Override
    public ConfigSchema<String> keys() {
        return KEYS;
    }

    @Override
    public void check(ForwardConfig config, ConfigFaults faults) {
        for (ForwardConfig.PortConfig port : config.portsOf(this)) {
            boolean isReadByAll = config.lanes().stream()
                    .allMatch(lane ->
                            lane.ports().stream().anyMatch(name -> name.value().equals(port.name())));
            if (!isReadByAll && !faults.has("lanes")) {
                faults.add(port.place(), "is driven by xdp, where each lane has a queue: all lanes must read from it");
            }
        }
    }

    @Override
    public void checkMachine(ForwardConfig config, ConfigFaults faults) {
        KernelDevices.check(config.portsOf(this), faults, (device, port) -> {
            checkQueues(device, config.lanes().size(), port.interfaceName().place(), faults);
            checkMtu(device, port.interfaceName().place(), faults);
        });
    }

    private static void checkQueues(NetworkDevice device, int lanes, ConfigPlace place, ConfigFaults faults) {
        int queues = device.receiveQueues();
        if (queues > lanes) {
            faults.add(
                    place,
                    "interface " + device.name() + " has " + queues + " queues for " + lanes
                            + " lanes: sudo ethtool -L " + device.name() + " combined " + lanes);
        }
    }

    /** Frames longer than an XDP chunk would be lost. */
    private static void checkMtu(NetworkDevice device, ConfigPlace place, ConfigFaults faults) {
        int most = XdpMemory.MAX_CHUNK_BYTES - XdpMemory.HEADROOM_BYTES - EthernetFrames.MAX_HEADER;
        if (device.mtu() > most) {
            faults.add(
                    place,
                    "interface " + device.name() + " has an MTU of " + device.mtu() + "; the limit of xdp is " + most
                            + ": sudo ip link set " + device.name() + " mtu " + most
                            + ", or use another backend");
        }
    }

    @Override
    public RehearsedPort rehearse(PortRequest request, long linkAddress) {
        RehearsedXdpPort.Memories memories =
                request.shared(RehearsedXdpPort.Memories.class, RehearsedXdpPort.Memories::new);
        return new RehearsedXdpPort(request.port().name(), linkAddress, memories);
    }

    @Override
    public Port open(PortRequest request) {
        ForwardConfig.PortConfig port = request.port();
        Memories memories = request.shared(Memories.class, () -> new Memories(request.config(), this));
        return new XdpPort(
                port.name(),
                KernelDevices.of(port),
                XdpMode.AUTO,
                Integer.highestOneBit(port.ring()),
                port.isPromiscuous(),
                memories.ofLanes);
    }

    /** The memory of each lane for all its AF_XDP ports: twice the capacity of their rings. */
    private static final class Memories implements PortRequest.Shared {
        private final List<XdpMemory> ofLanes = new ArrayList<>();

        Memories(ForwardConfig config, XdpPortBackend backend) {
            int chunks = 0;
            int longest = 0;
            for (ForwardConfig.PortConfig port : config.portsOf(backend)) {
                chunks += 4 * Integer.highestOneBit(port.ring());
                longest = Math.max(longest, KernelDevices.of(port).mtu());
            }
            boolean isSmall = longest + EthernetFrames.MAX_HEADER + XdpMemory.HEADROOM_BYTES <= 2048;
            for (int i = 0; i < config.lanes().size(); i++) {
                ofLanes.add(new XdpMemory(chunks, isSmall ? 2048 : 4096));
            }
        }

        @Override
        public void close() {
            ofLanes.forEach(XdpMemory::close);
        }
    }
}
