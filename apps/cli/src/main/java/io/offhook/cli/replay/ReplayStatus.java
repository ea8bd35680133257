package io.offhook.cli.replay;

import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Rates;
import io.offhook.cli.terminal.StatusLine;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.replay.Replay;
import io.offhook.live.replay.ReplayReport;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;

/** The status line of a replay: packets, rate, refused packets and lateness. */
final class ReplayStatus {
    private final Replay replay;
    private long packets;
    private long bytes;

    private ReplayStatus(Replay replay) {
        this.replay = replay;
    }

    /** Shows the status until closed, and samples the placement of lanes. */
    static StatusLine of(Replay replay, LanePlacement placement, Terminal terminal) {
        return StatusLine.of(placement::sample, new ReplayStatus(replay)::line, terminal);
    }

    private String line(double seconds) {
        long packetsBefore = packets;
        long bytesBefore = bytes;
        ReplayReport report = replay.report();
        packets = report.counts().sent();
        bytes = report.counts().sentBytes();
        return line(report, (packets - packetsBefore) / seconds, (bytes - bytesBefore) * 8 / seconds);
    }

    /** "12,345 packets, 1.2 MB; 1,000 packets/s, 0.8 Mbit/s; refused 0; at worst 0.1 ms late". */
    static String line(ReplayReport report, double framesPerSecond, double bitsPerSecond) {
        return Words.count(report.counts().sent(), "packet") + ", "
                + Progress.bytes(report.counts().sentBytes()) + "; "
                + Rates.text(framesPerSecond, bitsPerSecond) + "; refused "
                + Decimals.grouped(report.counts().refused()) + "; at worst "
                + Decimals.shortest(report.lateNs() / 1e6, 3) + " ms late";
    }
}
