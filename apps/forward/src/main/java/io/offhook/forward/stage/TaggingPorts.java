package io.offhook.forward.stage;

import io.offhook.forward.Burst;

/**
 * The ports at which a stage pushes or pops VLAN tags.
 *
 * @param from ports of origin, a bit each
 * @param to ports of destination, a bit each
 */
record TaggingPorts(long from, long to) {
    private boolean isFrom(Burst burst, int i) {
        int port = burst.port(i);
        return port >= 0 && (from >>> port & 1) != 0;
    }

    /** Whether a packet comes from one of the first, or goes to one of the second. */
    boolean has(Burst burst, int i) {
        return isFrom(burst, i) || (burst.outputs(i) & to) != 0;
    }

    /**
     * Gives a packet's other destinations a copy of their own, unless its origin selected it.
     *
     * @return false if there is no buffer for the copy
     */
    boolean separate(Burst burst, int i) {
        return isFrom(burst, i) || burst.separate(i, to);
    }
}
