package io.offhook.forward.port;

import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.dpdk.EthPort;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RegisteredThread;
import io.offhook.forward.LaneScope;
import io.offhook.forward.Port;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.PortRequest;
import java.util.List;

/** The DPDK of an application: EAL, and the pool that its ports share. */
final class DpdkShared implements PortRequest.Shared {
    private static final int CACHE = 250;

    private final Eal eal;
    private final boolean isOurs;
    private final Mempool pool;

    /** Starts EAL unless it runs in this process already. */
    DpdkShared(DpdkPortBackend.Config config) {
        Eal running = Eal.running();
        isOurs = running == null;
        eal = running == null ? Eal.start(options(config)) : running;
        try {
            String name = "forward-" + Integer.toHexString(System.identityHashCode(this));
            pool = eal.mempool(name, config.mbufs(), Math.min(CACHE, config.mbufs() / 2), config.mbufBytes());
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    private static EalOptions options(DpdkPortBackend.Config config) {
        EalOptions options = config.isHuge() ? EalOptions.hardware() : EalOptions.virtual();
        options = options.withMemoryMib(Math.toIntExact(config.memoryBytes() >>> 20))
                .withMore(config.arguments().toArray(String[]::new));
        if (!config.lcores().isEmpty()) {
            options = options.withLcores(config.lcores());
        }
        List<String> pci = config.pci();
        return pci.isEmpty() ? options : options.withPciAllowed(pci.toArray(String[]::new));
    }

    /** A port for a device by name, or for a device with arguments, which is added. */
    Port port(ForwardConfig.PortConfig config) {
        String device = config.interfaceName().value();
        return new DpdkPort(
                config.name(),
                device.indexOf(',') < 0 ? named(device) : eal.add(device),
                pool,
                config.ring(),
                config.isPromiscuous());
    }

    private EthPort named(String device) {
        try {
            return eal.port(device);
        } catch (IllegalArgumentException e) {
            return eal.add(device); // a virtual device without arguments
        }
    }

    LaneScope scope() {
        RegisteredThread thread = eal.registerThread();
        return thread::close;
    }

    private void end() {
        if (isOurs) {
            eal.close();
        }
    }

    /** Called after the ports are closed. */
    @Override
    public void close() {
        pool.close();
        end();
    }
}
