package io.offhook.pcap;

import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A source that delivers only the frames that match a filter. They keep their numbers; the others are {@linkplain
 * #filtered counted} and dropped.
 *
 * <pre>{@code
 * PacketSource sip = new FilteredSource(source, linkType -> PacketFilter.of("udp port 5060", linkType));
 * }</pre>
 *
 * <p>A filter is made for each link type when its first frame arrives. It examines each frame as captured, as libpcap
 * does: of a fragmented datagram only the first fragment has ports, so {@code udp port 5060} drops the others.
 */
public final class FilteredSource extends WrappedSource {
    private final PacketSource source;
    private final IntFunction<PacketFilter> filterOfLinkType;
    private final PlacedCount filtered = new PlacedCount();
    /** The link types seen, and the filter of each at the same index. */
    private int[] linkTypes = {};

    private final List<PacketFilter> filters = new ArrayList<>();

    private int[] wanted = {};

    /**
     * Wraps a source; closing this one closes it.
     *
     * @param filterOfLinkType makes the filter for a {@link io.offhook.packet.LinkType} value, called once for each;
     *     {@link #next} throws what it throws
     */
    public FilteredSource(PacketSource source, IntFunction<PacketFilter> filterOfLinkType) {
        super(source);
        this.source = source;
        this.filterOfLinkType = filterOfLinkType;
    }

    @Override
    public boolean next(FrameBatch batch) {
        while (source.next(batch)) {
            if (batch.count() == 0) {
                return true; // a live source that has nothing now
            }
            try {
                sift(batch);
            } catch (InternalError e) {
                if (!source.hasLostMemory()) {
                    throw e;
                }
                batch.retain(wanted, 0); // the source reports the fault, and no frame can be read any more
                return false;
            }
            if (batch.count() > 0 || source.isLive()) {
                return true; // while all frames are dropped, the consumer of a live source still checks the time
            }
        }
        return false;
    }

    private void sift(FrameBatch batch) {
        int count = batch.count();
        if (wanted.length < count) {
            wanted = new int[batch.capacity()];
        }
        int kept = 0;
        int linkType = -1;
        PacketFilter filter = null;
        for (int i = 0; i < count; i++) {
            if (filter == null || batch.linkType(i) != linkType) {
                linkType = batch.linkType(i);
                filter = filterFor(linkType);
            }
            int wantedBytes =
                    filter.match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i));
            if (wantedBytes != 0) {
                wanted[kept++] = i;
            } else {
                filtered.add(batch.number(i), batch.timestampNs(i));
            }
        }
        if (kept < count) {
            batch.retain(wanted, kept);
        }
    }

    private PacketFilter filterFor(int linkType) {
        for (int i = 0; i < linkTypes.length; i++) {
            if (linkTypes[i] == linkType) {
                return filters.get(i);
            }
        }
        PacketFilter made = filterOfLinkType.apply(linkType);
        linkTypes = Arrays.copyOf(linkTypes, linkTypes.length + 1);
        linkTypes[linkTypes.length - 1] = linkType;
        filters.add(made);
        return made;
    }

    /** Returns the frames dropped so far, and their place. */
    @Override
    public PlacedCount filtered() {
        PlacedCount sum = new PlacedCount();
        sum.add(filtered);
        sum.add(source.filtered());
        return sum;
    }
}
