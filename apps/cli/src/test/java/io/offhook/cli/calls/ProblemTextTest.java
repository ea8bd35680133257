package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.Side;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTextTest {
    private static final Endpoint REPORTER = new Endpoint(0, 0xffff_0a01_0002L, 0);

    private static Problem problem(
            Problem.Kind kind, @Nullable Side side, double value, IcmpEvent.@Nullable Message message) {
        IcmpEvent cause = message == null ? null : new IcmpEvent(1, 1, REPORTER, REPORTER, REPORTER, 0, message);
        return new Problem(kind, side, CallReport.NEVER, value, cause);
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, , , busy",
        "DECLINED, , , declined",
        "CANCELLED, , , cancelled",
        "CANCELLED, , 12.4, cancelled after ringing 12 s",
        "FAILED, , 503, failed with 503",
        "NO_RESPONSE, , , no response",
        "NO_FINAL_RESPONSE, , , no final response",
        "NO_ANSWER, , , no answer",
        "UNAVAILABLE, , 404, unavailable (404)",
        "NO_AUDIO, , , no audio",
        "ONE_WAY_AUDIO, CALLEE, , one-way audio: nothing from callee",
        "LOSS, CALLER, 1.04, 1.0 % lost from caller",
        "LOSS, CALLEE, 9.96, 10.0 % lost from callee",
        "LOSS, CALLEE, 19.6, 20 % lost from callee",
        "LOW_MOS, CALLER, 3.44, MOS 3.4 from caller",
        "JITTER, CALLEE, 30.6, 31 ms jitter from callee",
        "SLOW_SET_UP, , 5.5, set-up took 6 s",
        "NO_ACK, , , no ACK",
        "SLOW_ACK, , 15, ACK took 15 s",
        "SENT_AGAIN, , 3, 3 messages sent again"
    })
    void describesEachKind(Problem.Kind kind, @Nullable Side side, @Nullable Double value, String text) {
        assertThat(ProblemText.of(List.of(problem(kind, side, value == null ? Double.NaN : value, null))))
                .containsExactly(text);
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
        IcmpEvent.Message message = new IcmpEvent.Message(ipVersion, type, code);
        assertThat(ProblemText.of(List.of(problem(Problem.Kind.ICMP, null, Double.NaN, message))))
                .containsExactly("ICMP " + meaning + " from 10.1.0.2");
    }

    @Test
    void mergesIcmpCodesWithTheSameText() {
        List<Problem> problems = List.of(
                problem(Problem.Kind.ICMP, null, Double.NaN, new IcmpEvent.Message(4, 3, 0)),
                problem(Problem.Kind.ICMP, null, Double.NaN, new IcmpEvent.Message(4, 3, 5)),
                problem(Problem.Kind.NO_ACK, null, Double.NaN, null));
        assertThat(ProblemText.of(problems)).containsExactly("ICMP unreachable from 10.1.0.2", "no ACK");
    }

    @ParameterizedTest
    @EnumSource
    void hasATextForEveryKind(Problem.Kind kind) {
        assertThat(ProblemText.of(List.of(problem(kind, Side.CALLER, 1, null))).getFirst())
                .isNotBlank();
    }
}
