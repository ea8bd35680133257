package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.FlowHash;
import org.junit.jupiter.api.Test;

/** Which TCP connections are kept. */
class ConnectionChoiceTest {
    private final ConnectionChoice choice = new ConnectionChoice();

    @Test
    void keepsConnectionsThatBeginWithAMessageFromTheirHandshakeOn() {
        assertThat(choice.keeps(7, ConnectionChoice.OPENS)).isTrue();
        assertThat(choice.keeps(7, ConnectionChoice.OPENS)).isTrue();
        assertThat(choice.keeps(7, ConnectionChoice.EMPTY)).isTrue();
        assertThat(choice.keeps(7, ConnectionChoice.SIP)).isTrue();
        for (int i = 0; i < 1000; i++) {
            assertThat(choice.keeps(7, ConnectionChoice.PAYLOAD)).isTrue();
            assertThat(choice.keeps(7, ConnectionChoice.EMPTY)).isTrue();
        }
    }

    @Test
    void leavesOthersOutFromTheirFirstBytesOn() {
        assertThat(choice.keeps(7, ConnectionChoice.OPENS)).isTrue();
        assertThat(choice.keeps(7, ConnectionChoice.EMPTY)).isTrue();
        assertThat(choice.keeps(7, ConnectionChoice.PAYLOAD)).isFalse();
        assertThat(choice.keeps(7, ConnectionChoice.EMPTY)).isFalse();
        assertThat(choice.keeps(8, ConnectionChoice.PAYLOAD)).isFalse();
        assertThat(choice.keeps(8, ConnectionChoice.EMPTY)).isFalse();
    }

    @Test
    void keepsTlsForAWhileAndFromThenOnWhatTheAnalysisFound() {
        int kept = 0;
        choice.keeps(7, ConnectionChoice.OPENS);
        choice.keeps(7, ConnectionChoice.TLS);
        while (choice.keeps(7, ConnectionChoice.PAYLOAD)) {
            kept++;
        }
        assertThat(kept).isBetween(50, 200);
        choice.keeps(8, ConnectionChoice.TLS);
        choice.found(8);
        for (int i = 0; i < 1000; i++) {
            assertThat(choice.keeps(8, ConnectionChoice.PAYLOAD)).isTrue();
        }
    }

    @Test
    void remembersTheRecentOnesOfVeryMany() {
        long alive = FlowHash.mix(-1);
        choice.found(alive);
        for (long other = 1; other < 1_000_000; other++) {
            choice.keeps(FlowHash.mix(other), ConnectionChoice.OPENS);
            if (other % 10_000 == 0) {
                assertThat(choice.keeps(alive, ConnectionChoice.PAYLOAD)).isTrue();
            }
        }
        assertThat(choice.keeps(FlowHash.mix(1), ConnectionChoice.EMPTY)).isFalse();
    }
}
