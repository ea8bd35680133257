package io.offhook.forward.application;

import io.offhook.config.ConfigTypes.Placed;
import java.util.List;

/** The context that stages are created in: the configuration of the application, and its ports. */
public interface StageContext {
    /** The configuration of the whole application; while tables are replaced, the new one. */
    ForwardConfig config();

    /** The time of the application's clock, in nanoseconds. */
    long nowNs();

    /** The number of a port, by its name. */
    int port(String name);

    /** The MAC addresses of all ports by their number, 48 bits each; once the ports are open. */
    long[] linkAddresses();

    /** The longest IP packets of all ports by their number, in bytes; once the ports are open. */
    int[] mtus();

    /** Ports as a bit set by number. */
    default long ports(List<Placed<String>> names) {
        long bits = 0;
        for (Placed<String> name : names) {
            bits |= 1L << port(name.value());
        }
        return bits;
    }

    /** As {@link #ports}; all ports of the application if the list is empty. */
    default long portsOrAll(List<Placed<String>> names) {
        return names.isEmpty() ? -1L >>> 64 - config().ports().size() : ports(names);
    }
}
