package io.offhook.flow.table;

/** The counters of a {@link FlowTable}. {@link #label()} is the name in JSON and text output. */
public enum FlowCounter {
    /** Packets passed to the table. */
    PACKETS("flowPackets"),
    /** Packets without an IP layer, which belong to no flow. */
    NOT_IP("flowPacketsNotIp"),
    /** Flows started. */
    FLOWS("flows"),
    /** Later fragments whose first fragment had not arrived; they count for a flow without ports. */
    FRAGMENTS_WITHOUT_PORTS("flowFragmentsWithoutPorts"),
    /** Packets whose path of VLANs and tunnels exceeded the limit on known paths; their flows share one path. */
    PATHS_SHARED("flowPacketsOnSharedPath"),
    /** Flows that ended at the idle timeout. */
    IDLE("flowsIdle"),
    /** Flows that ended at the hard timeout. */
    HARD_TIMEOUT("flowsHardTimeout"),
    /** TCP flows that ended because a new connection reused their ports. */
    REUSED("flowsReused"),
    /** Flows evicted from a full table. */
    EVICTED("flowsEvicted"),
    /** Flows that were alive when the capture ended. */
    CAPTURE_END("flowsAtEnd");

    private final String label;

    FlowCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
