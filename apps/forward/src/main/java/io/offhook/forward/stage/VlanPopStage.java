package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Stage;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.link.VlanTag;
import java.util.List;

/**
 * Removes the outermost VLAN tag (IEEE 802.1Q, 6.9) from packets from or to some ports. Packets without a tag, or with
 * one of another VLAN, are dropped if configured. Other outputs of a packet get an unchanged copy.
 */
public final class VlanPopStage implements Stage {
    private static final int UNTAGGED = 0;
    private static final int NO_BUFFER = 1;

    private final TaggingPorts ports;
    private final int id;
    private final boolean isStrict;

    /**
     * Creates a stage.
     *
     * @param from the receiving ports, one bit each
     * @param to the output ports, one bit each
     * @param id the VLAN; 0 for any
     * @param isStrict whether packets without such a tag are dropped
     */
    public VlanPopStage(long from, long to, int id, boolean isStrict) {
        ports = new TaggingPorts(from, to);
        this.id = id;
        this.isStrict = isStrict;
    }

    @Override
    public String name() {
        return "vlan-pop";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("no such tag", "no buffer for a copy");
    }

    @Override
    public void process(Burst burst) {
        for (int i = 0, count = burst.count(); i < count; i++) {
            if (ports.has(burst, i) && (isStrict || hasTag(burst, i))) {
                pop(burst, i);
            }
        }
    }

    private void pop(Burst burst, int i) {
        if (!ports.separate(burst, i)) {
            burst.drop(i, NO_BUFFER);
        } else if (hasTag(burst, i)) {
            VlanTag.pop(burst.memory(), burst.address(i), burst.length(i));
            burst.trimFront(i, VlanTag.LENGTH);
        } else {
            burst.drop(i, UNTAGGED);
        }
    }

    private boolean hasTag(Burst burst, int i) {
        if (burst.length(i) < EthernetFrames.HEADER + VlanTag.LENGTH) {
            return false;
        }
        long at = burst.address(i) + EthernetFrames.TYPE;
        return EthernetFrames.isTag(NetworkOrder.u16(burst.memory(), at))
                && (id == 0 || (NetworkOrder.u16(burst.memory(), at + 2) & 0xfff) == id);
    }
}
