package io.offhook.flow.table;

import io.offhook.flow.state.AgeList;
import io.offhook.flow.state.Counts;
import io.offhook.flow.state.KeyTable;
import io.offhook.flow.state.PacketTime;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.flow.tcp.TcpNumbers;
import io.offhook.flow.tcp.TcpSign;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.walk.PacketWalker;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a capture, within bounded memory. Walk each packet, pass the walker to {@link #add}, and call
 * {@link #flush} at the end. Each packet with an IP layer counts for one flow, that of its innermost IP packet. VLANs
 * and tunnels keep equal addresses apart.
 *
 * <p>A flow ends in one of four ways: it has no packet for the idle timeout; it lasts for the hard timeout; a SYN
 * starts a new TCP connection on its ports (after the old one was closed, was reset, or had no packet for a second); or
 * the table is full and the flow has been idle the longest, to within a second. Each end is reported to the
 * {@link FlowHandler}.
 *
 * <p>Later fragments count for the flow of the first fragment if that arrived before them, otherwise for a flow without
 * ports.
 *
 * <p>Time is packet time. A flow's own next packet decides whether the flow was idle; packets of others end it only
 * after twice the timeout, so that its fate depends on its own packets only. A packet of a known flow allocates
 * nothing. Not thread-safe: for one thread at a time.
 */
public final class FlowTable {
    private static final long SECOND_NS = 1_000_000_000;

    private final FlowLimits limits;
    private final FlowHandler handler;
    private final Counts<FlowCounter> counts = new Counts<>(FlowCounter.class);
    private final KeyTable table;
    private final AgeList ages = new AgeList();
    private final FlowPaths paths = new FlowPaths();
    private final FlowFragments fragments = new FlowFragments();
    private final FlowView view = new FlowView();
    private final TcpNumbers numbers = new TcpNumbers();
    private @Nullable Flow[] flows = new Flow[64];
    private int lastSigns;

    /**
     * Creates an empty table.
     *
     * @param limits the limits of the table
     * @param handler receives the flows that ended
     */
    public FlowTable(FlowLimits limits, FlowHandler handler) {
        this.limits = limits;
        this.handler = handler;
        table = new KeyTable(limits.flows());
    }

    /**
     * Counts a packet.
     *
     * @param walker a walker that has walked the packet
     * @param wireLength bytes of the frame on the wire, 0 or more
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the frame, 1-based
     * @return the flow of the packet; null if it has no IP layer
     */
    public @Nullable Flow add(PacketWalker walker, int wireLength, long timestampNs, long frameNumber) {
        counts.add(FlowCounter.PACKETS);
        lastSigns = 0;
        expire(timestampNs);
        if (view.wrap(walker) != WrapStatus.OK) {
            counts.addAt(frameNumber, timestampNs, FlowCounter.NOT_IP);
            return null;
        }
        int path = paths.of(walker);
        if (path == FlowPaths.OVERFLOW) {
            counts.addAt(frameNumber, timestampNs, FlowCounter.PATHS_SHARED);
        }
        boolean isFragment = walker.isFragment();
        Flow flow = isFragment ? flowOfFragment(walker, path, timestampNs, frameNumber) : null;
        if (flow == null) {
            flow = flowOf(walker, path, timestampNs, frameNumber);
        }
        boolean isAsFirst = flow.isAsFirst(view);
        flow.count(isAsFirst, wireLength, isFragment, timestampNs, frameNumber);
        TcpFlow tcp = flow.tcp();
        if (tcp != null && walker.transport() >= 0) {
            segment(tcp, walker, isAsFirst != flow.isTurned(), timestampNs);
        }
        if (isFragment && view.hasPorts()) {
            fragments.remember(walker, path, flow, timestampNs);
        }
        touch(flow, timestampNs);
        return flow;
    }

    /** The {@link TcpSign}s of the packet added last, as a bit set; 0 for other protocols. */
    public int lastSigns() {
        return lastSigns;
    }

    /** The value of a counter. */
    public long count(FlowCounter counter) {
        return counts.get(counter);
    }

    /**
     * The value of a counter with its place: the place of the packet, or of a flow's first packet. Packets and started
     * flows have no place.
     */
    public PlacedCount placed(FlowCounter counter) {
        return counts.placed(counter);
    }

    /** The number of flows in the table. */
    public int size() {
        return table.size();
    }

    /** Ends all flows, those idle the longest first. Call it when the capture has ended. */
    public void flush() {
        while (ages.oldest() != AgeList.NONE) {
            end(oldest(), FlowHandler.End.CAPTURE_END);
        }
    }

    private @Nullable Flow flowOfFragment(PacketWalker walker, int path, long timestampNs, long frameNumber) {
        if (view.hasPorts()) {
            return null;
        }
        Flow flow = fragments.flowOf(walker, path, timestampNs);
        if (flow == null || flow.number == Flow.ENDED) {
            counts.addAt(frameNumber, timestampNs, FlowCounter.FRAGMENTS_WITHOUT_PORTS);
            return null;
        }
        return flow;
    }

    private Flow flowOf(PacketWalker walker, int path, long timestampNs, long frameNumber) {
        boolean isUpward = view.isUpward();
        long a = isUpward ? view.sourceHigh() : view.destinationHigh();
        long b = isUpward ? view.sourceLow() : view.destinationLow();
        long c = isUpward ? view.destinationHigh() : view.sourceHigh();
        long d = isUpward ? view.destinationLow() : view.sourceLow();
        int low = isUpward ? view.sourcePort() : view.destinationPort();
        int high = isUpward ? view.destinationPort() : view.sourcePort();
        long e = (long) low << 48
                | (long) high << 32
                | (long) path << 16
                | view.protocol() << 8
                | (view.version() == 6 ? 4 : 0)
                | (view.hasPorts() ? 2 : 0)
                | (view.isOneWay() ? 1 : 0);
        int hash = table.hash(a, b, c, d, e);
        int number = table.find(hash, a, b, c, d, e);
        Flow flow = number == KeyTable.NONE ? null : flows[number];
        if (flow != null) {
            FlowHandler.End end = endBefore(flow, walker, timestampNs);
            if (end == null) {
                return flow;
            }
            end(flow, end);
        } else if (table.isFull()) {
            end(oldest(), FlowHandler.End.EVICTED);
        }
        return begin(table.add(hash, a, b, c, d, e), walker, path, timestampNs, frameNumber);
    }

    /** Why a packet does not belong to the flow that has its key; null if it does belong. */
    private FlowHandler.@Nullable End endBefore(Flow flow, PacketWalker walker, long timestampNs) {
        if (PacketTime.isApart(timestampNs, flow.lastTimestampNs(), limits.idleTimeoutNs())) {
            return FlowHandler.End.IDLE;
        }
        if (PacketTime.isApart(timestampNs, flow.firstTimestampNs, limits.hardTimeoutNs())) {
            return FlowHandler.End.HARD_TIMEOUT;
        }
        TcpFlow tcp = flow.tcp();
        if (tcp != null && walker.transport() >= 0) {
            long header = walker.layerOffset(walker.transport());
            int flags = NetworkOrder.u16(walker.segment(), header + TcpView.OFFSET_FLAGS);
            int sequence = NetworkOrder.bits32(walker.segment(), header + TcpView.SEQUENCE_NUMBER);
            if ((flags & TcpView.SYN) != 0
                    && tcp.isReusedBy(flow.isAsFirst(view) != flow.isTurned(), sequence, flags, timestampNs)) {
                return FlowHandler.End.REUSED;
            }
        }
        return null;
    }

    private Flow begin(int number, PacketWalker walker, int path, long timestampNs, long frameNumber) {
        boolean isTcp = view.protocol() == IpProtocol.TCP && view.hasPorts();
        Flow flow = new Flow(view, paths.path(path), isTcp, frameNumber, timestampNs);
        if (isTcp && walker.transport() >= 0) {
            long header = walker.layerOffset(walker.transport());
            int flags = NetworkOrder.u16(walker.segment(), header + TcpView.OFFSET_FLAGS);
            if ((flags & (TcpView.SYN | TcpView.ACK)) == (TcpView.SYN | TcpView.ACK)) {
                flow.turn();
            }
        }
        if (number >= flows.length) {
            flows = Arrays.copyOf(flows, Math.max(number + 1, flows.length * 2));
        }
        flow.number = number;
        flows[number] = flow;
        ages.addYoungest(number);
        counts.add(FlowCounter.FLOWS);
        return flow;
    }

    private void segment(TcpFlow tcp, PacketWalker walker, boolean isForward, long timestampNs) {
        int transport = walker.transport();
        numbers.wrap(walker.segment(), walker.layerOffset(transport), walker.layerHeaderLength(transport));
        lastSigns = tcp.segment(isForward, numbers, Math.max(walker.payloadWireLength(), 0), timestampNs);
    }

    private void touch(Flow flow, long timestampNs) {
        if (PacketTime.isApart(timestampNs, flow.placedNs, SECOND_NS)) {
            flow.placedNs = timestampNs;
            ages.makeYoungest(flow.number);
        }
    }

    private void expire(long timestampNs) {
        if (ages.oldest() == AgeList.NONE) {
            return;
        }
        long limitNs = PacketTime.twice(limits.idleTimeoutNs());
        Flow oldest = oldest();
        while (PacketTime.isApart(timestampNs, oldest.lastTimestampNs(), limitNs)) {
            end(oldest, FlowHandler.End.IDLE);
            if (ages.oldest() == AgeList.NONE) {
                return;
            }
            oldest = oldest();
        }
    }

    private Flow oldest() {
        Flow flow = flows[ages.oldest()];
        if (flow == null) {
            throw new IllegalStateException("internal error: number " + ages.oldest() + " has an age but no flow");
        }
        return flow;
    }

    private void end(Flow flow, FlowHandler.End reason) {
        int number = flow.number;
        ages.remove(number);
        table.remove(number);
        flows[number] = null;
        flow.ended();
        counts.addAt(flow.firstFrameNumber, flow.firstTimestampNs, reason.counter());
        handler.end(flow, reason);
    }
}
