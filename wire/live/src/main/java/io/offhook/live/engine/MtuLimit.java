package io.offhook.live.engine;

/** The largest MTU for which the sizes of rings can be computed; the kernel accepts up to 2^31 - 1 for some devices. */
public final class MtuLimit {
    /** Leaves room for headers, for rounding up to a power of two, and for two such frames, below 2^31. */
    public static final int MOST_BYTES = 1 << 28;

    /** The MTU of the loopback interface, as an example that always works. */
    private static final int USUAL_BYTES = 65_536;

    private MtuLimit() {}

    /**
     * Returns the MTU.
     *
     * @throws IllegalArgumentException if it is above the limit
     */
    public static int check(String interfaceName, int mtu) {
        if (mtu > MOST_BYTES) {
            throw new IllegalArgumentException("interface " + interfaceName + " has an MTU of " + mtu
                    + "; the limit is " + MOST_BYTES + ": sudo ip link set " + interfaceName + " mtu " + USUAL_BYTES);
        }
        return mtu;
    }
}
