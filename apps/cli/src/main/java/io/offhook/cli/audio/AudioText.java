package io.offhook.cli.audio;

import io.offhook.audio.AudioMark;
import io.offhook.audio.CallAudio;
import io.offhook.audio.HeardStream;
import io.offhook.audio.WavWriter;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.SafeText;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** What {@code offhook audio} prints: the file, then each channel with its streams and what of it is missing. */
final class AudioText {
    private static final double MS_PER_S = 1000;

    private AudioText() {}

    static void print(AudioResult result, Terminal terminal) throws IOException {
        Writer out = terminal.out();
        CallAudio audio = result.audio();
        out.append(result.file() + ": " + seconds((double) audio.untilMs() - audio.fromMs()) + " at " + audio.rate()
                + " Hz, " + Decimals.grouped(WavWriter.bytes(audio.frames())) + " bytes\n");
        for (Side side : Side.values()) {
            out.append("Channel " + (side == Side.CALLER ? 1 : 2) + ", " + side.label() + ": " + missing(result, side)
                    + "\n");
            for (HeardStream heard : result.report().streams()) {
                if (heard.side() == side) {
                    out.append("  " + stream(heard) + "\n");
                }
            }
        }
        if (result.report().samplesDropped() > 0) {
            out.append(Words.count(result.report().samplesDropped(), "sample")
                    + " could not be placed: the clock of the capture was set back\n");
        }
        if (audio.untilMs() - audio.fromMs() == CallAudio.MOST_MS && audio.untilMs() < audio.lengthMs()) {
            out.append("The call takes " + seconds((double) audio.lengthMs()) + "; more than "
                    + seconds((double) CallAudio.MOST_MS) + " are not written at once: --range selects another part\n");
        }
    }

    private static String stream(HeardStream heard) {
        StreamReport stream = heard.stream();
        StringBuilder line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "0x%08X ", stream.ssrc()))
                .append(stream.codec() == null ? "unknown codec" : SafeText.safe(stream.codec()))
                .append(", ")
                .append(stream.source())
                .append(" to ")
                .append(stream.destination());
        switch (heard.state()) {
            case PLAYED -> line.append(", played");
            case ELSEWHERE, UNREADABLE -> line.append(", not played");
            case OUTSIDE -> line.append(", outside of the range");
        }
        if (!heard.notes().isEmpty()) {
            line.append(": ").append(SafeText.safe(String.join("; ", heard.notes())));
        }
        return line.toString();
    }

    private static String missing(AudioResult result, Side side) {
        StringBuilder text = new StringBuilder();
        for (AudioMark.Kind kind : AudioMark.Kind.values()) {
            double ms = 0;
            for (AudioMark mark : result.report().marks()) {
                ms += mark.side() == side && mark.kind() == kind ? mark.untilMs() - mark.fromMs() : 0;
            }
            text.append(text.isEmpty() ? "" : ", ")
                    .append(words(kind))
                    .append(' ')
                    .append(seconds(ms));
        }
        return text.toString();
    }

    private static String words(AudioMark.Kind kind) {
        return switch (kind) {
            case LOST -> "lost";
            case DISCARDED -> "too late";
            case UNREADABLE -> "not decodable";
            case SILENCE -> "silent";
        };
    }

    private static String seconds(double ms) {
        return Decimals.shortest(ms / MS_PER_S, 2) + " s";
    }
}
