package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Stage;
import io.offhook.packet.link.VlanTag;
import java.util.List;

/**
 * Adds an outermost VLAN tag (IEEE 802.1Q, 6.9) to packets from or to some ports. Other outputs of a packet get an
 * untagged copy.
 */
public final class VlanPushStage implements Stage {
    private static final int NO_ROOM = 0;
    private static final int NO_BUFFER = 1;

    private final TaggingPorts ports;
    private final int type;
    private final int id;
    private final int priority;

    /**
     * Creates a stage.
     *
     * @param from the receiving ports, one bit each
     * @param to the output ports, one bit each
     * @param type {@link VlanTag#CUSTOMER} or {@link VlanTag#SERVICE}
     * @param id 1 to 4094
     * @param priority 0 to 7
     */
    public VlanPushStage(long from, long to, int type, int id, int priority) {
        ports = new TaggingPorts(from, to);
        this.type = type;
        this.id = id;
        this.priority = priority;
    }

    @Override
    public String name() {
        return "vlan-push";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("no room for a tag", "no buffer for a copy");
    }

    @Override
    public void process(Burst burst) {
        for (int i = 0, count = burst.count(); i < count; i++) {
            if (!ports.has(burst, i)) {
                continue;
            }
            if (ports.separate(burst, i)) {
                push(burst, i);
            } else {
                burst.drop(i, NO_BUFFER);
            }
        }
    }

    private void push(Burst burst, int i) {
        long address = burst.address(i);
        int length = burst.length(i);
        if (length < EthernetFrames.HEADER || !burst.prepend(i, VlanTag.LENGTH)) {
            burst.drop(i, NO_ROOM);
            return;
        }
        VlanTag.push(burst.memory(), address, length, type, id, priority, false);
    }
}
