package io.offhook.flow.table;

import java.util.ArrayList;
import java.util.List;

/**
 * The VLANs and tunnels of a flow's packets, outermost first. They keep equal addresses of different networks apart.
 *
 * @param steps the VLANs and tunnels, one step each
 */
public record FlowPath(List<Step> steps) {

    /** The path without VLANs and tunnels. */
    public static final FlowPath NONE = new FlowPath(List.of());

    /**
     * A VLAN or a tunnel.
     *
     * @param kind "vlan", "pppoe", "vxlan" or "geneve"; or, for tunnels identified by their endpoints, "gre", "gtpu",
     *     "l2tp", "teredo", "capwap", "ip" and so on
     * @param id the VLAN (1 to 4095), the PPPoE session or the VNI (24 bits); 0 if the ends identify the tunnel
     * @param ends the two addresses of the tunnel, the lower first; empty if the id identifies it
     */
    public record Step(String kind, int id, List<String> ends) {
        /** Copies the list. */
        public Step {
            ends = List.copyOf(ends);
        }

        /** For example "vlan 7", "vxlan 42" or "gre 192.0.2.1-192.0.2.2". */
        @Override
        public String toString() {
            return kind + " " + (ends.isEmpty() ? Integer.toString(id) : String.join("-", ends));
        }
    }

    /** Copies the list. */
    public FlowPath {
        steps = List.copyOf(steps);
    }

    /** Whether the path has neither VLANs nor tunnels. */
    public boolean isEmpty() {
        return steps.isEmpty();
    }

    FlowPath with(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new FlowPath(longer);
    }

    /** For example "vlan 7, vxlan 42"; empty if there are no steps. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            text.append(text.isEmpty() ? "" : ", ").append(step);
        }
        return text.toString();
    }
}
