package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as the kernel writes them, by hand. */
class TaskTest {
    @TempDir
    Path folder;

    private final ByteBuffer buffer = ByteBuffer.allocate(8192);

    private void stat(char state, int user) throws IOException {
        Files.writeString(
                folder.resolve("stat"),
                "42 (a (b) c) " + state + " 1 42 42 0 -1 4194304 0 0 0 0 " + user
                        + " 7 0 0 20 0 1 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0\n");
    }

    private void sched(int switches) throws IOException {
        Files.writeString(
                folder.resolve("sched"),
                "a (42, #threads: 1)\n-----\nse.nr_migrations                             :                    5\n"
                        + "nr_switches                                  :                   30\n"
                        + "nr_voluntary_switches                        :                   " + switches + "\n"
                        + "nr_involuntary_switches                      :                    4\n");
    }

    private void schedstat(String text) throws IOException {
        Files.writeString(folder.resolve("schedstat"), text + "\n");
    }

    private Task open() throws IOException {
        stat('S', 100);
        sched(26);
        schedstat("1000000 2000 30");
        return Objects.requireNonNull(Task.open(folder));
    }

    @Test
    void readsWhatTheKernelCounts() throws IOException {
        try (Task task = open()) {
            assertThat(task.read(buffer)).isEqualTo(new TaskReading('S', 3, 100, 7, 1_000_000, 2000, 26, 4, 5));
            assertThat(task.name()).isEqualTo("a (b) c");
        }
    }

    @Test
    void ofAThreadThatHasNotRunOnlyTheStateIsReadAgain() throws IOException {
        try (Task task = open()) {
            TaskReading first = task.read(buffer);
            sched(99);
            stat('R', 500);
            assertThat(task.read(buffer)).isEqualTo(new TaskReading('R', 3, 100, 7, 1_000_000, 2000, 26, 4, 5));
            stat('S', 500);
            assertThat(task.read(buffer)).isEqualTo(first);
        }
    }

    @Test
    void whatAThreadDidIsReadAsSoonAsItHadATurn() throws IOException {
        try (Task task = open()) {
            task.read(buffer);
            sched(27);
            stat('S', 101);
            schedstat("1000000 2000 31");
            assertThat(task.read(buffer)).isEqualTo(new TaskReading('S', 3, 101, 7, 1_000_000, 2000, 27, 4, 5));
        }
    }

    @Test
    void aKernelThatAccountsNoTurnsLeavesTheTicks() throws IOException {
        try (Task task = open()) {
            schedstat("0 0 0");
            assertThat(task.read(buffer)).isEqualTo(new TaskReading('S', 3, 100, 7, -1, -1, 26, 4, 5));
            stat('S', 101);
            sched(27);
            assertThat(task.read(buffer)).isEqualTo(new TaskReading('S', 3, 101, 7, -1, -1, 27, 4, 5));
        }
    }

    @Test
    void aThreadWhoseFilesAreEmptyHasEnded() throws IOException {
        try (Task task = open()) {
            task.read(buffer);
            Files.writeString(folder.resolve("stat"), "");
            assertThat(task.read(buffer)).isNull();
        }
    }
}
