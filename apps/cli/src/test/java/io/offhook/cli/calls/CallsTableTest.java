package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemClass;
import io.offhook.calls.ProblemSide;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.Endpoint;
import io.offhook.report.text.Times;
import io.offhook.rtp.Codec;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.MosScale;
import io.offhook.sip.SipTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of calls at several widths, against files that show what it looks like. */
class CallsTableTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final long NEVER = CallReport.NEVER;
    private static final Endpoint A = Endpoint.ofIpv4(0xc0000201, 5060);
    private static final Endpoint B = Endpoint.ofIpv4(0xc0000202, 5060);

    private static long at(double seconds) {
        return START_NS + (long) (seconds * 1e9);
    }

    private static CallRanking byTime() {
        CommandSpec spec = new CommandSpec("offhook calls", "");
        CallRanking.describe(spec);
        return CallRanking.of(ParseResult.of(spec, new String[0]));
    }

    /** @param ringingAnsweredEnded seconds after the start; below 0 for never */
    private static CallReport call(
            int number,
            String from,
            String to,
            Outcome outcome,
            double[] ringingAnsweredEnded,
            @Nullable String codec,
            List<StreamReport> streams,
            Problem... problems) {
        double start = number * 0.75;
        long[] times = new long[3];
        for (int i = 0; i < 3; i++) {
            times[i] = ringingAnsweredEnded[i] < 0 ? NEVER : at(start + ringingAnsweredEnded[i]);
        }
        long signNs = times[0] != NEVER ? times[0] : times[1] != NEVER ? times[1] : times[2];
        return new CallReport(
                number + "@golden",
                new CallReport.Parties(from, to, "sip:" + from + "@192.0.2.1", "sip:" + to + "@192.0.2.2"),
                new CallReport.Result(outcome, 0, null),
                new CallReport.Times(
                        at(start), at(start), times[0], times[0], times[1], NEVER, times[2], signNs - at(start)),
                new CallReport.Signalling(
                        SipTransport.UDP,
                        new CallReport.MessageCounts(7, 0, 0, 0),
                        List.of(new CallReport.Leg(A, B)),
                        number + 1,
                        new CallReport.Joined(List.of(), List.of(), List.of()),
                        CallReport.Headers.NONE,
                        List.of()),
                new CallReport.Media(codec, false, streams, List.of(), List.of(), List.of(), List.of()),
                new CallReport.Diagnosis(List.of(problems), List.of()));
    }

    private static Problem problem(
            Problem.Kind kind, ProblemClass problemClass, @Nullable ProblemSide side, double figure) {
        Problem.Cause scale = kind == Problem.Kind.LOW_MOS ? new Problem.Cause.Scale(MosScale.NARROWBAND, false) : null;
        int status = kind == Problem.Kind.FAILED ? (int) figure : 0;
        return new Problem(kind, problemClass, side, NEVER, figure, figure, -1, status, figure, scale, null);
    }

    private static StreamReport stream(String codec, double lossPercent, boolean captureComplete) {
        EModel.Conditions conditions = EModel.Conditions.DEFAULT.withCaptureComplete(captureComplete);
        return new StreamReport(
                1,
                null,
                Side.CALLER,
                A,
                B,
                codec,
                8000,
                0,
                "audio",
                -1,
                1,
                new RtpStream(),
                null,
                new StreamReport.Ratings(
                        EModel.rate(new Codec(codec, 8000), lossPercent, 1, conditions), null, null, null, List.of()),
                null,
                null,
                StreamReport.Keys.NONE);
    }

    private static AnalysisResult result() {
        List<CallReport> calls = List.of(
                call(
                        0,
                        "+442079460123",
                        "+441632960000",
                        Outcome.ANSWERED,
                        new double[] {0.312, 4, 32.9},
                        "PCMU",
                        List.of(stream("PCMU", 0, true))),
                call(
                        1,
                        "alice",
                        "bob.the.builder@headquarters",
                        Outcome.ANSWERED,
                        new double[] {6.2, 9, 3700},
                        "G729",
                        List.of(stream("G729", 0.2, true), stream("G729", 8, true)),
                        problem(Problem.Kind.LOSS, ProblemClass.SERVICE, ProblemSide.CALLEE, 8),
                        problem(Problem.Kind.LOW_MOS, ProblemClass.SERVICE, ProblemSide.CALLEE, 2.6),
                        problem(Problem.Kind.SLOW_SET_UP, ProblemClass.NOTE, null, 6)),
                call(
                        2,
                        "carol",
                        "dave",
                        Outcome.BUSY,
                        new double[] {0.1, -1, 0.2},
                        null,
                        List.of(),
                        problem(Problem.Kind.BUSY, ProblemClass.NORMAL, null, Double.NaN)),
                call(
                        3,
                        "東京本社",
                        "1002",
                        Outcome.ONGOING,
                        new double[] {0.05, 1, -1},
                        "PCMA",
                        List.of(stream("PCMA", 6, false)),
                        problem(Problem.Kind.ONE_WAY_AUDIO, ProblemClass.SERVICE, ProblemSide.CALLEE, Double.NaN)),
                call(
                        4,
                        "erin",
                        "frank",
                        Outcome.UNAVAILABLE,
                        new double[] {0.4, -1, 31},
                        null,
                        List.of(),
                        problem(Problem.Kind.NO_ANSWER, ProblemClass.NORMAL, null, Double.NaN)),
                call(5, "grace", "heidi", Outcome.RINGING, new double[] {0.4, -1, -1}, null, List.of()),
                call(
                        115_000,
                        "ivan",
                        "judy",
                        Outcome.FAILED,
                        new double[] {-1, -1, 0.01},
                        null,
                        List.of(),
                        problem(Problem.Kind.FAILED, ProblemClass.SERVICE, null, 503)));
        CaptureReport capture = new CaptureReport(
                123_456,
                9_876_543,
                START_NS,
                at(86_300),
                List.of(1),
                30,
                40,
                7,
                120_000,
                12,
                0,
                List.of(
                        new CaptureReport.Counter("truncatedPackets", 3, 17, 230, 1, 2),
                        new CaptureReport.Counter("sipMalformed", 1, 0, 0, 0, 0)),
                List.of(),
                List.of());
        return new AnalysisResult(capture, calls, List.of(), List.of(), null);
    }

    private static String print(Offhook offhook, boolean colored) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = offhook.terminal(out, new ByteArrayOutputStream());
        AnalysisResult result = result();
        try {
            new CallsTable(result, new Times(ZoneOffset.UTC), byTime(), false)
                    .print(result.calls(), List.of(), terminal, colored);
            terminal.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String golden(String name) {
        try (InputStream in = CallsTableTest.class.getResourceAsStream(name)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 160})
    void matchesTheExpectedTable(int columns) {
        assertThat(print(new Offhook().onTerminal(columns), false)).isEqualTo(golden("calls-" + columns + ".txt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls-pipe.txt"})
    void isCompleteInAPipe(String name) {
        assertThat(print(new Offhook(), false)).isEqualTo(golden(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls-colours.txt"})
    void coloursGoodAndBadOutcomes(String name) {
        assertThat(print(new Offhook().onTerminal(100), true).replace("\u001b", "^["))
                .isEqualTo(golden(name));
    }
}
