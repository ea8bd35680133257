package io.offhook.bench.scan;

import io.offhook.analysis.CallProtocols;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureMemory;
import java.util.List;
import java.util.Locale;

/**
 * Scans packets in memory for all headers, as jNetPcap's test did: a replay delivers them in batches, each is walked to its
 * end, and the headers found are counted. Payload does not count.
 */
public final class HeaderScan {
    private static final int BATCH_FRAMES = 4096;
    private static final long MOST_BYTES = 1L << 30;

    /** The work per packet; each includes the previous one. */
    enum Way {
        /** All layers are listed with their positions, in the index of the walker. */
        LAYERS,
        /** In addition, a view is wrapped around each header. */
        VIEWS,
        /** In addition, the application is determined; if it is recognised, it counts as a header. */
        APPLICATIONS
    }

    private final PacketWalker walker = new PacketWalker();
    private final FrameBatch batch = new FrameBatch(BATCH_FRAMES);
    private final ApplicationRecognizer applications = CallProtocols.recognizer();
    private final HeaderViews views = new HeaderViews();
    private final Way way;
    private long packets;
    private long headers;

    HeaderScan(Way way) {
        this.way = way;
    }

    /** Scans all packets of a source. */
    void scan(PacketSource source) {
        while (source.next(batch)) {
            long found = 0;
            for (int i = 0; i < batch.count(); i++) {
                found += scan(batch, i);
            }
            packets += batch.count();
            headers += found;
        }
    }

    /** Scans one packet, and returns the number of its headers. */
    int scan(FrameBatch batch, int i) {
        walker.walk(batch, i);
        int found = headersOfLast();
        if (way != Way.LAYERS) {
            views.peer(walker);
            if (way == Way.APPLICATIONS && applications.recognize(walker) != null) {
                found++;
            }
        }
        return found;
    }

    /** The headers of the packet walked last, without the payload at its end. */
    private int headersOfLast() {
        int layers = walker.layerCount();
        return layers > 0 && walker.layerType(layers - 1) == LayerType.PAYLOAD ? layers - 1 : layers;
    }

    long packets() {
        return packets;
    }

    long headers() {
        return headers;
    }

    /** Returns the headers for which a view was wrapped or failed. */
    long peered() {
        return views.reported() + views.unreadable();
    }

    private void clear() {
        packets = 0;
        headers = 0;
    }

    /**
     * Prints a line per round: packets, headers, headers for which a view failed, nanoseconds.
     *
     * @param args a capture; rounds; how often a round scans all packets; layers, views or applications
     */
    public static void main(String[] args) {
        Way way = Way.valueOf(args[3].toUpperCase(Locale.ROOT));
        try (CaptureMemory memory = CaptureMemory.load(List.of(args[0]), MOST_BYTES)) {
            HeaderScan scan = new HeaderScan(way);
            for (int round = Integer.parseInt(args[1]); round > 0; round--) {
                scan.clear();
                long peered = scan.peered();
                long unreadable = scan.views.unreadable();
                long startNs = System.nanoTime();
                for (int pass = Integer.parseInt(args[2]); pass > 0; pass--) {
                    scan.scan(memory.replay());
                }
                long tookNs = System.nanoTime() - startNs;
                if (way != Way.LAYERS && peered == scan.peered()) {
                    throw new IllegalStateException("no header was peered");
                }
                if (way == Way.VIEWS && scan.peered() - peered != scan.headers) {
                    throw new IllegalStateException(
                            "of " + scan.headers + " headers " + (scan.peered() - peered) + " were peered");
                }
                System.out.println(scan.packets + " " + scan.headers + " " + (scan.views.unreadable() - unreadable)
                        + " " + tookNs);
            }
        }
    }
}
