package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How answers of the kernel are taken. */
class NetlinkTest {
    private static final int HEADER = 16;

    /** Two messages without a body, of which the second has these flags. */
    private static MemorySegment messages(Arena arena, int flags) {
        MemorySegment messages = arena.allocate(2 * HEADER, Long.BYTES);
        for (int at = 0; at < messages.byteSize(); at += HEADER) {
            messages.set(ValueLayout.JAVA_INT, at, HEADER);
        }
        messages.set(ValueLayout.JAVA_SHORT, HEADER + 6, (short) flags);
        return messages;
    }

    @Test
    void asksAgainWhatChangedWhileItWasTold() {
        try (Arena arena = Arena.ofConfined()) {
            AtomicInteger asked = new AtomicInteger();
            MemorySegment sound = messages(arena, 0);
            List<MemorySegment> answer = Netlink.ofOneTime(() -> asked.incrementAndGet() < 3
                    ? List.of(sound, messages(arena, Netlink.NLM_F_DUMP_INTR))
                    : List.of(sound));
            assertThat(asked).hasValue(3);
            assertThat(answer).containsExactly(sound);
        }
    }

    @Test
    void takesWhatItGetsWhereThingsNeverStopChanging() {
        try (Arena arena = Arena.ofConfined()) {
            AtomicInteger asked = new AtomicInteger();
            List<MemorySegment> answer = Netlink.ofOneTime(() -> {
                asked.incrementAndGet();
                return List.of(messages(arena, Netlink.NLM_F_DUMP_INTR));
            });
            assertThat(asked).hasValue(Netlink.MOST_TRIES);
            assertThat(answer).hasSize(1);
        }
    }
}
