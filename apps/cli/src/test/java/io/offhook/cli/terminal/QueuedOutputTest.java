package io.offhook.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cli.Offhook;
import io.offhook.cli.StandingReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each test on a thread of its own: what waits here cannot be interrupted. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueuedOutputTest {
    private final StandingReader reader = new StandingReader();
    private final QueuedOutput output = new QueuedOutput(reader);

    @Test
    void keepsTheOrderAndCompletesOnClose() throws IOException {
        reader.readAll();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            String line = "line " + i + "\n";
            output.write(line.getBytes(UTF_8));
            all.append(line);
        }
        output.close();
        assertThat(reader.text()).isEqualTo(all.toString());
        assertThat(output.isBehind()).isFalse();
    }

    @Test
    void doesNotWaitWhileThereIsRoom() throws IOException {
        byte[] block = new byte[1 << 20];
        for (int bytes = 0; bytes < QueuedOutput.MOST_BYTES; bytes += block.length) {
            output.write(block);
            output.flush();
        }
        assertThat(output.isBehind()).isTrue();
        assertThat(reader.text()).isEmpty();
    }

    /** Writes a byte on another thread, which waits when this returns; what came of it. */
    private CompletableFuture<String> writeOnceThereIsRoom() {
        CompletableFuture<String> reported = new CompletableFuture<>();
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            try {
                output.write('!');
                reported.complete("written");
            } catch (IOException e) {
                reported.complete(e.getMessage());
            }
        });
        while (!reported.isDone() && writer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(reported).isNotDone();
        return reported;
    }

    @Test
    void waitsForTheReaderOnceItIsFull() throws Exception {
        byte[] block = new byte[QueuedOutput.MOST_BYTES / 2];
        output.write(block);
        output.write(block);
        CompletableFuture<String> third = writeOnceThereIsRoom();
        reader.read(block.length);
        assertThat(third.join()).isEqualTo("written");
        reader.readAll();
        output.close();
        assertThat(reader.text()).hasSize(2 * block.length + 1).endsWith("!");
    }

    /** More at once than there is room for is not waited for without end. */
    @Test
    void acceptsOutputLargerThanTheQueue() throws IOException {
        reader.readAll();
        output.write(new byte[QueuedOutput.MOST_BYTES + 1]);
        output.close();
        assertThat(reader.text()).hasSize(QueuedOutput.MOST_BYTES + 1);
    }

    @Test
    void rethrowsWriteErrors() throws Exception {
        output.write('a');
        reader.failWith(new IOException("No space left on device"));
        while (output.isBehind()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(output::flush).isInstanceOf(IOException.class).hasMessage("No space left on device");
        assertThatThrownBy(() -> output.write('b')).hasMessage("No space left on device");
        assertThatThrownBy(output::close).hasMessage("No space left on device");
    }

    @Test
    void waitingWriterLearnsThatThePipeWasClosed() throws Exception {
        output.write(new byte[QueuedOutput.MOST_BYTES]);
        CompletableFuture<String> thrown = writeOnceThereIsRoom();
        reader.failWith(new IOException("Broken pipe"));
        assertThat(thrown.join()).isEqualTo("Broken pipe");
    }

    /** With a thread that has ended, nothing makes room: who waits for it would wait for ever. */
    @Test
    void reportsErrorsOfTheThreadAsWriteErrors() throws IOException {
        QueuedOutput broken = new QueuedOutput(new OutputStream() {
            @Override
            public void write(int octet) {
                throw new OutOfMemoryError("of a buffer");
            }
        });
        broken.write('a');
        assertThatThrownBy(broken::close)
                .isInstanceOf(IOException.class)
                .hasMessage("java.lang.OutOfMemoryError: of a buffer");
    }

    /** Whoever closes what writes throws again: what came first must come out all the same. */
    @Test
    void terminalReportsAFullDiskMetTwice() {
        Terminal terminal = new Offhook().terminal(reader, OutputStream.nullOutputStream());
        reader.failWith(new IOException("No space left on device"));
        assertThatThrownBy(() -> {
                    try (Terminal.Queued _ = terminal.queued()) {
                        terminal.out().append("lost");
                        while (true) {
                            terminal.flush();
                        }
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
    }

    @Test
    void terminalReportsAClosedPipeAndContinuesAfterTheQueue() throws Exception {
        Terminal terminal = new Offhook().terminal(reader, OutputStream.nullOutputStream());
        try (Terminal.Queued _ = terminal.queued()) {
            terminal.out().append("queued ");
            terminal.flush();
            assertThat(terminal.isBehind()).isTrue();
            reader.readAll();
        }
        assertThat(terminal.isBehind()).isFalse();
        terminal.out().append("direct");
        terminal.flush();
        assertThat(reader.text()).isEqualTo("queued direct");

        reader.failWith(new IOException("Broken pipe"));
        assertThatThrownBy(() -> {
                    try (Terminal.Queued _ = terminal.queued()) {
                        terminal.out().append("lost");
                    }
                })
                .isInstanceOf(OutputClosedException.class);
    }
}
