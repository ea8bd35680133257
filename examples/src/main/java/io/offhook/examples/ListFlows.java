package io.offhook.examples;

import io.offhook.flow.CommunityId;
import io.offhook.flow.FlowLimits;
import io.offhook.flow.FlowTable;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PacketWalker;
import io.offhook.pcap.CaptureFiles;
import io.offhook.pcap.PacketSource;

/** Lists who talked to whom, and how much: {@code ListFlows FILE}. */
public final class ListFlows {
    private ListFlows() {}

    public static void main(String[] args) {
        FlowTable flows = new FlowTable(
                FlowLimits.DEFAULT,
                (flow, reason) -> System.out.println(flow + ", " + CommunityId.of(flow.key(), 0) + ", " + reason));
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(args[0])) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    flows.add(walker, batch.wireLength(i), batch.timestampNs(i), batch.number(i));
                }
            }
        }
        flows.flush();
    }
}
