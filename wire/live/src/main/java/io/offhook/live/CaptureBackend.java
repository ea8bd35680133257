package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A way to capture, found by {@link ServiceLoader}: this module provides three, {@code io.offhook.dpdk} one; modules
 * and jars of users may provide more. An implementation is a public class whose public constructor has no parameters
 * and returns at once. It only implements a {@link RingDriver}; {@link RingSource} makes a source of that.
 */
public interface CaptureBackend {
    /** Returns the name by which it is chosen: one word, in lower case. */
    String name();

    /** Returns its rank: backends of higher rank are listed first, and the first one is used if none is chosen. */
    default int rank() {
        return 0;
    }

    /** Returns the optional features that it supports. */
    default Set<CaptureFeature> features() {
        return Set.of();
    }

    /** Returns the largest {@link CaptureRequest#bufferBytes} that it accepts. */
    default long mostBufferBytes() {
        return Long.MAX_VALUE;
    }

    /** Returns whether it can capture from a kernel interface; if not, what is missing and what would help. */
    Availability on(NetworkDevice device);

    /** Returns {@link #on} for many interfaces: what is the same for all of them is examined only once. */
    default Function<NetworkDevice, Availability> survey() {
        return this::on;
    }

    /** Returns the devices other than kernel interfaces that it can capture from. */
    default List<CaptureDevice> ownDevices() {
        return List.of();
    }

    /**
     * Returns whether it can open a name that no kernel interface has.
     *
     * @throws CaptureRefusedException if that cannot be determined
     */
    default boolean takes(String name) {
        return ownDevices().stream().anyMatch(device -> device.name().equals(name));
    }

    /**
     * Prepares for several captures, before the first one is opened.
     *
     * @throws CaptureRefusedException if they cannot be opened
     */
    default void prepare(List<CaptureRequest> all) {}

    /**
     * Opens a source, which captures from now on, or from its {@linkplain LiveSource#start start}.
     *
     * @throws CaptureRefusedException if it cannot; the message gives the reason
     */
    LiveSource open(CaptureRequest request);

    /**
     * Returns a ring such as {@link #open} reads from, which only the caller fills: a {@link Rehearsal} on it has the
     * code compiled that the first packets will meet. Null if the backend has none; then a rehearsal has a ring in
     * memory, which is enough where the backend's ring holds what arrives in a second.
     *
     * @throws CaptureRefusedException if it cannot
     */
    default @Nullable RehearsedRing rehearse(CaptureRequest request) {
        return null;
    }

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
