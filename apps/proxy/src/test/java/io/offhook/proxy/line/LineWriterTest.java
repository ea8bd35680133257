package io.offhook.proxy.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineWriterTest {
    @TempDir
    private Path folder;

    private static LineWriter<String> writer(int capacity, LineOutput output) {
        return new LineWriter<>("test", capacity, (item, to) -> to.append(item).append('\n'), output, () -> {});
    }

    @Test
    void dropsAndCountsWhatHasNoRoomAndWritesTheRest() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineWriter<String> writer = writer(3, LineOutput.of(out)); // rounded up to 4
        for (int i = 0; i < 10; i++) {
            assertThat(writer.offer("line " + i)).isEqualTo(i < 4);
        }
        writer.start();
        writer.close();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("line 0\nline 1\nline 2\nline 3\n");
        assertThat(writer.dropped()).isEqualTo(6);
        assertThat(writer.written()).isEqualTo(4);
        assertThat(writer.offer("late")).isFalse();
    }

    @Test
    void losesAndReordersNothingOfManyThreadsThatHaveRoom() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineWriter<String> writer = writer(1 << 17, LineOutput.of(out));
        writer.start();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            String name = "t" + t;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 5000; i++) {
                    writer.offer(name + " " + i);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        writer.close();
        Map<String, Integer> next = new HashMap<>();
        for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
            String[] words = line.split(" ", -1);
            assertThat(Integer.parseInt(words[1])).isEqualTo(next.getOrDefault(words[0], 0));
            next.merge(words[0], 1, Integer::sum);
        }
        assertThat(next.values()).containsOnly(5000).hasSize(4);
        assertThat(writer.dropped()).isZero();
    }

    @Test
    void countsWhatTheOutputRefusesAndGoesOn() {
        LineOutput full = new LineOutput() {
            @Override
            public void write(byte[] octets, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LineWriter<String> writer = writer(4, full);
        writer.offer("a");
        writer.offer("b");
        writer.start();
        writer.close();
        assertThat(writer.refused()).isEqualTo(2);
        assertThat(writer.lastFailure()).contains("No space left on device");
    }

    @Test
    void anItemThatCannotBeWrittenCostsOnlyItself() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineWriter<Integer> writer = new LineWriter<>(
                "test",
                4,
                (item, to) -> to.append("half ").append(100 / item).append('\n'),
                LineOutput.of(out),
                () -> {});
        writer.offer(1);
        writer.offer(0);
        writer.offer(4);
        writer.start();
        writer.close();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("half 100\nhalf 25\n");
        assertThat(writer.refused()).isEqualTo(1);
    }

    @Test
    void goesOnInANewFileWhenTheOldOneWasMovedAway() throws Exception {
        Path path = folder.resolve("log");
        LineFile file = LineFile.open(path);
        byte[] line = "one\n".getBytes(StandardCharsets.US_ASCII);
        file.write(line, 0, line.length);
        Files.move(path, folder.resolve("log.1"));
        file.write(line, 0, line.length);
        file.reopen();
        file.write(line, 0, line.length);
        file.close();
        assertThat(Files.readString(folder.resolve("log.1"))).isEqualTo("one\none\n");
        assertThat(Files.readString(path)).isEqualTo("one\n");
        LineFile again = LineFile.open(path);
        again.write(line, 0, line.length);
        again.close();
        assertThat(Files.readString(path)).isEqualTo("one\none\n");
    }

    @Test
    void keepsTheOldFileIfTheNewOneCannotBeOpened() throws Exception {
        Path inside = Files.createDirectory(folder.resolve("inside"));
        LineFile file = LineFile.open(inside.resolve("log"));
        Files.move(inside, folder.resolve("moved"));
        assertThatThrownBy(file::reopen).isInstanceOf(IOException.class);
        byte[] line = "kept\n".getBytes(StandardCharsets.US_ASCII);
        file.write(line, 0, line.length);
        file.close();
        assertThat(Files.readString(folder.resolve("moved/log"))).isEqualTo("kept\n");
    }

    @Test
    void refusesACapacityOutOfRange() {
        for (int capacity : Arrays.asList(0, 1, LineWriter.MOST_CAPACITY + 1)) {
            assertThatThrownBy(() -> writer(capacity, LineOutput.of(new ByteArrayOutputStream())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(capacity));
        }
    }
}
