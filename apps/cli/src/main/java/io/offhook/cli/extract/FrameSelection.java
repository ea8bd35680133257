package io.offhook.cli.extract;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.Endpoint;
import io.offhook.packet.walk.PacketWalker;
import org.jspecify.annotations.Nullable;

/** The frames that a {@link CallFilter} selects: those of its calls, or by address and time. */
public final class FrameSelection {
    private final CallFilter filter;
    private final boolean isOpen;
    private final @Nullable CallFrames ofCalls;
    private boolean begun;

    private FrameSelection(CallFilter filter, @Nullable CallFrames ofCalls) {
        this.filter = filter;
        this.isOpen = filter.isOpen();
        this.ofCalls = ofCalls;
    }

    /** Selects frames by address and time; the filter does not {@linkplain CallFilter#asksForCalls ask for calls}. */
    public static FrameSelection of(CallFilter filter) {
        return new FrameSelection(filter, null);
    }

    /** Selects frames of files, which are read twice first if the filter asks for calls. */
    public static FrameSelection of(
            RereadableFiles files, CallFilter filter, AnalysisOptions options, Terminal terminal) {
        return new FrameSelection(
                filter, filter.asksForCalls() ? CallExtract.framesOfCalls(files, filter, options, terminal) : null);
    }

    /** Whether a frame is selected. Called for all frames, in the order of the capture. */
    public boolean includes(long number, long timestampNs, PacketWalker walker) {
        if (isOpen) {
            return true;
        }
        CallFrames frames = ofCalls;
        if (frames != null) {
            return frames.contains(number);
        }
        if (!begun) {
            begun = true;
            filter.beginningAt(timestampNs);
        }
        return filter.matchesTime(timestampNs)
                && filter.matchesAddress(
                        new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort()),
                        new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort()));
    }
}
