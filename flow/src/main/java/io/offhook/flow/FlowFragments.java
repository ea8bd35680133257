package io.offhook.flow;

import io.offhook.packet.PacketWalker;
import io.offhook.packet.WrapStatus;
import org.jspecify.annotations.Nullable;

/**
 * Which flow the fragments of a datagram belong to: that of the first fragment, which alone has ports. Remembers the
 * datagrams of the last first fragments; when it is full, the one gives way that came first.
 */
final class FlowFragments {
    private static final int LIMIT = 4096;
    /** How long after its first fragment another one can still belong to the same datagram. */
    private static final long TIMEOUT_NS = 30_000_000_000L;

    private final KeyTable table = new KeyTable(LIMIT);
    private final AgeList ages = new AgeList();
    private final @Nullable Flow[] flows = new Flow[LIMIT];
    private final long[] timestampNs = new long[LIMIT];
    private final FragmentView fragment = new FragmentView();

    // the key asked for last, so that what was not found can be added
    private boolean isKey;
    private int hash;
    private long last;

    /** The flow of the datagram that the packet is a later fragment of, or null. */
    @Nullable
    Flow flowOf(PacketWalker walker, int path, long timestampNs) {
        int number = find(walker, path);
        if (number == KeyTable.NONE || PacketTime.isApart(timestampNs, this.timestampNs[number], TIMEOUT_NS)) {
            return null;
        }
        return flows[number];
    }

    /** The packet is the first fragment of a datagram of that flow. */
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

    /** The number of the packet's datagram, or NONE; {@link #isKey} says whether it has one. */
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
