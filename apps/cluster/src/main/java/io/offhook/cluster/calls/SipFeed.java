package io.offhook.cluster.calls;

import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.SipPacket;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.SipMessage;
import io.offhook.sip.SipTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Feeds messages to an assembly, each as a round of its own: the assembly wants them in native memory, one at a time. */
final class SipFeed implements AutoCloseable {
    private static final int USUAL = 1 << 16;

    private final CallAssembly assembly;
    private final int shards;
    private Arena arena = Arena.ofConfined();
    private MemorySegment segment = arena.allocate(USUAL);

    /** @param shards the parts of its dialogs: {@link Shards#SIP}, or 1 */
    SipFeed(CallAssembly assembly, int shards) {
        this.assembly = assembly;
        this.shards = shards;
    }

    /** @param frame its number among those of all probes */
    void message(SipMessage message, long atNs, long frame) {
        Octets octets = message.message();
        Octets cut = message.cut();
        reserve(octets.size() + cut.size());
        put(octets, 0);
        put(cut, octets.size());
        PacketContext context = new PacketContext(
                atNs, frame, message.source(), message.destination(), cut.size(), message.isByAgent());
        SipTransport transport = message.transport();
        assembly.sip(
                shards == 1 ? 0 : Shards.sip(message.callIdHash()),
                new SipPacket(
                        message.callIdHash(),
                        context,
                        transport == null ? SipTransport.UDP : transport,
                        message.ipIdentification(),
                        segment,
                        0,
                        octets.size()));
        assembly.publish();
    }

    private void put(Octets octets, int offset) {
        MemorySegment.copy(octets.toArray(), 0, segment, ValueLayout.JAVA_BYTE, offset, octets.size());
    }

    private void reserve(int size) {
        if (segment.byteSize() < size) {
            arena.close();
            arena = Arena.ofConfined();
            segment = arena.allocate(Math.max(size, 2 * segment.byteSize()));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
