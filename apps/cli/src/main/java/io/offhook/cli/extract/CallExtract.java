package io.offhook.cli.extract;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.FrameLoop;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.OutputClosedException;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.decrypt.KeyLog;
import io.offhook.decrypt.WrittenSecrets;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

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
            AnalysisOptions options = AnalysisOptions.defaults();
            KeyOptions keys = input.keys();
            CallFrames found = CallFrames.find(
                    input.source(),
                    calls,
                    isByCall,
                    options.lanes(),
                    keys == null ? null : keys.in(options).tls());
            input.failed(found.defect());
            if (found.untraced() > 0) {
                terminal.error("tcpPacketsUntraced: " + Words.count(found.untraced(), "packet")
                        + " of TCP connections beyond a limit; of them, only those with bytes of SIP messages"
                        + " are found");
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
        return write(files, List.of(call), target, terminal);
    }

    /** As {@link #write(RereadableFiles, CallReport, PacketTarget, Terminal)}, for several calls. */
    public static long write(RereadableFiles files, List<CallReport> calls, PacketTarget target, Terminal terminal)
            throws IOException {
        String comment = calls.size() == 1 ? "Call-ID " + calls.getFirst().callId() : Words.count(calls.size(), "call");
        CallFrames frames = frames(files, calls, terminal);
        byte[] secrets = target.isWithSecrets() ? secrets(files, frames, terminal) : new byte[0];
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            return copy(input.source(), frames, linkType -> open(target, comment, linkType, secrets));
        } catch (LinkTypeException e) {
            target.delete();
            throw new MisuseException("-w " + target + ": the " + (calls.size() == 1 ? "call has" : "calls have")
                    + " packets of several link types, which pcap cannot"
                    + " hold; name a file that ends in .pcapng");
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof OutputClosedException closed) {
                throw closed;
            }
            throw new IOException(target + ": " + e.getMessage(), e.getCause());
        }
    }

    /** The secrets of the TLS connections that begin in the frames. Reads the files once. */
    private static byte[] secrets(RereadableFiles files, CallFrames frames, Terminal terminal) {
        KeyOptions keys = files.keys();
        if (keys == null) {
            return new byte[0];
        }
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            WrittenSecrets secrets = new WrittenSecrets(keys.keys(), frames::contains);
            FrameLoop loop = new FrameLoop(input.source(), BATCH_FRAMES);
            loop.run(secrets);
            input.failed(loop.defect());
            return secrets.keyLog();
        }
    }

    private static PacketSink open(PacketTarget target, String comment, int linkType, byte[] secrets)
            throws IOException {
        PacketSink sink = target.open(comment, linkType);
        if (secrets.length > 0 && sink instanceof PcapNgWriter writer) {
            writer.secrets(KeyLog.PCAPNG_TLS_KEY_LOG, secrets);
            Arrays.fill(secrets, (byte) 0);
        }
        return sink;
    }

    /** Makes what packets are written to. */
    @FunctionalInterface
    public interface Opener {
        /** Opens it; the first packet has that link type. */
        PacketSink open(int linkType) throws IOException;
    }

    /**
     * Copies frames, with their times, lengths and link types.
     *
     * @param source is read to its end
     * @param opener called once, with the first frame
     * @return the number of packets written
     */
    public static long copy(PacketSource source, CallFrames frames, Opener opener) throws IOException {
        return copy(source, frames::contains, opener);
    }

    /**
     * Copies frames, with their times, lengths and link types.
     *
     * @param source is read to its end
     * @param frames whether a frame is copied, by its number
     * @param opener called once, with the first frame
     * @return the number of packets written
     */
    public static long copy(PacketSource source, LongPredicate frames, Opener opener) throws IOException {
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        long latestNs = PacketSource.END_NOT_TOLD;
        long packets = 0;
        PacketSink sink = null;
        try {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    latestNs = Math.max(latestNs, batch.timestampNs(i));
                    if (frames.test(batch.number(i))) {
                        sink = sink == null ? opener.open(batch.linkType(i)) : sink;
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
            sink = sink == null ? opener.open(LinkType.ETHERNET) : sink;
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
