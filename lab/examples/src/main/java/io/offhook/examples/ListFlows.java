package io.offhook.examples;

import io.offhook.flow.table.CommunityId;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;

/** Lists flows with their packets and bytes: {@code ListFlows FILE}. */
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
