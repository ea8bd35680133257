package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.audio.AudioListener;
import io.offhook.calls.StreamReport;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.decrypt.MediaKeys;
import io.offhook.decrypt.SrtpOpener;
import io.offhook.pcap.PacketSource;
import io.offhook.report.text.Words;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens encrypted streams, so that they can be heard: a pass over the files finds their keys, in SDP, in the handshakes that a key
 * log opens, and in a file of keys. {@link #close} overwrites them.
 */
public final class OpenedAudio implements AutoCloseable {
    /** Those of the capture itself. */
    private final DecryptionKeys own;

    private final MediaKeys media;
    private final Map<StreamReport, SrtpOpener> openers = new LinkedHashMap<>();

    private OpenedAudio(DecryptionKeys own, MediaKeys media) {
        this.own = own;
        this.media = media;
    }

    /** Reads the files once, for their keys. */
    public static OpenedAudio of(RereadableFiles files, Terminal terminal) {
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            OpenedAudio opened = of(input.source(), files.keys());
            input.failed(opened.media.defect());
            return opened;
        }
    }

    /**
     * Reads a source to its end, for its keys.
     *
     * @param given other keys, or null
     */
    public static OpenedAudio of(PacketSource source, @Nullable KeyOptions given) {
        DecryptionKeys own = DecryptionKeys.ofCapture();
        try {
            int lanes = AnalysisOptions.defaults().lanes();
            return new OpenedAudio(own, MediaKeys.find(source, given == null ? own : given.keys(), lanes));
        } catch (RuntimeException | Error e) {
            own.close();
            throw e;
        }
    }

    /** The result with the telephone-events inside SRTP that keys open; reads the files twice. */
    static AnalysisResult events(AnalysisResult result, RereadableFiles files, Terminal terminal) {
        try (OpenedAudio audio = of(files, terminal);
                OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            AudioListener listener = AudioListener.events(result, input.source(), audio::opener);
            input.failed(listener.defect());
            return listener.in(result);
        }
    }

    /**
     * The result with the telephone-events inside SRTP that keys open.
     *
     * @param packets opens what the result is of, each time from its beginning; read only if there are such events
     * @param given other keys than those of SDP, or null
     */
    public static AnalysisResult events(
            AnalysisResult result, Supplier<PacketSource> packets, @Nullable KeyOptions given) {
        if (!hasClosedEvents(result)) {
            return result;
        }
        try (PacketSource source = packets.get();
                OpenedAudio audio = of(source, given);
                PacketSource again = packets.get()) {
            return AudioListener.events(result, again, audio::opener).in(result);
        }
    }

    static boolean hasClosedEvents(AnalysisResult result) {
        return result.streams().stream().anyMatch(StreamReport::hasClosedEvents)
                || result.calls().stream()
                        .anyMatch(call -> call.streams().stream().anyMatch(StreamReport::hasClosedEvents));
    }

    static AnalysisResult heard(AnalysisResult result, RereadableFiles files, Terminal terminal) {
        try (OpenedAudio audio = of(files, terminal);
                OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            AudioListener listener = AudioListener.listen(result, input.source(), audio::opener);
            input.failed(listener.defect());
            audio.report(terminal);
            return listener.in(result);
        }
    }

    /** What opens the packets of a stream, from the first one on, until this is closed or asked again; null without keys. */
    public @Nullable SrtpOpener opener(StreamReport stream) {
        SrtpOpener opener = media.opener(stream);
        if (opener != null) {
            SrtpOpener before = openers.put(stream, opener);
            if (before != null) {
                before.close();
            }
        }
        return opener;
    }

    /** Whether some stream has keys that open none of its packets. */
    public boolean isKeyWrong() {
        return openers.values().stream().anyMatch(SrtpOpener::isKeyWrong);
    }

    /** Whether some stream was opened at least in part. */
    public boolean isAnyOpened() {
        return openers.values().stream().anyMatch(opener -> opener.opened() > 0);
    }

    /** Names the streams whose keys are wrong, on standard error. */
    public void report(Terminal terminal) {
        openers.forEach((stream, opener) -> {
            if (opener.isKeyWrong()) {
                terminal.error(
                        "the keys for the SRTP stream " + stream.source() + " > " + stream.destination() + ", SSRC 0x"
                                + Long.toHexString(stream.ssrc()) + ", are wrong: they open none of "
                                + Words.count(opener.closed(), "packet"));
            }
        });
        if (media.unsupportedKeys() > 0) {
            terminal.error(Words.count(media.unsupportedKeys(), "line")
                    + " of a=crypto not used: a suite or key that is" + " not supported");
        }
    }

    @Override
    public void close() {
        openers.values().forEach(SrtpOpener::close);
        media.close();
        own.close();
    }
}
