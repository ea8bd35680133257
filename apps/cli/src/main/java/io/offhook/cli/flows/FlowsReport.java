package io.offhook.cli.flows;

import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.OpenCapture;
import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowCounter;
import io.offhook.flow.table.FlowHandler;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.CaptureFile;
import io.offhook.report.fields.FieldWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The flows of a capture and its counters. */
final class FlowsReport {
    /** The limit of listed flows; flows that end later are only counted. */
    private static final int MAX_LINES = 1 << 19;

    private static final FlowCounter[] COUNTERS = {
        FlowCounter.NOT_IP, FlowCounter.FRAGMENTS_WITHOUT_PORTS, FlowCounter.PATHS_SHARED, FlowCounter.EVICTED
    };

    private final List<Line> lines = new ArrayList<>();
    private final FlowTable table;
    private final PlacedCount leftOut = new PlacedCount();
    private final PlacedCount[] stops = new PlacedCount[PacketWalker.Stop.values().length];
    private final SortedSet<Integer> linkTypes = new TreeSet<>();
    private long packets;
    private long bytes;
    private long firstNs;
    private long lastNs;

    /** A flow and the reason for its end. */
    record Line(Flow flow, FlowHandler.End reason) {}

    FlowsReport(FlowLimits limits) {
        table = new FlowTable(limits, this::ended);
        for (int i = 0; i < stops.length; i++) {
            stops[i] = new PlacedCount();
        }
    }

    private void ended(Flow flow, FlowHandler.End reason) {
        if (lines.size() < MAX_LINES) {
            lines.add(new Line(flow, reason));
        } else {
            leftOut.add(flow.firstFrameNumber(), flow.earliestNs());
        }
    }

    @SuppressWarnings("EnumOrdinal") // used only as an index of this array
    void add(PacketWalker walker, PacketWalker.Stop stop, FrameBatch batch, int i) {
        long timestampNs = batch.timestampNs(i);
        firstNs = packets == 0 ? timestampNs : firstNs;
        lastNs = timestampNs;
        packets++;
        bytes += batch.wireLength(i);
        int linkType = batch.linkType(i);
        if (packets == 1 || linkType != linkTypes.getLast()) {
            linkTypes.add(linkType);
        }
        if (stop != PacketWalker.Stop.COMPLETE) {
            stops[stop.ordinal()].add(batch.number(i), timestampNs);
        }
        table.add(walker, batch.wireLength(i), timestampNs, batch.number(i));
    }

    /** Ends all flows, after the last packet. */
    void end() {
        table.flush();
    }

    List<Line> lines(Comparator<Flow> order) {
        lines.sort((a, b) -> order.compare(a.flow(), b.flow()));
        return lines;
    }

    long packets() {
        return packets;
    }

    long spanNs() {
        return lastNs - firstNs;
    }

    /** The counters of packets not decoded and flows not kept. */
    @SuppressWarnings("EnumOrdinal")
    List<CaptureReport.Counter> counters() {
        List<CaptureReport.Counter> counters = new ArrayList<>();
        add(counters, "truncatedPackets", stops[PacketWalker.Stop.TRUNCATED.ordinal()]);
        add(counters, "malformedPackets", stops[PacketWalker.Stop.MALFORMED.ordinal()]);
        add(counters, "unsupportedPackets", stops[PacketWalker.Stop.UNSUPPORTED.ordinal()]);
        add(counters, "tooDeepPackets", stops[PacketWalker.Stop.TOO_DEEP.ordinal()]);
        for (FlowCounter counter : COUNTERS) {
            add(counters, counter.label(), table.placed(counter));
        }
        add(counters, "flowsLeftOut", leftOut);
        return counters;
    }

    private static void add(List<CaptureReport.Counter> counters, String name, PlacedCount count) {
        if (count.count() > 0) {
            counters.add(new CaptureReport.Counter(
                    name, count.count(), count.firstFrame(), count.lastFrame(), count.firstNs(), count.lastNs()));
        }
    }

    /** Writes all fields into the open object of the capture. */
    void write(FieldWriter out, OpenCapture input) {
        out.array("files");
        for (CaptureFile file : input.files()) {
            out.object();
            CaptureFields.file(out, file);
            out.field("packets", file.packets()).end();
        }
        out.end();
        out.field("packets", packets).field("bytes", bytes);
        if (packets == 0) {
            out.nullField("firstAt").nullField("lastAt").nullField("durationMs");
        } else {
            out.time("firstAt", firstNs).time("lastAt", lastNs).milliseconds("durationMs", lastNs - firstNs);
        }
        out.array("linkTypes");
        for (int linkType : linkTypes) {
            out.element(LinkType.name(linkType));
        }
        out.end();
        CaptureFields.counters(out, counters());
        CaptureFields.faults(out, input.faults());
    }
}
