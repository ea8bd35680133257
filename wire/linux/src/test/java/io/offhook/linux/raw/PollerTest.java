package io.offhook.linux.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.libc.Unistd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PollerTest {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;

    @Test
    void saysWhenTimeIsOver() {
        try (NativeSocket socket = socket();
                Poller poller = new Poller(socket.descriptor())) {
            assertThat(poller.await(0)).isFalse();
            assertThat(poller.await(1)).isFalse();
            assertThat(poller.isReadable(0)).isFalse();
        }
    }

    @Test
    void saysWhichDescriptorHasSomething() {
        int silent = Unistd.eventfd(0, Unistd.EVENTFD_FLAGS);
        int spoken = Unistd.eventfd(1, Unistd.EVENTFD_FLAGS);
        try (Poller poller = new Poller(silent, spoken)) {
            assertThat(poller.await(-1)).isTrue();

            assertThat(poller.isReadable(0)).isFalse();
            assertThat(poller.isReadable(1)).isTrue();
            assertThat(poller.hasFailed(1)).isFalse();
        } finally {
            Unistd.close(silent);
            Unistd.close(spoken);
        }
    }

    @Test
    void isWokenUpByAnotherThreadOrBeforeItWaits() throws InterruptedException {
        try (NativeSocket socket = socket();
                Poller poller = new Poller(socket.descriptor())) {
            poller.wakeUp();
            assertThat(poller.await(-1)).isFalse();

            Thread waiting = Thread.ofPlatform().start(() -> poller.await(-1));
            poller.wakeUp();
            waiting.join(10_000);
            assertThat(waiting.isAlive()).isFalse();
            assertThat(poller.await(0)).isFalse();
        }
    }

    @Test
    void mayBeWokenUpAfterItsEnd() {
        Poller poller = new Poller();
        poller.close();
        poller.wakeUp();
        poller.close();
    }

    private static NativeSocket socket() {
        return NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open a UDP socket");
    }
}
