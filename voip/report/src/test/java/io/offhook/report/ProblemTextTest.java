package io.offhook.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.AudioCause;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemClass;
import io.offhook.calls.ProblemSide;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.quality.MosScale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTextTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final Endpoint REPORTER = new Endpoint(0, 0xffff_0a01_0002L, 0);

    /** With every figure that its text may need. */
    private static Problem problem(
            Problem.Kind kind, @Nullable ProblemSide side, double figure, Problem.@Nullable Cause cause) {
        int status = Double.isNaN(figure) ? 0 : (int) figure;
        long count = Double.isNaN(figure) ? -1 : Math.round(figure);
        return new Problem(
                kind,
                ProblemClass.SERVICE,
                side,
                START_NS + 64_900_000_000L,
                figure,
                figure,
                count,
                status,
                figure,
                cause,
                null);
    }

    private static String text(Problem problem) {
        return ProblemText.of(problem, START_NS);
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, , 486, busy",
        "DECLINED, , 603, declined",
        "DECLINED, , 608, declined by analytics: rejected (608)",
        "CANCELLED, , , cancelled before it rang",
        "CANCELLED, , 12.4, cancelled after ringing 12 s",
        "COMPLETED_ELSEWHERE, , 487, completed elsewhere",
        "FAILED, , 503, failed with 503",
        "FAILED, , 401, credentials refused (401)",
        "FAILED, , , 'refused, response not captured'",
        "NO_RESPONSE, , , no response",
        "NO_FINAL_RESPONSE, , , no final response",
        "NO_FINAL_RESPONSE, , 185, no final response within 185 s",
        "NO_ANSWER, , , no answer",
        "NO_ANSWER, , 30, no answer after ringing 30 s",
        "UNAVAILABLE, , 404, unavailable (404)",
        "NO_AUDIO, , , no audio",
        "ONE_WAY_AUDIO, CALLEE, , one-way audio: nothing from callee",
        "AUDIO_STARTED_LATE, CALLEE, 4.2, audio from callee began 4 s late",
        "AUDIO_GAP, CALLER, 6, no audio from caller for 6 s at 1:04",
        "AUDIO_STOPPED, BOTH, 48, 'audio from both sides stopped at 1:04, 48 s before the end'",
        "LOSS, CALLER, 1.04, 1.0 % lost from caller",
        "LOSS, CALLEE, 9.96, '10.0 % lost from callee, 10 in a row at 1:04'",
        "LOSS, CALLEE, 19.6, '20 % lost from callee, 20 in a row at 1:04'",
        "LATE, CALLEE, 4.1, 4.1 % too late to be played from callee",
        "LOW_MOS, CALLER, 3.44, 'MOS 3.4 from caller, worst at 1:04'",
        "JITTER, CALLEE, 30.6, 31 ms jitter from callee",
        "SLOW_SET_UP, , 5.5, set-up took 6 s",
        "NO_ACK, , , no ACK",
        "DROPPED, , 481, dropped: no longer known to the other side (481)",
        "ONE_DIRECTION, , , one direction captured",
        "MEDIA_TIMEOUT, CALLEE, , ended for lack of media from callee",
        "SLOW_ACK, , 15, ACK took 15 s",
        "RETRANSMISSIONS, , 3, 3 messages sent again",
        "CAPTURE_LOSS, CALLEE, , the capture lacks packets from callee at 1:04",
        "CAPTURE_LOSS, CALLEE, 4.6, the capture lacks 4.6 % of the packets from callee at 1:04"
    })
    void describesEachKind(Problem.Kind kind, @Nullable ProblemSide side, @Nullable Double figure, String text) {
        assertThat(text(problem(kind, side, figure == null ? Double.NaN : figure, null)))
                .isEqualTo(text);
    }

    @Test
    void saysWhichScaleAMosIsOnAndWhetherItIsAnEstimate() {
        Problem.Cause scale = new Problem.Cause.Scale(MosScale.FULLBAND, true);
        assertThat(text(problem(Problem.Kind.LOW_MOS, ProblemSide.CALLEE, 2.9, scale)))
                .isEqualTo("MOS ~2.9 fb from callee, worst at 1:04");
    }

    @Test
    void saysHowLongAMosWasLowThatIsNotLowOnTheWhole() {
        Problem problem = new Problem(
                Problem.Kind.LOW_MOS,
                ProblemClass.SERVICE,
                ProblemSide.CALLEE,
                START_NS + 64_900_000_000L,
                Double.NaN,
                24.6,
                -1,
                0,
                4.2591,
                new Problem.Cause.Scale(MosScale.NARROWBAND, false),
                null);
        assertThat(text(problem)).isEqualTo("MOS 4.3 nb from callee, below 3.6 for 25 % of the time, worst at 1:04");
    }

    @Test
    void namesMediaThatIsNoAudio() {
        assertThat(text(problem(Problem.Kind.LOSS, ProblemSide.CALLER, 3.3, new Problem.Cause.Media("video"))))
                .isEqualTo("3.3 % of video lost from caller");
    }

    @ParameterizedTest
    @EnumSource
    void saysWhyAudioStopped(AudioCause cause) {
        String text = text(problem(Problem.Kind.AUDIO_STOPPED, ProblemSide.CALLER, 20, new Problem.Cause.Audio(cause)));
        assertThat(text.contains(": ")).isEqualTo(cause != AudioCause.STOPPED);
    }

    /** The sender paused, or the clock of the capture was set: neither is known. */
    @ParameterizedTest
    @CsvSource({"0, no packet is missing", "3, silence suppressed"})
    void saysOfAPauseWithoutALossOnlyThatNothingIsMissing(int lost, String cause) {
        Problem.Cause suppressed = new Problem.Cause.Audio(AudioCause.SUPPRESSED);
        assertThat(text(problem(Problem.Kind.AUDIO_GAP, ProblemSide.CALLER, lost, suppressed)))
                .isEqualTo("no audio from caller for " + lost + " s at 1:04: " + cause);
    }

    @Test
    void namesWhereARelayLosesPackets() {
        Problem.Cause relay = new Problem.Cause.Relay(Endpoint.of("192.0.2.1", 4000), Endpoint.of("192.0.2.9", 6000));

        assertThat(text(problem(Problem.Kind.RELAY_LOSS, ProblemSide.CALLER, 3.14, relay)))
                .isEqualTo("3.1 % from caller lost between 192.0.2.1:4000 and 192.0.2.9:6000");
    }

    @ParameterizedTest
    @CsvSource({
        "4, 3, 0, unreachable",
        "4, 3, 1, host unreachable",
        "4, 3, 3, port unreachable",
        "4, 3, 13, administratively prohibited",
        "4, 11, 0, time to live exceeded",
        "4, 11, 1, fragments not put together in time",
        "4, 2, 0, error 2/0",
        "6, 1, 1, administratively prohibited",
        "6, 1, 3, host unreachable",
        "6, 1, 4, port unreachable",
        "6, 2, 0, packet too big",
        "6, 3, 0, time to live exceeded",
        "6, 4, 2, error 4/2"
    })
    void describesIcmpErrors(int ipVersion, int type, int code, String meaning) {
        assertThat(text(icmp(new IcmpEvent.Message(ipVersion, type, code))))
                .isEqualTo("ICMP " + meaning + " from 10.1.0.2");
    }

    private static Problem icmp(IcmpEvent.Message message) {
        IcmpEvent event = new IcmpEvent(1, 1, REPORTER, REPORTER, REPORTER, 0, message);
        return problem(Problem.Kind.ICMP_ERROR, null, Double.NaN, new Problem.Cause.Icmp(event));
    }

    @ParameterizedTest
    @EnumSource
    void hasATextForEveryKind(Problem.Kind kind) {
        assertThat(text(problem(kind, ProblemSide.CALLER, 1, null))).isNotBlank();
    }
}
