package io.offhook.forward.application;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigSchema;
import io.offhook.forward.Port;
import org.jspecify.annotations.Nullable;

/**
 * A way to drive ports, which {@code backend} names. {@link java.util.ServiceLoader} finds Offhook's own and those of users, as
 * {@link StageType}. It has no state.
 */
public interface PortBackend {
    /** Frames of a ring of the kernel: what comes in 10 ms at the most that a lane takes. */
    int RING = 4096;

    /** What the key {@code backend} takes. */
    String name();

    /**
     * The keys that all its ports share: a section of its name at the top of the file, where there are keys. The same object at
     * each call.
     */
    ConfigSchema<?> keys();

    /** Frames that each lane's receive ring holds where the key {@code ring} is missing. */
    default int ring() {
        return RING;
    }

    /** Reports what makes no sense, where a port is driven by it. */
    default void check(ForwardConfig config, ConfigFaults faults) {}

    /** Reports what this machine lacks, where a port is driven by it. */
    default void checkMachine(ForwardConfig config, ConfigFaults faults) {}

    /** Makes a port; the forwarder opens and closes it. */
    Port open(PortRequest request);

    /**
     * Makes a port for a rehearsal, with queues of the same classes as those of {@link #open}, as far as it goes without an
     * interface. Null if the backend has none: then its ports are rehearsed by such in memory.
     *
     * @param linkAddress the port's MAC address, 48 bits
     * @throws io.offhook.linux.LinuxException if it cannot be made here: then it is rehearsed in memory, too
     */
    default @Nullable RehearsedPort rehearse(PortRequest request, long linkAddress) {
        return null;
    }
}
