package io.offhook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = folder.resolve("f.yaml");
        Files.writeString(file, "a");
        written(1);
    }

    private void written(int second) throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(second * 1000L));
    }

    @Test
    void reportsAChangeOnce() throws IOException {
        FileWatch watch = new FileWatch(file);
        assertThat(watch.look()).isFalse();
        written(2);
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isTrue();
        watch.reading();
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isFalse();
    }

    @Test
    void doesNotReportAFileWhileItIsWritten() throws IOException {
        FileWatch watch = new FileWatch(file);
        for (int second = 2; second < 10; second++) {
            written(second);
            assertThat(watch.look()).isFalse();
        }
        assertThat(watch.look()).isTrue();
    }

    @Test
    void waitsForAFileThatAnEditorReplaces() throws IOException {
        FileWatch watch = new FileWatch(file);
        Files.delete(file);
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isFalse();
        Files.writeString(file, "b");
        written(1); // as it was read
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isFalse();
        written(3);
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isTrue();
    }

    /** A signal says so, as a rule, before the file was the same for long. */
    @Test
    void doesNotReportChangesThatWereReadMeanwhile() throws IOException {
        FileWatch watch = new FileWatch(file);
        written(2);
        assertThat(watch.look()).isFalse();
        watch.reading();
        assertThat(watch.look()).isFalse();
        assertThat(watch.look()).isFalse();
    }
}
