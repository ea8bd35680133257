package io.offhook.library;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowHandler;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.sip.SipBufferPool;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipStream;
import io.offhook.sip.SipStreamCounters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Flows, fragments by every policy and TCP streams by every policy, what is held copied and referenced, and the SIP in
 * them. The packets given must stay where they are until it is closed.
 */
final class EveryReassembler implements AutoCloseable {
    private static final FragmentLimits FRAGMENTS = new FragmentLimits(64, 1 << 18, 64, 30_000_000_000L);
    private static final TcpLimits STREAMS =
            new TcpLimits(256, 1 << 16, 1 << 19, 64, 4, 3_000_000_000L, 600_000_000_000L);

    private final List<FragmentTable> fragments = new ArrayList<>();
    private final List<TcpStreams> streams = new ArrayList<>();
    private final FlowTable flows = new FlowTable(new FlowLimits(256, 60_000_000_000L, Long.MAX_VALUE), this::ended);
    private final PacketWalker inner = new PacketWalker();
    private final SipBufferPool pool = new SipBufferPool(1 << 20);
    private final SipStreamCounters counters = new SipStreamCounters();
    private final SipMessageView message = new SipMessageView();
    private final Tally tally;

    EveryReassembler(Tally tally) {
        this.tally = tally;
        for (OverlapPolicy policy : OverlapPolicy.values()) {
            for (Holding holding : Holding.values()) {
                fragments.add(new FragmentTable(FRAGMENTS, policy, holding, (segment, offset, length, _, _, _) -> {
                    tally.add("beginnings", 1);
                    return inner.walk(segment, offset, length, length, LinkType.RAW) != PacketWalker.Stop.MALFORMED;
                }));
                TcpStreams table = new TcpStreams(STREAMS, policy, holding, new Reader());
                table.analyse();
                streams.add(table);
            }
        }
    }

    void packet(PacketWalker walker, int wireLength, long timestampNs, long number) {
        Flow flow = flows.add(walker, wireLength, timestampNs, number);
        if (flow != null) {
            tally.add("flow packets", 1);
        }
        if (walker.outermostFragment() >= 0) {
            for (FragmentTable table : fragments) {
                if (table.add(walker, timestampNs, number) == FragmentTable.Result.COMPLETE) {
                    datagram(table);
                }
            }
        }
        for (TcpStreams table : streams) {
            if (table.segment(walker, timestampNs, number)) {
                tally.add("segments", 1);
            }
        }
    }

    private void datagram(FragmentTable table) {
        int length = table.datagramLength();
        long parts = table.stretches().length();
        inner.walk(table.datagram(), table.datagramOffset(), length, length, LinkType.RAW);
        if (parts != length) {
            throw new AssertionError(parts + " bytes in stretches, " + length + " in one piece");
        }
        tally.add("datagrams", 1);
    }

    private void ended(Flow flow, FlowHandler.End reason) {
        tally.add(
                "flows",
                flow.key().toString().isEmpty() || flow.key().communityId().isEmpty() ? 0 : 1);
    }

    /** The end of the capture. */
    @Override
    public void close() {
        flows.flush();
        for (FragmentTable table : fragments) {
            table.reportBeginnings(0, -1);
            table.flush();
            table.close();
        }
        for (TcpStreams table : streams) {
            table.flush();
            table.close();
        }
    }

    /** Reads all data of a stream, and looks for SIP in it. */
    private final class Reader implements TcpStreamHandler {
        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return payloadLength % 3 == 0 ? Pickup.WAIT : payloadLength % 7 == 0 ? Pickup.IGNORE : Pickup.NOW;
        }

        @Override
        public void data(
                TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            byte first = segment.get(ValueLayout.JAVA_BYTE, offset);
            byte last = segment.get(ValueLayout.JAVA_BYTE, offset + length - 1);
            tally.add("stream bytes", length + (first & 0) + (last & 0));
            sip(stream).data(segment, offset, length, timestampNs, frameNumber, this::message);
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
            tally.add("gaps", 1);
            sip(stream).gap(missingBytes);
        }

        @Override
        public void end(TcpStream stream, End reason) {
            sip(stream).end();
            tally.add("streams", stream.toString().isEmpty() ? 0 : 1);
        }

        private SipStream sip(TcpStream stream) {
            if (stream.attachment() instanceof SipStream known) {
                return known;
            }
            SipStream made = new SipStream(pool, counters);
            stream.attachment(made);
            return made;
        }

        private void message(byte[] octets, int offset, int length, long timestampNs, long frameNumber) {
            message.wrap(octets, offset, length);
            tally.add("SIP messages in streams", message.toString().isEmpty() ? 0 : 1);
        }
    }
}
