package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessMemoryTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    @Test
    void readsPiecesAndLeavesOutThoseThatAreNotThere() {
        try (Arena arena = Arena.ofConfined();
                ProcessMemory memory = new ProcessMemory(SELF, 5000, 100_000)) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_LONG, 3000);
            for (int i = 0; i < 3000; i++) {
                numbers.setAtIndex(ValueLayout.JAVA_LONG, i, i);
            }
            for (int i = 0; i < 3000; i++) {
                // each tenth piece is at an address that no process has
                memory.add(i % 10 == 9 ? 8 : numbers.address() + 8L * i, 8);
            }
            memory.read();
            for (int i = 0; i < 3000; i++) {
                assertThat(memory.isRead(i)).as("piece %d", i).isEqualTo(i % 10 != 9);
                if (memory.isRead(i)) {
                    assertThat(memory.longAt(i, 0)).isEqualTo(i);
                    assertThat(memory.intAt(i, 4)).isZero();
                }
            }
        }
    }

    @Test
    void readsText() {
        try (Arena arena = Arena.ofConfined();
                ProcessMemory memory = new ProcessMemory(SELF, 1, 64)) {
            int piece = memory.add(arena.allocateFrom("JavaThread").address(), 11);
            memory.read();
            assertThat(memory.textAt(piece)).isEqualTo("JavaThread");
        }
    }

    @Test
    void takesNoMorePiecesThanItHasRoomFor() {
        try (ProcessMemory memory = new ProcessMemory(SELF, 2, 16)) {
            assertThat(memory.add(8, 8)).isZero();
            assertThat(memory.add(8, 9)).isEqualTo(-1);
            assertThat(memory.add(8, 8)).isOne();
            assertThat(memory.add(8, 0)).isEqualTo(-1);
            assertThat(memory.isRead(-1)).isFalse();
            memory.clear();
            assertThat(memory.add(8, 16)).isZero();
        }
    }

    @Test
    void saysThatThereIsNoSuchProcess() {
        try (ProcessMemory memory = new ProcessMemory(Integer.MAX_VALUE, 1, 8)) {
            memory.add(8, 8);
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(memory::read)
                    .withMessageContaining("process_vm_readv of process 2147483647: ESRCH");
        }
    }
}
