package io.offhook.packet.walk;

import io.offhook.packet.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * Protocols of a program's own, for a {@link PacketWalker}: registered one by one, or found by {@link ServiceLoader}.
 * Immutable, and safe to share: each walker makes instances of its own.
 *
 * <pre>{@code
 * PacketWalker walker = new PacketWalker(Protocols.builtIn().with(PtpProtocol::new));
 * }</pre>
 *
 * <p>A protocol is asked where the built-in walk knows nothing more: of a link type, an EtherType or an IP protocol that
 * it does not know, and behind the ports of UDP and TCP. It never takes the place of a built-in one. Of several that
 * claim the same number, the first that accepts the bytes has them.
 */
public final class Protocols {
    private static final Protocols BUILT_IN = new Protocols(List.of());

    private final List<Supplier<? extends Protocol>> suppliers;

    private Protocols(List<Supplier<? extends Protocol>> suppliers) {
        this.suppliers = suppliers;
    }

    /** Those that the walk has by itself: none is registered. */
    public static Protocols builtIn() {
        return BUILT_IN;
    }

    /**
     * Those that modules provide, or that {@code META-INF/services/io.offhook.packet.Protocol} names on the class path.
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

    /** And this one. */
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
