package io.offhook.cli.calls;

import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.OwnDrops;
import io.offhook.cli.terminal.Rates;
import io.offhook.live.LiveCounts;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.util.List;

/** The heading of a live capture: duration, packets, rates and drops. */
public final class LiveHeading {
    private static final long SECOND_NS = 1_000_000_000L;

    private final String names;
    private final long startNs;
    private long markNs;
    private long markPackets;
    private long markBytes;
    private String rate = "";

    /**
     * @param names the names of the interfaces, for display
     * @param startNs the start of the capture, nanoseconds since the epoch
     */
    public LiveHeading(String names, long startNs) {
        this.names = names;
        this.startNs = startNs;
        markNs = startNs;
    }

    /** "eth0, 0:42: 123,456 packets, 1,200 packets/s, 2.1 Mbit/s". */
    public String line(LiveCounts counts, long bytes, long nowNs) {
        long sinceNs = nowNs - markNs;
        if (sinceNs >= SECOND_NS) {
            double seconds = sinceNs / 1e9;
            rate = ", " + Rates.text((counts.received() - markPackets) / seconds, (bytes - markBytes) * 8 / seconds);
            markNs = nowNs;
            markPackets = counts.received();
            markBytes = bytes;
        }
        return names + ", " + Times.duration(nowNs - startNs) + ": " + Words.count(counts.received(), "packet") + rate;
    }

    /** "dropped by kernel 0, ring 0, budget 0; counted: SIP malformed 3". The second part is omitted if empty. */
    public String drops(LiveCounts counts, List<CaptureReport.Counter> counters) {
        StringBuilder line = new StringBuilder(dropped(counts, counters));
        String separator = "; counted: ";
        for (CaptureReport.Counter counter : counters) {
            line.append(separator)
                    .append(Words.ofCamelCase(counter.name()))
                    .append(' ')
                    .append(Decimals.grouped(counter.count()));
            separator = ", ";
        }
        return line.toString();
    }

    /** Whether anything was dropped, by whomever. */
    public static boolean hasDropped(LiveCounts counts, List<CaptureReport.Counter> counters) {
        return counts.kernelDrops() > 0 || counts.ringDrops() > 0 || ofBudgets(counters) > 0;
    }

    /** The number of evictions from full tables and buffers, summed over their counters. */
    private static long ofBudgets(List<CaptureReport.Counter> counters) {
        long sum = 0;
        for (CaptureReport.Counter counter : counters) {
            sum += OwnDrops.isDrop(counter) ? counter.count() : 0;
        }
        return sum;
    }

    /** "dropped by kernel 0, ring 0, budget 0". */
    static String dropped(LiveCounts counts, List<CaptureReport.Counter> counters) {
        return "dropped by kernel " + Decimals.grouped(counts.kernelDrops()) + ", ring "
                + Decimals.grouped(counts.ringDrops()) + ", budget " + Decimals.grouped(ofBudgets(counters));
    }

    /** "12,345 packets came, 12,345 read; dropped by kernel 0, ring 0, budget 0.", the last line. */
    public static String last(LiveCounts counts, List<CaptureReport.Counter> counters) {
        return Words.count(counts.received(), "packet") + " came, " + Decimals.grouped(counts.delivered()) + " read; "
                + dropped(counts, counters) + ".";
    }
}
