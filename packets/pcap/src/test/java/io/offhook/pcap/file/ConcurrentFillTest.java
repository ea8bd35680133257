package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many threads fill the batches of a file, they find the frames that one finds who reads it in order. */
class ConcurrentFillTest {
    private static final int BATCHES = 16;
    private static final int CAPACITY = 256;
    private static final int FRAMES = 40_000;
    private static final int START_SECONDS = 1_700_000_000;

    @TempDir
    Path folder;

    private int rounds;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void findsTheSameFramesOnAnyNumberOfThreads(int threads) throws Exception {
        Random random = new Random(threads);
        Path file = write(ByteOrder.LITTLE_ENDIAN, i -> 40 + random.nextInt(300), false);

        assertThat(concurrently(file, threads)).isEqualTo(inOrder(file));
        assertThat(rounds).isGreaterThan(FRAMES / CAPACITY / BATCHES / 2);
    }

    @Test
    void findsThemInTheOtherByteOrder() throws Exception {
        Path file = write(ByteOrder.BIG_ENDIAN, i -> 100 + i % 77, false);

        assertThat(concurrently(file, 4)).isEqualTo(inOrder(file));
        assertThat(rounds).isPositive();
    }

    @Test
    void isNotMisledByFramesThatHoldACapture() throws Exception {
        Path file = write(ByteOrder.LITTLE_ENDIAN, i -> 2000, true);

        assertThat(concurrently(file, 4)).isEqualTo(inOrder(file));
        assertThat(rounds).isPositive();
    }

    @Test
    void goesOnWherePacketsBecomeSoSmallThatBatchesAreFull() throws Exception {
        Path file = write(ByteOrder.LITTLE_ENDIAN, i -> i < FRAMES / 2 ? 1400 : i % 3, false);

        assertThat(concurrently(file, 3)).isEqualTo(inOrder(file));
        assertThat(rounds).isPositive();
    }

    @Test
    void leavesADamagedRecordToTheReaderInOrder() throws Exception {
        Path file = write(ByteOrder.LITTLE_ENDIAN, i -> i == FRAMES / 2 ? -1 : 200, false);

        List<String> expected = inOrder(file);
        assertThat(expected.getLast()).startsWith("[CaptureFault");
        assertThat(concurrently(file, 3)).isEqualTo(expected);
        assertThat(rounds).isPositive();
    }

    @Test
    void reportsARecordThatIsCutOff() throws Exception {
        Path file = write(ByteOrder.LITTLE_ENDIAN, i -> 200, false);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 7));

        assertThat(concurrently(file, 3)).isEqualTo(inOrder(file));
        assertThat(rounds).isPositive();
    }

    /** @param length of each frame; -1 is one whose record says so */
    private Path write(ByteOrder order, IntUnaryOperator length, boolean holdsCapture) throws IOException {
        Path file = folder.resolve("frames.pcap");
        ByteBuffer record = ByteBuffer.allocate(4096).order(order);
        try (OutputStream out = Files.newOutputStream(file)) {
            record.putInt(0xa1b2c3d4)
                    .putShort((short) 2)
                    .putShort((short) 4)
                    .putLong(0)
                    .putInt(65_535)
                    .putInt(1);
            for (int i = 0; i < FRAMES; i++) {
                out.write(record.array(), 0, record.position());
                int bytes = length.applyAsInt(i);
                header(record.clear(), i, bytes);
                int end = record.position() + Math.max(bytes, 0);
                while (holdsCapture && end - record.position() >= 16 + 30) {
                    header(record, i, 30);
                    record.position(record.position() + 30);
                }
                record.position(end);
            }
            out.write(record.array(), 0, record.position());
        }
        return file;
    }

    private static void header(ByteBuffer record, int i, int bytes) {
        record.putInt(START_SECONDS + i / 1000)
                .putInt(i % 1000 * 1000)
                .putInt(bytes)
                .putInt(bytes);
    }

    private static List<String> inOrder(Path file) {
        List<String> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(CAPACITY);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                add(batch, frames);
            }
            frames.add(source.faults().toString());
        }
        return frames;
    }

    private List<String> concurrently(Path file, int threads) throws Exception {
        List<String> frames = new ArrayList<>();
        List<FrameBatch> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            batches.add(new FrameBatch(CAPACITY));
        }
        try (ExecutorService lanes = Executors.newFixedThreadPool(threads);
                PacketSource source = CaptureFiles.open(file.toString())) {
            ConcurrentFill fill = Objects.requireNonNull(source.concurrently());
            while (true) {
                if (fill.begin(BATCHES, CAPACITY)) {
                    rounds++;
                    round(fill, batches, lanes, threads);
                    batches.forEach(batch -> add(batch, frames));
                } else if (source.next(batches.getFirst())) {
                    add(batches.getFirst(), frames);
                } else {
                    frames.add(source.faults().toString());
                    return frames;
                }
            }
        }
    }

    private static void round(ConcurrentFill fill, List<FrameBatch> batches, ExecutorService lanes, int threads)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callable<Void> lane = () -> {
            for (int i = next.getAndIncrement(); i < BATCHES; i = next.getAndIncrement()) {
                fill.fill(i, batches.get(i));
            }
            return null;
        };
        for (Future<Void> done : lanes.invokeAll(Collections.nCopies(threads, lane))) {
            done.get();
        }
        fill.end();
    }

    private static void add(FrameBatch batch, List<String> frames) {
        for (int i = 0; i < batch.count(); i++) {
            frames.add(batch.number(i) + " " + batch.offset(i) + " " + batch.capturedLength(i) + " "
                    + batch.wireLength(i) + " " + batch.timestampNs(i) + " " + batch.linkType(i));
        }
    }
}
