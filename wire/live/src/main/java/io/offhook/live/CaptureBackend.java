package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;

/**
 * A way to capture. Each is found by {@link ServiceLoader}: this module provides three, {@code io.offhook.dpdk} one, a module
 * or jar of a user's any more; it is a public class with a public constructor without parameters, which does nothing that
 * takes time. {@link RingSource} makes a source of what differs, a {@link RingDriver}.
 */
public interface CaptureBackend {
    /** As it is chosen by: a word, in small letters. */
    String name();

    /** The higher, the earlier it is listed; of all there are, the first is taken where none is chosen. */
    default int rank() {
        return 0;
    }

    /** What it has that not all have. */
    default Set<CaptureFeature> features() {
        return Set.of();
    }

    /** The largest {@link CaptureRequest#bufferBytes} that it can do with. */
    default long mostBufferBytes() {
        return Long.MAX_VALUE;
    }

    /** What keeps it from an interface of the kernel, and what would help. */
    Availability on(NetworkDevice device);

    /** As {@link #on}, of many interfaces: what is the same for all is looked at once. */
    default Function<NetworkDevice, Availability> survey() {
        return this::on;
    }

    /** What it can capture from that is no interface of the kernel. */
    default List<CaptureDevice> ownDevices() {
        return List.of();
    }

    /**
     * Whether a name that no interface of the kernel has is to be opened nevertheless.
     *
     * @throws CaptureRefusedException where that cannot be said
     */
    default boolean takes(String name) {
        return ownDevices().stream().anyMatch(device -> device.name().equals(name));
    }

    /**
     * Makes ready for several captures, before the first is opened.
     *
     * @throws CaptureRefusedException where they cannot be opened
     */
    default void prepare(List<CaptureRequest> all) {}

    /**
     * Begins to capture.
     *
     * @throws CaptureRefusedException where it cannot: why
     */
    LiveSource open(CaptureRequest request);

    /**
     * Returns all backends, the highest {@link #rank} first; those of equal rank by name.
     *
     * @throws java.util.ServiceConfigurationError when a provider cannot be loaded; the message names it
     */
    static List<CaptureBackend> all() {
        return ServiceLoader.load(CaptureBackend.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(CaptureBackend::rank).reversed().thenComparing(CaptureBackend::name))
                .toList();
    }
}
