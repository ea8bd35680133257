package io.offhook.cli.audio;

import io.offhook.audio.AudioMark;
import io.offhook.audio.CallAudio;
import io.offhook.audio.HeardStream;
import io.offhook.audio.WavWriter;
import io.offhook.calls.StreamReport;
import io.offhook.report.fields.FieldWriter;
import java.util.List;
import java.util.Locale;

/** The fields of {@code offhook audio}, as docs/OUTPUT.md lists them. */
public final class AudioFields {
    /** The columns of CSV: a line a mark. */
    public static final List<String> COLUMNS = List.of("side", "kind", "fromMs", "untilMs");

    private static final int MS_DECIMALS = 3;

    private AudioFields() {}

    static void write(FieldWriter out, AudioResult result) {
        CallAudio audio = result.audio();
        out.field("file", result.file())
                .field("callId", result.found().call().callId())
                .field("bytes", WavWriter.bytes(audio.frames()))
                .field("rate", audio.rate())
                .field("frames", audio.frames())
                .time("beginsAt", audio.startNs() + audio.fromMs() * 1_000_000)
                .field("fromMs", audio.fromMs())
                .field("untilMs", audio.untilMs())
                .field("lengthMs", audio.lengthMs());
        out.array("streams");
        for (HeardStream heard : result.report().streams()) {
            stream(out, heard);
        }
        out.end().array("marks");
        for (AudioMark mark : result.report().marks()) {
            out.object();
            mark(out, mark);
            out.end();
        }
        out.end()
                .field("marksLeftOut", result.report().marksDropped())
                .field("samplesDropped", result.report().samplesDropped());
    }

    private static void stream(FieldWriter out, HeardStream heard) {
        StreamReport stream = heard.stream();
        out.object()
                .field("side", heard.side().label())
                .field("state", label(heard.state()))
                .field("ssrc", String.format(Locale.ROOT, "0x%08X", stream.ssrc()))
                .field("codec", stream.codec())
                .field("source", stream.source().toString())
                .field("destination", stream.destination().toString())
                .field("packets", stream.statistics().packets());
        out.array("notes");
        heard.notes().forEach(out::element);
        out.end().end();
    }

    static void mark(FieldWriter out, AudioMark mark) {
        out.field("side", mark.side().label())
                .field("kind", label(mark.kind()))
                .field("fromMs", mark.fromMs(), MS_DECIMALS)
                .field("untilMs", mark.untilMs(), MS_DECIMALS);
    }

    /** The name of a constant in JSON: lower case. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
