package io.offhook.forward.port;

import io.offhook.config.ConfigFaults;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.linux.network.NetworkDevice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The kernel's interfaces that ports refer to. */
final class KernelDevices {
    private KernelDevices() {}

    /**
     * Reports ports whose interface is missing, down or not Ethernet.
     *
     * @param more further checks of an interface that is none of these
     */
    static void check(
            List<ForwardConfig.PortConfig> ports,
            ConfigFaults faults,
            BiConsumer<NetworkDevice, ForwardConfig.PortConfig> more) {
        Map<String, NetworkDevice> devices = new HashMap<>();
        NetworkDevice.all().forEach(device -> devices.put(device.name(), device));
        for (ForwardConfig.PortConfig port : ports) {
            String name = port.interfaceName().value();
            NetworkDevice device = devices.get(name);
            if (device == null) {
                faults.add(port.interfaceName().place(), "this machine has no interface " + name);
            } else if (device.hardwareType() != NetworkDevice.ETHERNET) {
                faults.add(port.interfaceName().place(), "interface " + name + " is not Ethernet");
            } else if (!device.isUp()) {
                faults.add(port.interfaceName().place(), "is down: sudo ip link set " + name + " up");
            } else {
                more.accept(device, port);
            }
        }
    }

    static NetworkDevice of(ForwardConfig.PortConfig port) {
        String name = port.interfaceName().value();
        NetworkDevice device = NetworkDevice.named(name);
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + name);
        }
        return device;
    }
}
