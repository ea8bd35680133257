package io.offhook.forward;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.linux.CpuAffinity;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.XdpMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What this machine has of a configuration: interfaces and processors, and folders to write to. */
final class MachineChecks {
    private MachineChecks() {}

    private static void checkQueues(NetworkDevice device, int lanes, ConfigPlace place, ConfigFaults faults) {
        int queues = device.receiveQueues();
        if (queues > lanes) {
            faults.add(
                    place,
                    "interface " + device.name() + " has " + queues + " queues for " + lanes
                            + " lanes: sudo ethtool -L " + device.name() + " combined " + lanes);
        }
    }

    /** What XDP's chunk has no room for would be lost. */
    private static void checkMtu(NetworkDevice device, ConfigPlace place, ConfigFaults faults) {
        int most = XdpMemory.MAX_CHUNK_BYTES - XdpMemory.HEADROOM_BYTES - EthernetFrames.MAX_HEADER;
        if (device.mtu() > most) {
            faults.add(
                    place,
                    "interface " + device.name() + " has an MTU of " + device.mtu() + ", and xdp takes " + most
                            + " at the most: sudo ip link set " + device.name() + " mtu " + most
                            + ", or another backend");
        }
    }

    private static void checkFile(StageConfig.Mirror mirror, ConfigFaults faults) {
        Path file = mirror.file().toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            faults.add(mirror.place(), "file " + mirror.file() + ": there is no folder " + folder);
        } else if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : folder)) {
            faults.add(mirror.place(), "file " + mirror.file() + " cannot be written");
        }
    }

    /** Tells what it has not. */
    static void check(ForwardConfig config, ConfigFaults faults) {
        Map<String, NetworkDevice> devices = new HashMap<>();
        NetworkDevice.all().forEach(device -> devices.put(device.name(), device));
        for (ForwardConfig.PortConfig port : config.ports()) {
            if (port.backend() == ForwardConfig.Backend.DPDK) {
                continue; // DPDK knows its devices, once it runs
            }
            String name = port.interfaceName().value();
            NetworkDevice device = devices.get(name);
            if (device == null) {
                faults.add(port.interfaceName().place(), "this machine has no interface " + name);
            } else if (device.hardwareType() != NetworkDevice.ETHERNET) {
                faults.add(port.interfaceName().place(), "interface " + name + " is not Ethernet");
            } else if (!device.isUp()) {
                faults.add(port.interfaceName().place(), "is down: sudo ip link set " + name + " up");
            } else if (port.backend() == ForwardConfig.Backend.XDP) {
                checkQueues(device, config.lanes().size(), port.interfaceName().place(), faults);
                checkMtu(device, port.interfaceName().place(), faults);
            }
        }
        for (StageConfig stage : config.stages()) {
            if (stage instanceof StageConfig.Mirror mirror) {
                checkFile(mirror, faults);
            }
        }
        int[] cores = CpuAffinity.processors();
        for (ForwardConfig.LaneConfig lane : config.lanes()) {
            if (lane.core() >= 0 && Arrays.stream(cores).noneMatch(core -> core == lane.core())) {
                faults.add(
                        lane.place(),
                        "core " + lane.core() + " is not this process's; it may use " + Arrays.toString(cores));
            }
        }
    }
}
