package io.offhook.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * The VLANs and tunnels that a flow's packets came in, outermost first: what keeps equal addresses of different networks
 * apart.
 *
 * @param steps one each
 */
public record FlowPath(List<Step> steps) {

    /** Neither VLAN nor tunnel. */
    public static final FlowPath NONE = new FlowPath(List.of());

    /**
     * A VLAN or a tunnel.
     *
     * @param kind "vlan", "pppoe", "vxlan", "geneve", or, of tunnels that are told apart by their ends, "gre", "gtpu",
     *     "l2tp", "teredo", "capwap", "ip" and so on
     * @param id VLAN 1 to 4095, PPPoE session, VNI of 24 bits; 0 where the ends tell
     * @param ends the two addresses of the tunnel, the lower first; empty where the id tells
     */
    public record Step(String kind, int id, List<String> ends) {
        /** Copies the list. */
        public Step {
            ends = List.copyOf(ends);
        }

        /** "vlan 7", "vxlan 42", "gre 192.0.2.1-192.0.2.2". */
        @Override
        public String toString() {
            return kind + " " + (ends.isEmpty() ? Integer.toString(id) : String.join("-", ends));
        }
    }

    /** Copies the list. */
    public FlowPath {
        steps = List.copyOf(steps);
    }

    /** Whether there are neither VLANs nor tunnels. */
    public boolean isEmpty() {
        return steps.isEmpty();
    }

    FlowPath with(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new FlowPath(longer);
    }

    /** "vlan 7, vxlan 42"; empty where there is none. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            text.append(text.isEmpty() ? "" : ", ").append(step);
        }
        return text.toString();
    }
}
