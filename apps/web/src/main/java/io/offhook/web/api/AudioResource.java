package io.offhook.web.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.audio.AudioMark;
import io.offhook.audio.AudioOptions;
import io.offhook.audio.AudioReport;
import io.offhook.audio.CallAudio;
import io.offhook.audio.HeardStream;
import io.offhook.audio.WavWriter;
import io.offhook.audio.Waveform;
import io.offhook.audio.WaveformBuilder;
import io.offhook.calls.Side;
import io.offhook.pcap.PacketSource;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallData;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What the far ends of a call heard: as WAV, and as a waveform with what is missing. Only where audio is allowed. */
final class AudioResource {
    private static final String NOT_KEPT =
            "the packets of this call were not kept; offhook serve --keep-packets keeps them";

    private static final int MOST_BINS = 4000;
    private static final int STANDARD_BINS = 1000;
    private static final int DECIMALS = 3;
    private static final double FULL_SCALE = 32768;

    /** Each reads the packets of its call from their beginning, keys included. */
    private static final int MOST_AT_ONCE = 2;

    private final DataSets data;
    private final boolean isAllowed;
    private final Semaphore free = new Semaphore(MOST_AT_ONCE);

    AudioResource(DataSets data, boolean isAllowed) {
        this.data = data;
        this.isAllowed = isAllowed;
    }

    void routing(HttpRules rules) {
        rules.get("/{id}/audio", this::audio).get("/{id}/waveform", this::waveform);
    }

    /** Why a call cannot be listened to, as far as that is known without its packets; null if it may be. */
    @Nullable
    String missing(CallData shown, CallData.CallKey call) {
        if (!isAllowed) {
            return "listening is off: offhook serve --allow-audio allows it, where listening to these calls is lawful";
        }
        return shown.hasPackets(call) ? null : NOT_KEPT;
    }

    private void audio(ServerRequest request, ServerResponse response) throws SQLException, IOException {
        take();
        try (CallData.Recording recording = recording(request)) {
            if (recording == null) {
                throw new BadRequestException(404, NOT_KEPT);
            }
            CallAudio audio = CallAudio.of(recording.call(), options(recording));
            if (!isAudible(audio)) {
                throw new BadRequestException(404, unplayable(audio));
            }
            response.header("Content-Type", "audio/wav");
            response.header("Cache-Control", "no-store");
            response.contentLength(WavWriter.bytes(audio.frames()));
            try (PacketSource packets = recording.packets().get();
                    OutputStream out = response.outputStream();
                    WavWriter wav = WavWriter.to(out, audio.rate(), audio.frames())) {
                audio.play(packets, wav);
            }
        } finally {
            free.release();
        }
    }

    private void waveform(ServerRequest request, ServerResponse response) throws SQLException, IOException {
        int bins = new Parameters(request).number("bins", STANDARD_BINS, 1, MOST_BINS);
        take();
        try (CallData.Recording recording = recording(request)) {
            CallAudio audio = recording == null ? null : CallAudio.of(recording.call(), options(recording));
            if (recording == null || audio == null || !isAudible(audio)) {
                String why = audio == null ? NOT_KEPT : unplayable(audio);
                JsonReply.send(response, out -> silence(why, out)); // no error: the page asks to find out
                return;
            }
            WaveformBuilder builder = new WaveformBuilder(audio.rate(), audio.frames(), bins);
            AudioReport report;
            try (PacketSource packets = recording.packets().get()) {
                report = audio.play(packets, builder);
            }
            JsonReply.send(response, out -> write(audio, builder.waveform(), report, out));
        } finally {
            free.release();
        }
    }

    private CallData.@Nullable Recording recording(ServerRequest request) throws SQLException, IOException {
        if (!isAllowed) {
            throw new BadRequestException(
                    403,
                    "audio is not allowed here: offhook serve --allow-audio allows it, where"
                            + " listening to these calls is lawful");
        }
        CallData.CallKey key = CallsResource.key(data.of(request), request);
        return data.of(request).data().recording(key);
    }

    private static AudioOptions options(CallData.Recording recording) {
        return AudioOptions.DEFAULT.withOpeners(recording.keys()::opener);
    }

    private static boolean isAudible(CallAudio audio) {
        return audio.isAudible() && audio.frames() > 0;
    }

    private static String unplayable(CallAudio audio) {
        Set<String> reasons = new TreeSet<>();
        for (HeardStream stream : audio.streams()) {
            reasons.addAll(stream.notes());
        }
        return "this call has no audio that can be played: "
                + (reasons.isEmpty() ? "it has no audio streams" : String.join("; ", reasons));
    }

    /** The waveform of a call without audio: no channels, and why. */
    private static void silence(String why, JsonFields out) {
        out.nullField("startAt")
                .field("durationMs", 0)
                .field("binMs", 0)
                .array("channels")
                .end()
                .array("marks")
                .end()
                .field("marksDropped", 0)
                .array("notes")
                .element(why)
                .end();
    }

    private void take() {
        if (!free.tryAcquire()) {
            throw new BadRequestException(429, "audio of other calls is being made; try again in some seconds");
        }
    }

    private static void write(CallAudio audio, Waveform waveform, AudioReport report, JsonFields out) {
        out.time("startAt", audio.startNs() + audio.fromMs() * 1_000_000L)
                .field("durationMs", audio.untilMs() - audio.fromMs())
                .field("binMs", waveform.binMs(), DECIMALS)
                .array("channels");
        for (Side side : Side.values()) {
            out.object().field("side", side.label());
            samples(out, "min", waveform.low(side));
            samples(out, "max", waveform.high(side));
            out.end();
        }
        out.end().array("marks");
        for (AudioMark mark : report.marks()) {
            out.object()
                    .field("side", mark.side().label())
                    .field("kind", kind(mark.kind()))
                    .field("fromMs", mark.fromMs(), DECIMALS)
                    .field("untilMs", mark.untilMs(), DECIMALS)
                    .end();
        }
        out.end().field("marksDropped", report.marksDropped()).array("notes");
        for (HeardStream stream : report.streams()) {
            for (String note : stream.notes()) {
                out.element(stream.side().label() + ": " + note);
            }
        }
        out.end();
    }

    private static String kind(AudioMark.Kind kind) {
        return switch (kind) {
            case LOST -> "lost";
            case DISCARDED -> "late";
            case UNREADABLE -> "unreadable";
            case SILENCE -> "silence";
        };
    }

    private static void samples(JsonFields out, String name, short[] samples) {
        out.array(name);
        for (short sample : samples) {
            out.element(sample / FULL_SCALE, DECIMALS);
        }
        out.end();
    }
}
