package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.playout.Playout;
import io.offhook.rtp.playout.Resync;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all public accessors of a stream or a conversation answer, one line an answer, found by reflection. */
final class Answers {
    private static final Codec AMR = new Codec("AMR", 8000);
    private static final Codec WIDE = new Codec("opus", 48_000, 2);
    private static final Codec CLOCKLESS = new Codec("X-DATA", 0);
    private static final Codec EVENT = new Codec("telephone-event", 8000);

    /** Of the last packet that went into a buffer, which there is none of in figures. */
    private static final Set<String> OF_A_BUFFER_IN_ACTION = Set.of("mediaNs", "offsetNs", "beganAnew");

    /** How far back reports are looked at one by one. */
    private static final int SECONDS = 300;

    private final List<String> lines = new ArrayList<>();

    private Answers() {}

    static List<String> of(RtpStream stream) {
        Answers answers = new Answers();
        answers.add("stream", stream);
        for (int octets : new int[] {0, 40}) {
            answers.add("bitsPerSecond " + octets, stream.bitsPerSecond(octets));
        }
        for (int type = 0; type < 128; type++) {
            Codec codec = stream.codecOf(type);
            if (codec != null) {
                answers.add("codec " + type, codec);
                answers.add("modes " + type, stream.modesOf(type));
            }
        }
        return answers.lines;
    }

    /** What a stream of these figures answers, and when it then learns and corrects codecs. */
    static List<String> ofAll(StreamFigures figures) {
        RtpStream stream = RtpStream.of(figures);
        List<String> lines = new ArrayList<>(of(stream));
        lines.addAll(afterCodecs(stream));
        lines.addAll(afterCorrections(RtpStream.of(figures)));
        return lines;
    }

    /** What a stream answers that learns codecs of types that it did not know, and others than it knew. */
    static List<String> afterCodecs(RtpStream stream) {
        List<String> lines = new ArrayList<>();
        for (PayloadCount payload : stream.payloads()) {
            stream.codec(payload.payloadType(), AMR);
        }
        lines.addAll(of(stream));
        for (PayloadCount payload : stream.payloads()) {
            stream.codec(payload.payloadType(), CLOCKLESS);
        }
        lines.addAll(of(stream));
        return lines;
    }

    static List<String> afterCorrections(RtpStream stream) {
        List<String> lines = new ArrayList<>();
        for (Codec codec : List.of(CLOCKLESS, AMR, WIDE, EVENT, CLOCKLESS)) {
            for (PayloadCount payload : stream.payloads()) {
                stream.correctCodec(payload.payloadType(), codec);
            }
            lines.addAll(of(stream));
        }
        return lines;
    }

    static List<String> of(ConversationFigures figures) {
        return of(RtcpReports.of(figures));
    }

    static List<String> of(RtcpReports reports) {
        Answers answers = new Answers();
        answers.add("reports", reports);
        for (ReceptionSummary summary : reports.summaries()) {
            answers.add("roundTrip", reports.roundTripMs(summary.ssrc()));
            for (int second = 0; second < SECONDS; second++) {
                long atNs = summary.lastNs() - second * 1_000_000_000L;
                answers.add("between", summary.between(atNs, atNs + 1_000_000_000L));
                answers.add("received", summary.receivedNumbers().growth(Long.MIN_VALUE, atNs));
            }
            answers.add("jitter", summary.lastJitterMs(8000));
            answers.add("jitter", summary.maxJitterMs(8000));
            answers.add("jitter", summary.meanJitterMs(8000));
        }
        for (RtcpParticipant participant : reports.participants()) {
            for (int second = 0; second < SECONDS; second++) {
                long atNs = participant.lastNs() - second * 1_000_000_000L;
                answers.add("sent", participant.sentPackets().growth(Long.MIN_VALUE, atNs));
            }
        }
        return answers.lines;
    }

    /** The answers that differ, "this, not that", and the first of those that only one has. */
    static List<String> differences(List<String> answers, List<String> expected) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.min(answers.size(), expected.size()); i++) {
            if (!answers.get(i).equals(expected.get(i))) {
                differences.add(answers.get(i) + ", not " + expected.get(i));
            }
        }
        if (answers.size() != expected.size()) {
            differences.add(answers.size() + " answers, not " + expected.size());
        }
        return differences;
    }

    private void add(String path, @Nullable Object value) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                add(path + "[" + i + "]", list.get(i));
            }
            lines.add(path + " " + list.size());
            return;
        }
        switch (value) {
            case LossBursts bursts -> {
                for (int i = 0; i < bursts.lengths(); i++) {
                    lines.add(path + " " + bursts.length(i) + "x" + bursts.count(i));
                }
            }
            case Playout playout -> {
                for (Resync reason : Resync.values()) {
                    lines.add(path + " " + reason + " " + playout.resyncs(reason));
                }
            }
            case SpeechModes modes -> {
                for (int mode = 0; mode < SpeechModes.LIMIT; mode++) {
                    lines.add(path + " mode " + mode + " " + modes.packets(mode));
                }
            }
            case null, default -> {}
        }
        if (value == null || value instanceof Endpoint || !isOurs(value)) {
            lines.add(path + " = " + value);
            return;
        }
        for (Method accessor : accessors(value.getClass())) {
            try {
                add(path + "." + accessor.getName(), accessor.invoke(value));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(path + "." + accessor.getName(), e);
            }
        }
    }

    private static boolean isOurs(Object value) {
        return value.getClass().getName().startsWith("io.offhook.") && !(value instanceof Enum<?>);
    }

    private static List<Method> accessors(Class<?> type) {
        List<Method> all = new ArrayList<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                all.add(Objects.requireNonNull(component.getAccessor()));
            }
        }
        Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class
                        && method.getDeclaringClass() != Record.class
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && method.getReturnType() != void.class
                        && !method.getName().equals("hashCode")
                        && !method.getName().equals("toString")
                        && !method.getName().equals("figures")
                        && !OF_A_BUFFER_IN_ACTION.contains(method.getName())
                        && !all.contains(method))
                .sorted(Comparator.comparing(Method::getName))
                .forEach(all::add);
        return all;
    }
}
