package io.offhook.flow;

/** What a {@link FlowTable} counts. {@link #label()} is what JSON and text output call it. */
public enum FlowCounter {
    /** Packets given to the table. */
    PACKETS("flowPackets"),
    /** Of these, those without an IP layer: they belong to no flow. */
    NOT_IP("flowPacketsNotIp"),
    /** Flows begun. */
    FLOWS("flows"),
    /** Later fragments whose first one had not come: they count for a flow without ports. */
    FRAGMENTS_WITHOUT_PORTS("flowFragmentsWithoutPorts"),
    /** Packets whose VLANs and tunnels found no room among the known ones: their flows share one path. */
    PATHS_SHARED("flowPacketsOnSharedPath"),
    /** Flows that ended as they had no packet for the idle timeout. */
    IDLE("flowsIdle"),
    /** Flows that ended as they lasted for the hard timeout. */
    HARD_TIMEOUT("flowsHardTimeout"),
    /** Flows of TCP that ended as their ports began another connection. */
    REUSED("flowsReused"),
    /** Flows that gave way to others, as the table was full. */
    EVICTED("flowsEvicted"),
    /** Flows alive at the end of the capture. */
    CAPTURE_END("flowsAtEnd");

    private final String label;

    FlowCounter(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
