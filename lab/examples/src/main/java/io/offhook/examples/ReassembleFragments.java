package io.offhook.examples;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureMemory;
import java.util.List;

/** Reassembles IP fragments without copying them: {@code ReassembleFragments FILE}. */
public final class ReassembleFragments {
    private static final long MOST_BYTES = 1L << 30;

    private ReassembleFragments() {}

    public static void main(String[] args) {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        // fragments are referenced until their datagram is complete, so frames must stay in place
        try (CaptureMemory memory = CaptureMemory.load(List.of(args[0]), MOST_BYTES);
                PacketSource source = memory.replay();
                FragmentTable table =
                        new FragmentTable(FragmentLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE, null)) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    if (walker.isFragment()
                            && table.add(walker, batch.timestampNs(i), batch.number(i))
                                    == FragmentTable.Result.COMPLETE) {
                        print(batch.number(i), table.stretches());
                    }
                }
            }
        }
    }

    private static void print(long frame, CompositeBuffer datagram) {
        System.out.println("frame " + frame + ": " + datagram.length() + " bytes in " + datagram.stretchCount()
                + " stretches; the first bytes are " + Long.toHexString(datagram.bits64(datagram.start())));
    }
}
