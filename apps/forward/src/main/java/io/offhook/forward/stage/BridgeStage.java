package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Stage;
import io.offhook.packet.NetworkOrder;
import java.util.List;

/**
 * A learning bridge (IEEE 802.1D, 7): a packet goes to the port where its destination was seen, or to all other ports
 * of the bridge if that is unknown or a group address. It never goes back to the port it came from. VLANs share one
 * table.
 */
public final class BridgeStage implements Stage {
    /** 01:80:c2:00:00:00 to :0f are link-local and never forwarded (table 7-10). */
    private static final long RESERVED = 0x0180_c200_0000L;

    private static final int SHORT = 0;
    private static final int SAME_PORT = 1;
    private static final int RESERVED_ADDRESS = 2;
    private static final int BAD_SOURCE = 3;

    private final long ports;
    private final MacTable table;
    private long turn;

    /**
     * Creates one lane's part of a bridge.
     *
     * @param ports the ports that it connects, one bit each
     * @param table the learned addresses, shared by the lanes
     */
    public BridgeStage(long ports, MacTable table) {
        this.ports = ports;
        this.table = table;
    }

    @Override
    public String name() {
        return "bridge";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("too short", "destination at the same port", "reserved address", "source is a group, or none");
    }

    @Override
    public void process(Burst burst) {
        int now = table.stamp(burst.nowNs());
        for (int i = 0, count = burst.count(); i < count; i++) {
            int port = burst.port(i);
            if (port >= 0 && !burst.isDecided(i) && (ports >>> port & 1) != 0) {
                bridge(burst, i, port, now);
            }
        }
    }

    private void bridge(Burst burst, int i, int port, int now) {
        if (burst.length(i) < EthernetFrames.HEADER) {
            burst.drop(i, SHORT);
            return;
        }
        long address = burst.address(i);
        long source = NetworkOrder.u48(burst.memory(), address + EthernetFrames.SOURCE);
        if (EthernetFrames.isMulticast(source) || source == 0) {
            burst.drop(i, BAD_SOURCE);
            return;
        }
        table.learnAt(source, port, now);
        long destination = NetworkOrder.u48(burst.memory(), address + EthernetFrames.DESTINATION);
        if ((destination & ~15L) == RESERVED) {
            burst.drop(i, RESERVED_ADDRESS);
            return;
        }
        int known = EthernetFrames.isMulticast(destination) ? -1 : table.portAt(destination, now);
        if (known == port) {
            burst.drop(i, SAME_PORT);
            return;
        }
        long to = (known < 0 ? ports : 1L << known) & ~(1L << port);
        burst.outputs(i, to);
        // the bridge has no other port
        if (to == 0) {
            burst.drop(i, SAME_PORT);
        }
    }

    @Override
    public void tick(Burst burst) {
        table.age(burst.nowNs(), turn++);
    }
}
