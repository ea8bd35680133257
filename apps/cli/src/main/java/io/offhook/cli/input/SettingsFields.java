package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.report.fields.FieldWriter;
import io.offhook.rtp.quality.QualitySettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The settings of an analysis that are not the default, so that figures of several runs are not compared blindly. */
final class SettingsFields {
    private final FieldWriter out;

    private SettingsFields(FieldWriter out) {
        this.out = out;
    }

    /** Writes the keys of the file of {@code --config}, with their values, as an object. */
    static void write(FieldWriter out, AnalysisOptions options) {
        SettingsFields fields = new SettingsFields(out);
        AnalysisOptions defaults = AnalysisOptions.defaults();
        out.object("settings");
        fields.field("jitter-buffer", options.media().buffer(), defaults.media().buffer());
        if (!options.media().quality().equals(QualitySettings.DEFAULT)) {
            fields.quality(options.media().quality(), QualitySettings.DEFAULT);
        }
        if (!options.limits().equals(ProblemLimits.DEFAULT)) {
            fields.problems(options.limits(), ProblemLimits.DEFAULT);
        }
        fields.field(
                "join.headers",
                String.join(", ", options.joins().callIdHeaders()),
                String.join(", ", defaults.joins().callIdHeaders()));
        fields.field(
                "join.groups",
                String.join(", ", options.joins().groupHeaders()),
                String.join(", ", defaults.joins().groupHeaders()));
        out.end();
    }

    private void quality(QualitySettings is, QualitySettings was) {
        field("quality.concealment", is.concealment(), was.concealment());
        field("quality.listening", label(is.listening()), label(was.listening()));
        field("quality.estimates", is.estimates(), was.estimates());
        field("quality.unverified", is.unverified(), was.unverified());
        Map<String, String> sources = new LinkedHashMap<>();
        for (QualitySettings.CodecValues codec : is.codecs()) {
            sources.merge(codec.codec(), codec.source(), (first, next) -> first + "; " + next);
        }
        sources.forEach((codec, source) -> out.field("quality.codecs." + codec, source));
    }

    private void problems(ProblemLimits is, ProblemLimits was) {
        steps("loss", is.lossPercent(), was.lossPercent());
        steps("late", is.latePercent(), was.latePercent());
        field("problems.lowMos.narrowband", is.mos().narrowband(), was.mos().narrowband());
        field("problems.lowMos.wideband", is.mos().wideband(), was.mos().wideband());
        field("problems.lowMos.fullband", is.mos().fullband(), was.mos().fullband());
        field("problems.lowMos.time-percent", is.mos().timePercent(), was.mos().timePercent());
        field("problems.jitter", is.jitterMs() / 1000, was.jitterMs() / 1000);
        steps("slowSetUp", is.signalling().setUpSeconds(), was.signalling().setUpSeconds());
        field("problems.slowAck", is.signalling().ackSeconds(), was.signalling().ackSeconds());
        field(
                "problems.retransmissions",
                is.signalling().retransmissions(),
                was.signalling().retransmissions());
        field("problems.relayLoss.percent", is.relay().percent(), was.relay().percent());
        field("problems.relayLoss.packets", is.relay().packets(), was.relay().packets());
        field("problems.noAudio", is.audio().dueSeconds(), was.audio().dueSeconds());
        steps("audioStartedLate", is.audio().lateSeconds(), was.audio().lateSeconds());
        steps("audioGap", is.audio().gapSeconds(), was.audio().gapSeconds());
        field("problems.audioStopped", is.audio().stoppedSeconds(), was.audio().stoppedSeconds());
    }

    private void steps(String kind, ProblemLimits.Limit is, ProblemLimits.Limit was) {
        field("problems." + kind + ".note", is.note(), was.note());
        field("problems." + kind + ".service", is.service(), was.service());
    }

    private void field(String key, Object is, Object was) {
        if (!is.equals(was)) {
            out.field(key, is.toString());
        }
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
