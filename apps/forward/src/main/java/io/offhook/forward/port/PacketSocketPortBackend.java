package io.offhook.forward.port;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigSchema;
import io.offhook.forward.Port;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.PortBackend;
import io.offhook.forward.application.PortRequest;
import io.offhook.forward.application.RehearsedPort;

/** {@code backend: afpacket}: Ethernet interfaces of Linux by AF_PACKET; {@link PacketSocketPort}. */
public final class PacketSocketPortBackend implements PortBackend {
    private static final ConfigSchema<String> KEYS = ConfigSchema.of("afpacket", "No keys.", _ -> "");

    /** For {@link java.util.ServiceLoader}. */
    public PacketSocketPortBackend() {}

    @Override
    public String name() {
        return "afpacket";
    }

    @Override
    public ConfigSchema<String> keys() {
        return KEYS;
    }

    @Override
    public void checkMachine(ForwardConfig config, ConfigFaults faults) {
        KernelDevices.check(config.portsOf(this), faults, (_, _) -> {});
    }

    @Override
    public RehearsedPort rehearse(PortRequest request, long linkAddress) {
        return new RehearsedPacketSocketPort(request.port().name(), linkAddress);
    }

    @Override
    public Port open(PortRequest request) {
        ForwardConfig.PortConfig port = request.port();
        return new PacketSocketPort(port.name(), port.interfaceName().value(), port.ring(), port.isPromiscuous());
    }
}
