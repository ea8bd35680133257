package io.offhook.cli.capture;

import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.StatusLine;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;

/** The status line of a capture: packets, rate, and drops by cause. */
final class CaptureStatus {
    private final CaptureRun run;
    private long packets;
    private long bytes;

    private CaptureStatus(CaptureRun run) {
        this.run = run;
    }

    /** Shows the status until closed, and samples the placement of lanes. */
    static StatusLine of(CaptureRun run, LanePlacement placement, Terminal terminal) {
        return StatusLine.of(placement::sample, new CaptureStatus(run)::line, terminal);
    }

    private String line(double seconds) {
        long packetsBefore = packets;
        long bytesBefore = bytes;
        packets = run.packets();
        bytes = run.bytes();
        return line(
                packets,
                Math.round((packets - packetsBefore) / seconds),
                Math.round((bytes - bytesBefore) / seconds),
                run.counts(),
                run.diskDrops());
    }

    /** "12,345 packets, 1,204 a second, 1.2 MB/s; dropped by kernel 0, ring 0, disk 0". */
    static String line(long packets, long packetsPerSecond, long bytesPerSecond, LiveCounts counts, long diskDrops) {
        return Words.count(packets, "packet") + ", " + Decimals.grouped(packetsPerSecond) + " a second, "
                + Progress.bytes(bytesPerSecond) + "/s; " + drops(counts, diskDrops);
    }

    /** "dropped by kernel 0, ring 0, disk 0". */
    static String drops(LiveCounts counts, long diskDrops) {
        return "dropped by kernel " + Decimals.grouped(counts.kernelDrops()) + ", ring "
                + Decimals.grouped(counts.ringDrops()) + ", disk " + Decimals.grouped(diskDrops);
    }
}
