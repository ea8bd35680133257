package io.offhook.cli;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.PcapNgWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The packets of some calls: finds them, and writes them to a file of their own. */
final class CallExtract {
    private static final int BATCH_FRAMES = 4096;

    private CallExtract() {}

    /** The frames of the calls that a filter lets through. Reads the files twice. */
    static CallExtractFrames framesOfCalls(
            CallExtractFiles files, CallFilter filter, AnalysisOptions options, Terminal terminal) {
        List<CallReport> calls;
        try (CaptureInput input = files.open(terminal)) {
            AnalysisResult result = input.analyse(options);
            filter.beginningAt(result.capture().firstNs());
            calls = result.calls().stream().filter(filter::matches).toList();
        }
        return frames(files, calls, terminal);
    }

    /** The frames of calls, which were found in these files. Reads them once. */
    static CallExtractFrames frames(CallExtractFiles files, List<CallReport> calls, Terminal terminal) {
        return frames(files, calls, false, terminal);
    }

    /** As {@link #frames(CallExtractFiles, List, Terminal)}, with the calls of each frame where they are asked for. */
    static CallExtractFrames frames(
            CallExtractFiles files, List<CallReport> calls, boolean isByCall, Terminal terminal) {
        try (CaptureInput input = files.open(terminal);
                Progress _ = input.progress()) {
            return CallExtractPass.run(input.source(), calls, isByCall);
        }
    }

    /**
     * Writes the packets of a call to a pcapng file, with their times, lengths and link types. Reads the files twice.
     *
     * @param target was {@linkplain CallTarget#check checked}
     * @return how many
     * @throws IOException when it cannot be written
     */
    static long write(CallExtractFiles files, CallReport call, CallTarget target, Terminal terminal)
            throws IOException {
        CallExtractFrames frames = frames(files, List.of(call), terminal);
        try (CaptureInput input = files.open(terminal);
                Progress _ = input.progress();
                PcapNgWriter writer = target.open("Call-ID " + call.callId())) {
            FrameBatch batch = new FrameBatch(BATCH_FRAMES);
            long latestNs = PacketSource.END_NOT_TOLD;
            while (input.source().next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    latestNs = Math.max(latestNs, batch.timestampNs(i));
                    if (frames.contains(batch.number(i))) {
                        writer.write(
                                batch.segmentOf(i),
                                batch.offset(i),
                                batch.capturedLength(i),
                                batch.wireLength(i),
                                batch.timestampNs(i),
                                batch.linkType(i));
                    }
                }
            }
            // that nothing more came is known from the packets of others: it decides how an unfinished call ended
            writer.endOfCapture(Math.max(latestNs, input.source().endNs()));
            return writer.packets();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof OutputClosedException closed) {
                throw closed;
            }
            throw new IOException(target + ": " + e.getMessage(), e.getCause());
        }
    }
}
