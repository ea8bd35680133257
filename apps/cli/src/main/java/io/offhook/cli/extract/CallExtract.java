package io.offhook.cli.extract;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallFrames;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.OutputClosedException;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Finds the packets of calls, and writes those of one call to a file. */
public final class CallExtract {
    private static final int BATCH_FRAMES = 4096;

    private CallExtract() {}

    /** The frames of the calls that a filter selects. Reads the files twice. */
    public static CallFrames framesOfCalls(
            RereadableFiles files, CallFilter filter, AnalysisOptions options, Terminal terminal) {
        List<CallReport> calls;
        try (OpenCapture input = files.open(terminal)) {
            AnalysisResult result = input.analyse(options);
            filter.beginningAt(result.capture().firstNs());
            calls = result.calls().stream().filter(filter::matches).toList();
        }
        return frames(files, calls, terminal);
    }

    /** The frames of calls that were found in these files. Reads the files once. */
    static CallFrames frames(RereadableFiles files, List<CallReport> calls, Terminal terminal) {
        return frames(files, calls, false, terminal);
    }

    /** As {@link #frames(RereadableFiles, List, Terminal)}, with the calls of each frame if requested. */
    public static CallFrames frames(
            RereadableFiles files, List<CallReport> calls, boolean isByCall, Terminal terminal) {
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            CallFrames found = CallFrames.find(
                    input.source(), calls, isByCall, AnalysisOptions.defaults().lanes());
            input.failed(found.defect());
            if (found.untraced() > 0) {
                terminal.error(
                        "tcpPacketsUntraced: " + Words.count(found.untraced(), "packet")
                                + " of TCP connections beyond a limit; of them, only those with bytes of SIP messages are found");
            }
            if (found.untracedFragments() > 0) {
                terminal.error("fragmentsUntraced: " + Words.count(found.untracedFragments(), "fragment")
                        + " beyond a limit; those of the calls are missing");
            }
            return found;
        }
    }

    /**
     * Writes the packets of a call to a file, with their times, lengths and link types. Reads the files twice.
     *
     * @param target the target, already {@linkplain PacketTarget#check checked}
     * @return the number of packets written
     * @throws IOException if the target cannot be written
     */
    public static long write(RereadableFiles files, CallReport call, PacketTarget target, Terminal terminal)
            throws IOException {
        CallFrames frames = frames(files, List.of(call), terminal);
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            return write(input.source(), frames, "Call-ID " + call.callId(), target);
        } catch (LinkTypeException e) {
            target.delete();
            throw new MisuseException("-w " + target + ": the call has packets of several link types, which pcap cannot"
                    + " hold; name a file that ends in .pcapng");
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof OutputClosedException closed) {
                throw closed;
            }
            throw new IOException(target + ": " + e.getMessage(), e.getCause());
        }
    }

    private static long write(PacketSource source, CallFrames frames, String comment, PacketTarget target)
            throws IOException {
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        long latestNs = PacketSource.END_NOT_TOLD;
        long packets = 0;
        PacketSink sink = null;
        try {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    latestNs = Math.max(latestNs, batch.timestampNs(i));
                    if (frames.contains(batch.number(i))) {
                        sink = sink == null ? target.open(comment, batch.linkType(i)) : sink;
                        sink.write(
                                batch.segmentOf(i),
                                batch.offset(i),
                                batch.capturedLength(i),
                                batch.wireLength(i),
                                batch.timestampNs(i),
                                batch.linkType(i));
                        packets++;
                    }
                }
            }
            sink = sink == null ? target.open(comment, LinkType.ETHERNET) : sink;
            if (sink instanceof PcapNgWriter writer) {
                // the end of the whole capture decides the outcome of an unfinished call
                writer.endOfCapture(Math.max(latestNs, source.endNs()));
            }
            return packets;
        } finally {
            if (sink != null) {
                sink.close();
            }
        }
    }
}
