package io.offhook.flow.table;

import io.offhook.flow.fragment.FragmentView;
import io.offhook.flow.state.AgeList;
import io.offhook.flow.state.KeyTable;
import io.offhook.flow.state.PacketTime;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import org.jspecify.annotations.Nullable;

/**
 * Maps the fragments of a datagram to the flow of its first fragment, which is the only one with ports. Remembers the
 * datagrams of the most recent first fragments; when it is full, the oldest is evicted.
 */
final class FlowFragments {
    private static final int LIMIT = 4096;
    /** How long after the first fragment another may belong to the same datagram, in nanoseconds. */
    private static final long TIMEOUT_NS = 30_000_000_000L;

    private final KeyTable table = new KeyTable(LIMIT);
    private final AgeList ages = new AgeList();
    private final @Nullable Flow[] flows = new Flow[LIMIT];
    private final long[] timestampNs = new long[LIMIT];
    private final FragmentView fragment = new FragmentView();

    // the key looked up last, so that a missing one can be added
    private boolean isKey;
    private int hash;
    private long last;

    /** The flow of the datagram whose later fragment this packet is; null if unknown. */
    @Nullable
    Flow flowOf(PacketWalker walker, int path, long timestampNs) {
        int number = find(walker, path);
        if (number == KeyTable.NONE || PacketTime.isApart(timestampNs, this.timestampNs[number], TIMEOUT_NS)) {
            return null;
        }
        return flows[number];
    }

    /** Notes that the packet is the first fragment of a datagram of this flow. */
    void remember(PacketWalker walker, int path, Flow flow, long timestampNs) {
        int number = find(walker, path);
        if (!isKey) {
            return;
        }
        if (number == KeyTable.NONE) {
            if (table.isFull()) {
                forget(ages.oldest());
            }
            number = table.add(
                    hash,
                    fragment.sourceHigh(),
                    fragment.sourceLow(),
                    fragment.destinationHigh(),
                    fragment.destinationLow(),
                    last);
            ages.addYoungest(number);
        } else {
            ages.makeYoungest(number);
        }
        flows[number] = flow;
        this.timestampNs[number] = timestampNs;
    }

    private void forget(int number) {
        ages.remove(number);
        table.remove(number);
        flows[number] = null;
    }

    /** The number of the packet's datagram, or NONE; sets {@link #isKey} to whether the packet has a key. */
    private int find(PacketWalker walker, int path) {
        int network = walker.network();
        isKey = fragment.wrap(walker.segment(), walker.layerOffset(network), walker.layerLength(network))
                == WrapStatus.OK;
        if (!isKey) {
            return KeyTable.NONE;
        }
        last = (long) fragment.identification() << 32 | path;
        hash = table.hash(
                fragment.sourceHigh(),
                fragment.sourceLow(),
                fragment.destinationHigh(),
                fragment.destinationLow(),
                last);
        return table.find(
                hash,
                fragment.sourceHigh(),
                fragment.sourceLow(),
                fragment.destinationHigh(),
                fragment.destinationLow(),
                last);
    }
}
