package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.ProblemLimits;
import io.offhook.calls.ProblemLimits.Limit;
import io.offhook.calls.join.JoinOptions;
import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.rtp.SpeechModes;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.quality.CodecRates;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.QualitySettings;
import io.offhook.rtp.quality.QualitySettings.CodecValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of {@code --config}: how calls are judged. docs/SETTINGS.md has the tables of keys, which are made from the
 * schema.
 *
 * @param buffer of receivers
 * @param quality how streams are rated
 * @param limits from where on something is a problem
 * @param joinHeaders further headers whose value is the Call-ID of another leg
 * @param joinGroups further headers whose value is the same in all legs of a call
 */
public record AnalysisSettings(
        JitterBuffer buffer,
        QualitySettings quality,
        ProblemLimits limits,
        List<String> joinHeaders,
        List<String> joinGroups) {
    private static final int MOST_CODECS = 64;
    private static final int MOST_HEADERS = 32;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long HOUR_NS = 3600 * SECOND_NS;

    private static final ConfigKey<JitterBuffer> BUFFER = ConfigKey.of(
            "jitter-buffer",
            ConfigTypes.scalar("jitter buffer", AnalysisSettings::buffer),
            "adaptive",
            "The jitter buffer of a receiver: `adaptive`, `adaptive:MIN-MAX`, `fixed:MS` or `off`;"
                    + " `--jitter-buffer` overrides it.");

    private static final ConfigKey<String> CODEC =
            ConfigKey.required("codec", ConfigTypes.text(64), "The encoding name, as in SDP, without regard to case.");
    private static final ConfigKey<Integer> MODE = ConfigKey.optional(
            "mode",
            ConfigTypes.integer(0, SpeechModes.LIMIT - 1),
            "The mode of frames that the values hold for: AMR 0 to 7, AMR-WB 0 to 8 (RFC 4867), EVS 0 to 11, G723 0 and 1.");
    private static final ConfigKey<Double> KBPS = ConfigKey.optional(
            "kbps",
            ConfigTypes.decimal(1, 200),
            "Or the bit rate of that mode in kbit/s; of G722 and G7221 by `bitrate`, of iLBC by `mode` in `a=fmtp`.");
    private static final ConfigKey<MosScale> SCALE =
            ConfigKey.required("scale", ConfigTypes.oneOf(MosScale.class), "The scale of the values.");
    private static final ConfigKey<Double> IE =
            ConfigKey.required("ie", ConfigTypes.decimal(0, 131.9), "The equipment impairment: Ie, Ie,wb or Ie,fb.");
    private static final ConfigKey<Double> BPL = ConfigKey.optional(
            "bpl",
            ConfigTypes.decimal(0.1, 1000),
            "The packet-loss robustness; without it, only a stream without loss has a MOS.");
    private static final ConfigKey<String> SOURCE =
            ConfigKey.required("source", ConfigTypes.text(200), "Where the values come from; the MOS shows it.");
    private static final ConfigSchema<CodecValues> CODEC_VALUES = ConfigSchema.of(
            "codec", "Values of a codec.", AnalysisSettings::codec, CODEC, MODE, KBPS, SCALE, IE, BPL, SOURCE);

    private static final ConfigKey<Boolean> CONCEALMENT =
            ConfigKey.of("concealment", ConfigTypes.bool(), "true", "Whether decoders of G.711 conceal lost packets.");
    private static final ConfigKey<QualitySettings.Listening> LISTENING = ConfigKey.of(
            "listening",
            ConfigTypes.oneOf(QualitySettings.Listening.class),
            "diotic",
            "Whether wideband speech is heard by one ear (`monotic`) or by both.");
    private static final ConfigKey<Boolean> ESTIMATES = ConfigKey.of(
            "estimates", ConfigTypes.bool(), "true", "Whether codecs without agreed values get an estimate.");
    private static final ConfigKey<Boolean> UNVERIFIED = ConfigKey.of(
            "unverified",
            ConfigTypes.bool(),
            "false",
            "Whether values count that are often quoted, but not verified: G.722 at 56 and 48 kbit/s. `note` marks each such MOS.");
    private static final ConfigKey<List<CodecValues>> CODECS = ConfigKey.repeated(
            "codecs", CODEC_VALUES, MOST_CODECS, "Values of codecs; the first one that fits wins over the tables.");
    private static final ConfigSchema<QualitySettings> QUALITY = ConfigSchema.of(
            "quality",
            "How streams are rated.",
            values -> new QualitySettings(
                    values.get(CONCEALMENT),
                    values.get(LISTENING),
                    values.get(ESTIMATES),
                    values.get(UNVERIFIED),
                    values.get(CODECS)),
            CONCEALMENT,
            LISTENING,
            ESTIMATES,
            UNVERIFIED,
            CODECS);

    private static final ConfigKey<Double> NARROWBAND =
            ConfigKey.of("narrowband", ConfigTypes.decimal(1, 4.5), "3.6", "Below this MOS by G.107.");
    private static final ConfigKey<Double> WIDEBAND =
            ConfigKey.of("wideband", ConfigTypes.decimal(1, 4.5), "3.6", "Below this MOS by G.107.1.");
    private static final ConfigKey<Double> FULLBAND =
            ConfigKey.of("fullband", ConfigTypes.decimal(1, 5), "3.6", "Below this MOS by G.107.2.");
    private static final ConfigKey<Double> TIME_PERCENT = ConfigKey.of(
            "time-percent",
            ConfigTypes.decimal(0, 101),
            "20",
            "Or below 3.6 for this share of the time; 101 for never.");
    private static final ConfigSchema<ProblemLimits.LowMos> LOW_MOS = ConfigSchema.of(
            "lowMos",
            "A stream sounds bad.",
            values -> new ProblemLimits.LowMos(
                    values.get(NARROWBAND), values.get(WIDEBAND), values.get(FULLBAND), values.get(TIME_PERCENT)),
            NARROWBAND,
            WIDEBAND,
            FULLBAND,
            TIME_PERCENT);

    private static final ConfigKey<Limit> LOSS =
            steps("loss", ConfigTypes.decimal(0, 101), "1", "3", "Percent of a stream's packets lost.");
    private static final ConfigKey<Limit> LATE =
            steps("late", ConfigTypes.decimal(0, 101), "1", "3", "Percent that the jitter buffer discards.");
    private static final ConfigKey<ProblemLimits.LowMos> MOS =
            ConfigKey.section("lowMos", LOW_MOS, "When a stream sounds bad.");
    private static final ConfigKey<Double> JITTER = ConfigKey.of(
            "jitter", ConfigTypes.seconds(0, 10 * SECOND_NS), "30ms", "Mean jitter of a stream above this.");
    private static final String SET_UP_MEANING =
            "Time to the first sign of progress; `note` also of `cancelled`, which is about service from then on.";
    private static final ConfigKey<Limit> SET_UP =
            steps("slowSetUp", ConfigTypes.seconds(0, HOUR_NS), "5s", "10s", SET_UP_MEANING);
    private static final ConfigKey<Double> ACK = ConfigKey.of(
            "slowAck", ConfigTypes.seconds(0, HOUR_NS), "2s", "Time to the ACK above this; also of `noAck`.");
    private static final ConfigKey<Integer> RETRANSMISSIONS = ConfigKey.of(
            "retransmissions", ConfigTypes.integer(1, 1_000_000), "3", "Messages sent again, from this number on.");
    private static final ConfigKey<Double> RELAY_PERCENT = ConfigKey.of(
            "percent", ConfigTypes.decimal(0, 101), "1", "From this share of the packets before the relay on.");
    private static final ConfigKey<Integer> RELAY_PACKETS = ConfigKey.of(
            "packets", ConfigTypes.integer(1, 1_000_000), "10", "And from this number of lost packets on.");
    private static final ConfigSchema<ProblemLimits.Relay> RELAY = ConfigSchema.of(
            "relayLoss",
            "Packets that went into a relay and did not come out.",
            values -> new ProblemLimits.Relay(values.get(RELAY_PERCENT), values.get(RELAY_PACKETS)),
            RELAY_PERCENT,
            RELAY_PACKETS);
    private static final ConfigKey<ProblemLimits.Relay> RELAY_LOSS =
            ConfigKey.section("relayLoss", RELAY, "Packets that went into a relay and did not come out.");
    private static final ConfigKey<Double> NO_AUDIO = ConfigKey.of(
            "noAudio",
            ConfigTypes.seconds(0, HOUR_NS),
            "2s",
            "Time for which audio was due, from which on its lack is a problem; also of `oneWayAudio`.");
    private static final ConfigKey<Limit> AUDIO_LATE = steps(
            "audioStartedLate",
            ConfigTypes.seconds(0, HOUR_NS),
            "2s",
            "3s",
            "Time between when audio was due and came.");
    private static final ConfigKey<Limit> AUDIO_GAP = steps(
            "audioGap", ConfigTypes.seconds(2 * SECOND_NS, HOUR_NS), "2s", "5s", "Time without audio, 2 s or more.");
    private static final ConfigKey<Double> AUDIO_STOPPED = ConfigKey.of(
            "audioStopped", ConfigTypes.seconds(SECOND_NS, HOUR_NS), "5s", "Time between the last audio and the end.");
    private static final ConfigSchema<ProblemLimits> PROBLEMS = ConfigSchema.of(
            "problems",
            "From where on something is a problem, by kind.",
            AnalysisSettings::limits,
            LOSS,
            LATE,
            MOS,
            JITTER,
            SET_UP,
            ACK,
            RETRANSMISSIONS,
            RELAY_LOSS,
            NO_AUDIO,
            AUDIO_LATE,
            AUDIO_GAP,
            AUDIO_STOPPED);

    private record Join(List<String> headers, List<String> groups) {}

    private static final ConfigKey<List<String>> JOIN_HEADERS = ConfigKey.repeated(
            "headers",
            ConfigTypes.text(64),
            MOST_HEADERS,
            "Further headers of an INVITE whose value is the Call-ID of another leg: a proof.");
    private static final ConfigKey<List<String>> JOIN_GROUPS = ConfigKey.repeated(
            "groups",
            ConfigTypes.text(64),
            MOST_HEADERS,
            "Further headers whose value all legs of a call share; `Name;parameter` if only that parameter is: a sign.");
    private static final ConfigSchema<Join> JOIN = ConfigSchema.of(
            "join",
            "How the legs of a call are found ([decision 29](decisions/0029-legs-of-a-call.md)).",
            values -> new Join(values.get(JOIN_HEADERS), values.get(JOIN_GROUPS)),
            JOIN_HEADERS,
            JOIN_GROUPS);

    private static final ConfigKey<Join> JOIN_KEY =
            ConfigKey.section("join", JOIN, "How the legs of a call are found.");
    private static final ConfigKey<QualitySettings> QUALITY_KEY =
            ConfigKey.section("quality", QUALITY, "How streams are rated.");
    private static final ConfigKey<ProblemLimits> PROBLEMS_KEY =
            ConfigKey.section("problems", PROBLEMS, "From where on something is a problem.");

    /** The keys of the file. */
    public static final ConfigSchema<AnalysisSettings> SCHEMA = ConfigSchema.of(
            "settings",
            "How calls are judged.",
            AnalysisSettings::settings,
            BUFFER,
            QUALITY_KEY,
            PROBLEMS_KEY,
            JOIN_KEY);

    /**
     * Reads a file.
     *
     * @throws io.offhook.config.ConfigException with all faults, each with its line
     */
    static AnalysisSettings read(String file) {
        return ConfigReader.of(SCHEMA).read(Path.of(file));
    }

    /** The options with these settings. */
    public AnalysisOptions in(AnalysisOptions options) {
        JoinOptions joins = options.joins();
        return options.withLimits(limits)
                .withMedia(options.media().withBuffer(buffer).withQuality(quality))
                .withJoins(joins.withCallIdHeaders(with(joins.callIdHeaders(), joinHeaders))
                        .withGroupHeaders(with(joins.groupHeaders(), joinGroups)));
    }

    private static List<String> with(List<String> known, List<String> further) {
        List<String> all = new ArrayList<>(known);
        all.addAll(further);
        return all;
    }

    private static AnalysisSettings settings(ConfigValues values) {
        Join join = values.get(JOIN_KEY);
        return new AnalysisSettings(
                values.get(BUFFER), values.get(QUALITY_KEY), values.get(PROBLEMS_KEY), join.headers(), join.groups());
    }

    private static JitterBuffer buffer(String text) {
        JitterBuffer buffer = JitterBuffer.parse(text);
        if (buffer == null) {
            throw new IllegalArgumentException(
                    "is none of adaptive, adaptive:MIN-MAX, fixed:MS and off, with delays of " + JitterBuffer.LEAST_MS
                            + " to " + JitterBuffer.GREATEST_MS + " ms");
        }
        return buffer;
    }

    private static CodecValues codec(ConfigValues values) {
        MosScale scale = values.get(SCALE);
        double most = scale == MosScale.FULLBAND ? 132 : 95;
        if (values.get(IE) >= most) {
            values.fault(IE, "is not below " + (int) most + ", where nothing can be understood on this scale");
        }
        Double bpl = values.find(BPL);
        return new CodecValues(
                values.get(CODEC),
                rate(values),
                scale,
                values.get(IE),
                bpl == null ? Double.NaN : bpl,
                values.get(SOURCE));
    }

    /** The rate that the values hold at; values at a rate that the codec does not have would never be used. */
    private static QualitySettings.Rate rate(ConfigValues values) {
        Integer mode = values.find(MODE);
        Double kbps = values.find(KBPS);
        String codec = values.get(CODEC);
        CodecRates rates = CodecRates.of(codec);
        if (mode != null && kbps != null) {
            values.fault(KBPS, "is given besides mode; one of them is enough");
        }
        if (mode != null && !rates.hasModes()) {
            values.fault(MODE, "is not possible: the packets of " + codec + " do not show a mode");
        } else if (mode != null && mode >= rates.count()) {
            values.fault(MODE, "is not a mode of " + codec + ", which has 0 to " + (rates.count() - 1));
        }
        if (kbps != null && rates.count() == 0) {
            values.fault(KBPS, "is not possible: the bit rate of " + codec + " is not known, or always the same");
        } else if (kbps != null && !rates.has(kbps)) {
            values.fault(KBPS, "is not a bit rate of " + codec + ", which has " + rates);
        }
        return mode == null && kbps == null
                ? QualitySettings.Rate.ANY
                : new QualitySettings.Rate(mode == null ? -1 : mode, kbps == null ? Double.NaN : kbps);
    }

    private static ProblemLimits limits(ConfigValues values) {
        return new ProblemLimits(
                values.get(LOSS),
                values.get(LATE),
                values.get(MOS),
                values.get(JITTER) * 1000,
                new ProblemLimits.Signalling(values.get(SET_UP), values.get(ACK), values.get(RETRANSMISSIONS)),
                new ProblemLimits.Audio(
                        values.get(NO_AUDIO), values.get(AUDIO_LATE), values.get(AUDIO_GAP), values.get(AUDIO_STOPPED)),
                values.get(RELAY_LOSS));
    }

    private static ConfigKey<Limit> steps(
            String name, ConfigType<Double> type, String note, String service, String description) {
        ConfigKey<Double> noteKey = ConfigKey.of("note", type, note, "From here on it is a note.");
        ConfigKey<Double> serviceKey = ConfigKey.of("service", type, service, "From here on it is about service.");
        ConfigSchema<Limit> schema = ConfigSchema.of(
                name,
                description,
                values -> {
                    double least = values.get(noteKey);
                    double most = values.get(serviceKey);
                    if (most < least) {
                        values.fault(serviceKey, "is less than the limit of a note");
                    }
                    return new Limit(least, Math.max(least, most));
                },
                noteKey,
                serviceKey);
        return ConfigKey.section(name, schema, description);
    }
}
