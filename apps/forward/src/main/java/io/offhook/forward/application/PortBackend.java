package io.offhook.forward.application;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigSchema;
import io.offhook.forward.Port;
import org.jspecify.annotations.Nullable;

/**
 * A way to drive ports, named by the key {@code backend}. {@link java.util.ServiceLoader} finds Offhook's own and those
 * of users, as it does {@link StageType}. It has no state.
 */
public interface PortBackend {
    /**
     * The default length of a ring in the kernel, in frames: 10 ms of traffic at the highest rate that a lane
     * processes.
     */
    int RING = 4096;

    /** The value of the key {@code backend}. */
    String name();

    /**
     * The keys that all its ports share; if there are any, they form a top-level section with its name. The same object
     * at each call.
     */
    ConfigSchema<?> keys();

    /** The default of the key {@code ring}: the frames that each lane's receive ring holds. */
    default int ring() {
        return RING;
    }

    /** Reports faults in the configuration of its ports. Called if it drives a port. */
    default void check(ForwardConfig config, ConfigFaults faults) {}

    /** Reports what this machine lacks for its ports. Called if it drives a port. */
    default void checkMachine(ForwardConfig config, ConfigFaults faults) {}

    /** Creates a port; the forwarder opens and closes it. */
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
