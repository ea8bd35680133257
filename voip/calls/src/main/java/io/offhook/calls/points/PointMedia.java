package io.offhook.calls.points;

import io.offhook.calls.StreamReport;
import io.offhook.calls.event.TrafficSink;
import io.offhook.rtp.RtpRows;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the packets of the streams of one point that were seen at other points, too. Give it to a second run over the
 * same capture. Packets of a stream come from one shard, so that no two threads add to one list.
 */
public final class PointMedia implements TrafficSink {
    private final List<PointStream> streams;
    /** Indexes of streams by hash; -1 is empty. */
    private final int[] slots;

    private final long[] hashes;
    private final long[] portsSsrc;

    PointMedia(List<PointStream> streams) {
        this.streams = streams;
        int size = Math.max(8, Integer.highestOneBit(streams.size()) * 4);
        slots = new int[size];
        Arrays.fill(slots, -1);
        hashes = new long[streams.size()];
        portsSsrc = new long[streams.size()];
        for (int i = 0; i < streams.size(); i++) {
            StreamReport report = streams.get(i).report();
            portsSsrc[i] = (long) report.source().port() << 48
                    | (long) report.destination().port() << 32
                    | report.ssrc();
            hashes[i] = RtpRows.hash(report.source(), report.destination(), report.ssrc());
            int slot = (int) hashes[i] & size - 1;
            while (slots[slot] >= 0) {
                slot = slot + 1 & size - 1;
            }
            slots[slot] = i;
        }
    }

    /** Whether there is nothing to collect. */
    public boolean isEmpty() {
        return streams.isEmpty();
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
            int stream = find(rows.hash(row), rows.portsSsrc(row));
            if (stream >= 0) {
                streams.get(stream).packets().packet(rows, row);
            }
        }
    }

    private int find(long hash, long ports) {
        int slot = (int) hash & slots.length - 1;
        while (slots[slot] >= 0) {
            int stream = slots[slot];
            if (hashes[stream] == hash && portsSsrc[stream] == ports) {
                return stream;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return -1;
    }
}
