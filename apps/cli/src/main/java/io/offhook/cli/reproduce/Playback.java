package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.messages.CallMessages;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.CaptureRefusedException;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveSource;
import io.offhook.live.packetsocket.PacketSocketBackend;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.file.PcapNgWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that was played on loopback, between two addresses of 127.0.0.0/8 that nobody else uses, while everything between
 * them was captured.
 *
 * @param isPassed whether both sipp went through their scripts
 * @param isInterrupted whether Ctrl-C ended it
 * @param said what the script printed; "" if nothing
 * @param call the call in the new capture; null if there is none
 * @param messages of it
 */
record Playback(
        boolean isPassed,
        boolean isInterrupted,
        String said,
        @Nullable CallReport call,
        CallMessages messages) {
    /** The capture, in the folder of the scenario. */
    static final String CAPTURE = "played.pcapng";

    private static final int BATCH_FRAMES = 4096;
    private static final int GRACE_S = 30;
    private static final int MOST_SAID = 8000;

    /**
     * Plays a scenario and reads what was captured.
     *
     * @param folder with the files of the scenario; the capture is written into it
     * @param options of the analysis of the original capture
     * @param stop ends it
     * @throws MisuseException if loopback cannot be captured, or sipp is missing
     * @throws IOException if the capture cannot be written
     */
    static Playback play(Path folder, Reproduction scenario, AnalysisOptions options, PlayStop stop, Terminal terminal)
            throws IOException {
        PlayedPlace place = scenario.isIpv6() ? PlayedPlace.ipv6(scenario.media()) : PlayedPlace.ipv4();
        Path capture = folder.resolve(CAPTURE);
        Path log = folder.resolve("run.log");
        Ended ended;
        try (LiveSource source = open(place)) {
            FutureTask<@Nullable Void> taking = new FutureTask<>(() -> take(source, capture), null);
            Thread.ofPlatform().daemon().name("offhook-playback").start(taking);
            ended = run(folder, place, scenario.mostSeconds() + GRACE_S, log, stop);
            source.stop();
            await(taking);
        }
        Terminal nowhere = terminal.toNowhere();
        String said = Files.readString(log, StandardCharsets.ISO_8859_1);
        Files.deleteIfExists(log);
        CallMessages messages = new CallMessages();
        CallReport call = null;
        try (RereadableFiles files = RereadableFiles.of(List.of(capture.toString()), null, nowhere, false)) {
            try (OpenCapture input = files.open(nowhere)) {
                AnalysisResult result = input.analyse(options);
                call = result.calls().isEmpty() ? null : result.calls().getFirst();
            }
            if (call != null) {
                try (OpenCapture input = files.open(nowhere)) {
                    messages.read(input, options, List.of(call));
                }
            }
        }
        return new Playback(
                ended.isPassed,
                ended.isInterrupted,
                said.substring(Math.max(0, said.length() - MOST_SAID)),
                call,
                messages);
    }

    private static LiveSource open(PlayedPlace place) {
        try {
            return new PacketSocketBackend().open(CaptureRequest.of("lo").withFilter(place.filter()));
        } catch (CaptureRefusedException e) {
            throw new MisuseException("to be played, the call must be captured on loopback: " + e.getMessage());
        }
    }

    /** Writes what arrives, until the source is stopped. */
    private static void take(LiveSource source, Path capture) {
        try (PcapNgWriter writer = PcapNgWriter.create(capture, "played by offhook reproduce")) {
            FrameBatch batch = new FrameBatch(BATCH_FRAMES);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    writer.write(batch, i);
                }
            }
            writer.endOfCapture(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
        }
    }

    private static void await(FutureTask<@Nullable Void> taking) throws IOException {
        try {
            taking.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IOException("what was played cannot be captured: " + e.getCause(), e);
        }
    }

    /** How the script ended. */
    private record Ended(boolean isPassed, boolean isInterrupted) {}

    private static Ended run(Path folder, PlayedPlace place, long seconds, Path log, PlayStop stop) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", Reproduction.RUN)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(log.toFile());
        builder.environment().putAll(place.environment());
        Process process = builder.start();
        try {
            stop.began(process);
            boolean isPassed = process.waitFor(seconds, TimeUnit.SECONDS) && process.exitValue() == 0;
            return new Ended(isPassed, stop.isStopped());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Ended(false, true);
        } finally {
            PlayStop.end(process);
        }
    }

    /** The leg that was played; null if nothing of it was captured. */
    @Nullable
    CallLeg leg() {
        List<CallLeg> legs = CallLeg.of(messages.kept());
        return legs.isEmpty() ? null : legs.getFirst();
    }
}
