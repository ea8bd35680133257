package io.offhook.packet;

/** An immutable set of layer types. Lookups allocate nothing. */
public final class LayerSet {
    /** TCP and UDP. */
    public static final LayerSet TCP_OR_UDP = of(LayerType.TCP, LayerType.UDP);

    /** IPv4 and IPv6. */
    public static final LayerSet IP = of(LayerType.IPV4, LayerType.IPV6);

    private final long low;
    private final long high;
    private final boolean isAboveIp;

    private LayerSet(long low, long high) {
        this.low = low;
        this.high = high;
        isAboveIp = contains(LayerType.TCP)
                && contains(LayerType.UDP)
                && !contains(LayerType.ETHERNET)
                && !contains(LayerType.IPV4);
    }

    /** Creates the set of the given types. */
    public static LayerSet of(LayerType... types) {
        long low = 0;
        long high = 0;
        for (LayerType type : types) {
            if (type.index() < 64) {
                low |= 1L << type.index();
            } else {
                high |= 1L << type.index();
            }
        }
        return new LayerSet(low, high);
    }

    /** Whether a walk that stops at these passes Ethernet and IPv4, and goes no further than TCP and UDP. */
    public boolean isAboveIp() {
        return isAboveIp;
    }

    /** Whether the set contains the type. */
    public boolean contains(LayerType type) {
        return contains(type.index());
    }

    /** Whether the set contains the type with that {@link LayerType#index()}. */
    public boolean contains(int index) {
        return ((index < 64 ? low : high) >>> index & 1) != 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (LayerType type : LayerType.values()) {
            if (contains(type)) {
                text.append(text.isEmpty() ? "" : " ").append(type.label());
            }
        }
        return text.toString();
    }
}
