package io.offhook.cli.xray;

import static io.offhook.cli.xray.Messages.CALLEE;
import static io.offhook.cli.xray.Messages.CALLER;
import static io.offhook.cli.xray.Messages.PROXY;
import static io.offhook.cli.xray.Messages.at;
import static io.offhook.cli.xray.Messages.forwarded;
import static io.offhook.cli.xray.Messages.message;
import static io.offhook.cli.xray.Messages.request;
import static io.offhook.cli.xray.Messages.response;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GapFinderTest {
    private static final long LIMIT_MS = GapFinder.LIMIT_NS / Messages.MS;

    private final List<FoundGap> found = new ArrayList<>();
    private final GapFinder finder = new GapFinder(found::add);

    private List<String> gaps() {
        return found.stream()
                .map(gap -> gap.from() + " > " + gap.to() + " " + gap.ns() / Messages.MS)
                .toList();
    }

    @Test
    void aResponseAnswersTheRequestWithItsBranch() {
        finder.came(request(0, CALLER, PROXY, "OPTIONS", 1), false);
        finder.came(request(5, CALLER, PROXY, "OPTIONS", 2), false);
        finder.sent(message(8, PROXY, CALLER, "OPTIONS", 200, 2, 0));
        finder.sent(message(30, PROXY, CALLER, "OPTIONS", 200, 1, 0));
        assertThat(gaps()).containsExactly("OPTIONS > 200 3", "OPTIONS > 200 30");
        assertThat(finder.awaited()).isZero();
    }

    @Test
    void aProxyPassesARequestAndItsResponsesOn() {
        finder.came(request(0, CALLER, PROXY, "INVITE", 1), false);
        finder.sent(forwarded(4, "INVITE", 9, 1));
        finder.came(response(100, CALLEE, PROXY, 180, 9, 1), false);
        finder.sent(response(102, PROXY, CALLER, 180, 1, 0));
        finder.came(response(900, CALLEE, PROXY, 200, 9, 1), false);
        finder.sent(response(907, PROXY, CALLER, 200, 1, 0));
        assertThat(gaps()).containsExactly("INVITE > INVITE 4", "180 > 180 2", "200 > 200 7");
    }

    @Test
    void afterTryingARequestThatIsPassedOnIsAGapOfItsOwnFromThenOn() {
        finder.came(request(0, CALLER, PROXY, "INVITE", 1), false);
        finder.sent(response(1, PROXY, CALLER, 100, 1, 0));
        finder.sent(forwarded(301, "INVITE", 9, 1));
        finder.sent(response(400, PROXY, CALLER, 180, 1, 0));
        assertThat(gaps()).containsExactly("INVITE > 100 1", "100 Trying for INVITE > INVITE 300");
    }

    @Test
    void aUserAgentThatRingsAfterTryingHasNoFurtherGap() {
        finder.came(request(0, CALLER, PROXY, "INVITE", 1), false);
        finder.sent(response(1, PROXY, CALLER, 100, 1, 0));
        finder.sent(response(9000, PROXY, CALLER, 200, 1, 0));
        finder.expire(at(2 * LIMIT_MS));
        assertThat(gaps()).containsExactly("INVITE > 100 1");
    }

    @Test
    void repetitionsBelongToTheGapThatTheyRepeat() {
        SeenMessage request = request(0, CALLER, PROXY, "INVITE", 1);
        finder.came(request, false);
        finder.came(request(500, CALLER, PROXY, "INVITE", 1), true);
        finder.came(request(1500, CALLER, PROXY, "INVITE", 1), false);
        finder.sent(response(1600, PROXY, CALLER, 100, 1, 0));
        assertThat(gaps()).containsExactly("INVITE > 100 1600");
        assertThat(found.getFirst().repeats()).isEqualTo(2);

        // the answer went lost
        found.clear();
        finder.came(request(40_000, CALLER, PROXY, "INVITE", 1), true);
        finder.sent(response(40_001, PROXY, CALLER, 100, 1, 0));
        assertThat(gaps()).isEmpty();
    }

    @Test
    void whatHasNoEffectOutsideIsNoGap() {
        finder.came(response(0, CALLEE, PROXY, 100, 9, 1), false);
        finder.came(request(1, CALLER, PROXY, "ACK", 3), false);
        finder.expire(at(2 * LIMIT_MS));
        assertThat(gaps()).isEmpty();
        assertThat(finder.awaited()).isZero();
    }

    @Test
    void aRequestWithoutAnswerEndsWithTheLimit() {
        finder.came(request(0, CALLER, PROXY, "INVITE", 1), false);
        finder.came(request(10, CALLER, PROXY, "OPTIONS", 2), false);
        assertThat(finder.awaited()).isEqualTo(2);
        finder.expire(at(LIMIT_MS - 1));
        assertThat(gaps()).isEmpty();
        finder.came(request(LIMIT_MS, CALLER, PROXY, "OPTIONS", 4), false);
        assertThat(gaps()).containsExactly("INVITE > no answer " + LIMIT_MS);
        assertThat(found.getFirst().isAnswered()).isFalse();
        assertThat(finder.awaited()).isEqualTo(2);
    }

    @Test
    void aCallerAcknowledgesWhatItHasNobodyToPassOnTo() {
        finder.came(response(0, CALLEE, PROXY, 200, 5, 0), false);
        finder.sent(message(3, PROXY, CALLEE, "ACK", -1, 6, 0));
        assertThat(gaps()).containsExactly("200 > ACK 3");

        // a proxy that passes 486 on acknowledges it first
        found.clear();
        finder.came(response(100, CALLEE, PROXY, 486, 9, 1), false);
        finder.sent(message(101, PROXY, CALLEE, "ACK", -1, 9, 0));
        finder.sent(response(105, PROXY, CALLER, 486, 1, 0));
        assertThat(gaps()).containsExactly("486 > 486 5");
    }

    @Test
    void requestsWithoutBranchesArePairedByCseq() {
        finder.came(request(0, CALLER, PROXY, "OPTIONS", 0), false);
        finder.sent(message(2, PROXY, CALLER, "OPTIONS", 200, 0, 0));
        assertThat(gaps()).containsExactly("OPTIONS > 200 2");
    }

    @Test
    void otherCallsAndOtherMethodsAnswerNothing() {
        finder.came(request(0, CALLER, PROXY, "INVITE", 1), false);
        finder.sent(message(1, PROXY, CALLER, "CANCEL", 200, 1, 0));
        SeenMessage other = response(2, PROXY, CALLER, 200, 1, 0);
        finder.sent(new SeenMessage(other.ns(), "other@host", "200", "INVITE", 200, 1, 1, 0, PROXY, CALLER, false, 1));
        assertThat(gaps()).isEmpty();
    }

    @Test
    void forgetsTheOldestBeyondTheLimitAndCountsThem() {
        for (int i = 0; i < GapFinder.MOST + 5; i++) {
            finder.came(ofCall(i, request(0, CALLER, PROXY, "OPTIONS", 1)), false);
        }
        assertThat(finder.forgotten()).isEqualTo(5);
        assertThat(finder.awaited()).isEqualTo(GapFinder.MOST);
        finder.sent(ofCall(4, message(2, PROXY, CALLER, "OPTIONS", 200, 1, 0)));
        assertThat(gaps()).isEmpty();
        finder.sent(ofCall(5, message(2, PROXY, CALLER, "OPTIONS", 200, 1, 0)));
        assertThat(gaps()).hasSize(1);
    }

    private static SeenMessage ofCall(int number, SeenMessage one) {
        return new SeenMessage(
                one.ns(),
                "call" + number,
                one.label(),
                one.method(),
                one.status(),
                one.cseq(),
                one.branch(),
                one.branchBelow(),
                one.source(),
                one.destination(),
                one.isStream(),
                one.octets());
    }

    @Test
    void aCallCannotMakeTheSearchLong() {
        for (int i = 1; i <= GapFinder.MOST_OF_CALL + 3; i++) {
            finder.came(request(0, CALLER, PROXY, "OPTIONS", i), false);
        }
        assertThat(finder.forgotten()).isEqualTo(3);
        assertThat(finder.awaited()).isEqualTo(GapFinder.MOST_OF_CALL);
    }
}
