package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CompilerThreadsTest {
    @Test
    void areFoundIdleInTheEnd() {
        assertThat(CompilerThreads.awaitIdle(100_000_000_000L)).isTrue();
    }

    @Test
    void areNotWaitedForBeyondTheTimeGiven() {
        assertThat(CompilerThreads.awaitIdle(0)).isFalse();
    }
}
