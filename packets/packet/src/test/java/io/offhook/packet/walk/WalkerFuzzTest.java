package io.offhook.packet.walk;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;

class WalkerFuzzTest {
    private final PacketWalker walker = new PacketWalker();
    private final WalkInvariants invariants = new WalkInvariants();

    @FuzzTest
    void walksAnything(FuzzedDataProvider data) {
        int linkType = data.consumeInt(0, 300);
        int more = data.consumeInt(0, 70_000);
        byte[] bytes = data.consumeRemainingAsBytes();
        MemorySegment segment = GoldenFrame.segment(bytes);
        walker.walk(segment, 0, bytes.length, bytes.length + more, linkType);
        invariants.check(walker, segment, bytes.length, bytes.length + more);
    }
}
