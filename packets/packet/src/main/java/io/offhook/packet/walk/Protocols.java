package io.offhook.packet.walk;

import io.offhook.packet.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * The protocols that a program adds to a {@link PacketWalker}: registered one by one, or found by {@link
 * ServiceLoader}. Immutable and safe to share: each walker creates its own instances.
 *
 * <pre>{@code
 * PacketWalker walker = new PacketWalker(Protocols.builtIn().with(PtpProtocol::new));
 * }</pre>
 *
 * <p>A protocol is consulted where the built-in walk ends: at an unknown link type, EtherType or IP protocol, and after
 * the ports of UDP and TCP. It never replaces a built-in one. If several claim the same number, the first that accepts
 * the bytes gets them.
 */
public final class Protocols {
    private static final Protocols BUILT_IN = new Protocols(List.of());

    private final List<Supplier<? extends Protocol>> suppliers;

    private Protocols(List<Supplier<? extends Protocol>> suppliers) {
        this.suppliers = suppliers;
    }

    /** The built-in protocols alone: none is registered. */
    public static Protocols builtIn() {
        return BUILT_IN;
    }

    /**
     * The protocols that modules provide, or that {@code META-INF/services/io.offhook.packet.Protocol} names on the
     * class path.
     *
     * @throws java.util.ServiceConfigurationError when a provider cannot be loaded; the message names it
     */
    public static Protocols installed() {
        Protocols protocols = BUILT_IN;
        for (ServiceLoader.Provider<Protocol> provider :
                ServiceLoader.load(Protocol.class).stream().toList()) {
            protocols = protocols.with(provider);
        }
        return protocols;
    }

    /** These protocols and another one. */
    public Protocols with(Supplier<? extends Protocol> protocol) {
        List<Supplier<? extends Protocol>> more = new ArrayList<>(suppliers);
        more.add(protocol);
        return new Protocols(List.copyOf(more));
    }

    /** Whether none is registered. */
    public boolean isEmpty() {
        return suppliers.isEmpty();
    }

    /**
     * Returns new instances of the registered protocols.
     *
     * @throws java.util.ServiceConfigurationError when the constructor of an {@link #installed} one fails
     */
    public List<Protocol> create() {
        List<Protocol> protocols = new ArrayList<>(suppliers.size());
        for (Supplier<? extends Protocol> supplier : suppliers) {
            protocols.add(supplier.get());
        }
        return protocols;
    }
}
