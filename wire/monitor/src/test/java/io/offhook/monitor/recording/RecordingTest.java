package io.offhook.monitor.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
    private static final long SECOND = SimulatedThreads.SECOND;
    private static final long BEGAN = 1_795_000_000 * SECOND;
    private static final RecordedProcess PROCESS = new RecordedProcess(4711, "java org.example.Täst", BEGAN, SECOND);
    private static final long LARGE = 1 << 26;

    @TempDir
    private Path folder;

    /** What was read. */
    private static final class Heard implements RecordingListener {
        final List<List<ThreadRow>> looks = new ArrayList<>();
        final List<JavaLook> inJava = new ArrayList<>();
        final List<Long> times = new ArrayList<>();
        final List<Integer> means = new ArrayList<>();
        /** By the name at birth: behind it is an apostrophe for each time that it changed. */
        final Map<String, ThreadUse> totals = new HashMap<>();

        @Override
        public void look(RecordedLook look) {
            looks.add(look.rows());
            inJava.add(look.java());
            times.add(look.atNs());
            means.add(look.meanOf());
            for (ThreadRow row : look.rows()) {
                totals.put(row.name().replace("'", ""), row.total());
            }
        }
    }

    private Path file() {
        return folder.resolve("night.offhook-threads");
    }

    @Test
    void playsTheRowsThatTheWatchReturned() throws IOException {
        SimulatedThreads threads = new SimulatedThreads(7, 20);
        List<List<ThreadRow>> written = new ArrayList<>();
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 500; i++) {
                List<ThreadRow> rows = threads.look(SECOND);
                written.add(rows);
                writer.add(BEGAN + i * SECOND, rows);
            }
            Heard running = new Heard();
            RecordingSummary open = RecordingReader.read(file(), running);
            assertThat(open.extent().end()).isNull();
            assertThat(open.extent().isWhole()).isTrue();
            isAsWritten(running, written);
            writer.end(RecordingEnd.PROCESS_ENDED);
        }
        Heard packed = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), packed);
        isAsWritten(packed, written);
        assertThat(summary.process()).isEqualTo(PROCESS);
        assertThat(summary.looks()).isEqualTo(500);
        assertThat(summary.firstNs()).isEqualTo(BEGAN + SECOND);
        assertThat(summary.lastNs()).isEqualTo(BEGAN + 500 * SECOND);
        assertThat(summary.thinned()).isEmpty();
        assertThat(summary.gone()).isEqualTo(new RecordingSummary.Gone(0, 0));
        assertThat(summary.extent().end()).isEqualTo(RecordingEnd.PROCESS_ENDED);
        assertThat(summary.extent().wholeBytes()).isEqualTo(Files.size(file()));
    }

    private static void isAsWritten(Heard heard, List<List<ThreadRow>> written) {
        assertThat(heard.looks).hasSameSizeAs(written);
        for (int i = 0; i < written.size(); i++) {
            List<ThreadRow> expected = written.get(i);
            List<ThreadRow> actual = heard.looks.get(i);
            assertThat(actual).hasSameSizeAs(expected);
            for (int row = 0; row < expected.size(); row++) {
                ThreadRow was = expected.get(row);
                ThreadRow is = actual.get(row);
                assertThat(is.id()).isEqualTo(was.id());
                assertThat(is.name()).isEqualTo(was.name());
                assertThat(is.state()).isEqualTo(was.state());
                assertThat(is.processor()).isEqualTo(was.processor());
                assertThat(is.last()).isEqualTo(was.last());
                assertThat(is.total()).isEqualTo(was.total());
            }
        }
    }

    @Test
    void theMeanIsThatOfTheLast15Seconds() throws IOException {
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 0; i <= 40; i++) {
                ThreadUse use = i == 0
                        ? new ThreadUse(0, 0, 0, 0, 0, 0, 0)
                        : new ThreadUse(SECOND, i * 1_000_000L, 0, 0, 1, 0, 0);
                writer.add(BEGAN + i * SECOND, List.of(new ThreadRow(1, "works", 'R', 0, use, use, use)));
            }
        }
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        ThreadUse mean = heard.looks.get(40).getFirst().mean();
        // 26 + 27 + ... + 40
        assertThat(mean).isEqualTo(new ThreadUse(15 * SECOND, 495_000_000, 0, 0, 15, 0, 0));
        assertThat(heard.looks.get(3).getFirst().mean()).isEqualTo(new ThreadUse(3 * SECOND, 6_000_000, 0, 0, 3, 0, 0));
    }

    @Test
    void keepsSumsOfTimesThatAreNoWholeMicroseconds() throws IOException {
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 1000; i++) {
                ThreadUse use = new ThreadUse(SECOND, 1_700, 300, 250, 0, 0, 0);
                writer.add(BEGAN + i * SECOND, List.of(new ThreadRow(1, "works", 'R', 0, use, use, use)));
            }
        }
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        assertThat(heard.totals.get("works"))
                .isEqualTo(new ThreadUse(1000 * SECOND, 1_700_000, 300_000, 250_000, 0, 0, 0));
    }

    /** A thread that parks, but for one second in ten, another one that does something else each second, and one that ends. */
    private static JavaLook inJava(int second, boolean hasEnded) {
        StateTimes parked = second % 10 == 0
                ? new StateTimes(400_000_000, 0, 0, 600_000_000, 0)
                : new StateTimes(0, 0, 0, SECOND, 0);
        StateTimes busy = new StateTimes(second * 1000L, 500_000, 0, 0, SECOND - 500_000 - second * 1000L);
        Map<Integer, JavaThread> threads = new HashMap<>();
        threads.put(1, new JavaThread(1, "a name of more than 15 bytes", null, parked, parked, null));
        threads.put(2, new JavaThread(2, "busy", null, busy, busy, null));
        if (!hasEnded) {
            StateTimes asleep = new StateTimes(0, SECOND, 0, 0, 0);
            threads.put(3, new JavaThread(3, "ends", null, asleep, asleep, null));
        }
        List<Pause> pauses = second % 5 == 0
                ? List.of(new Pause(BEGAN + second * SECOND - 7, 1000 + second, Pause.Kind.GC, "G1 Evacuation Pause"))
                : List.of();
        return new JavaLook(threads, Map.of(4, "G1 Main Marker"), List.of(), List.of(), pauses, null);
    }

    private void recordInJava(int looks) throws IOException {
        ThreadUse use = new ThreadUse(SECOND, 1_000_000, 0, 0, 1, 0, 0);
        ThreadUse none = new ThreadUse(0, 0, 0, 0, 0, 0, 0);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= looks; i++) {
                List<ThreadRow> rows = new ArrayList<>();
                boolean hasEnded = i > looks / 2;
                for (int id = 1; id <= 4; id++) {
                    if (id == 3 && i == looks / 2 + 1) {
                        rows.add(new ThreadRow(id, "java", 'X', 0, none, none, none));
                    } else if (id != 3 || !hasEnded) {
                        rows.add(new ThreadRow(id, "java", 'S', 0, use, use, use));
                    }
                }
                writer.add(BEGAN + i * SECOND, rows, inJava(i, hasEnded));
            }
            writer.end(RecordingEnd.STOPPED);
        }
    }

    @Test
    void playsNamesStatesAndPausesOfAJvm() throws IOException {
        recordInJava(100);
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        for (int i = 1; i <= 100; i++) {
            JavaLook was = inJava(i, i > 50);
            JavaLook is = heard.inJava.get(i - 1);
            for (JavaThread thread : was.threads().values()) {
                JavaThread played = thread(is, thread.nativeId());
                assertThat(played.name()).isEqualTo(thread.name());
                assertThat(played.last()).isEqualTo(thread.last());
            }
            assertThat(is.otherNames()).isEqualTo(was.otherNames());
            assertThat(is.pauses()).isEqualTo(was.pauses());
        }
        assertThat(heard.inJava.getLast().threads().keySet()).containsExactlyInAnyOrder(1, 2);
        StateTimes total = thread(heard.inJava.getLast(), 1).total();
        assertThat(total).isEqualTo(new StateTimes(4 * SECOND, 0, 0, 96 * SECOND, 0));
    }

    private static JavaThread thread(JavaLook look, int id) {
        return Objects.requireNonNull(look.threads().get(id));
    }

    @Test
    void thinningAddsStatesUpAndKeepsTheLongestPauses() throws Exception {
        recordInJava(3000);
        Heard before = new Heard();
        RecordingReader.read(file(), before);
        thin(Files.size(file()) * 3 / 4);
        Heard after = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), after);
        assertThat(summary.thinned()).isNotEmpty();
        assertThat(summary.gone().looks()).isZero();
        for (int id = 1; id <= 2; id++) {
            assertThat(thread(after.inJava.getLast(), id).total())
                    .isEqualTo(thread(before.inJava.getLast(), id).total());
        }
        int thinned = after.means.indexOf(10);
        assertThat(after.inJava.get(thinned + 1).pauses()).hasSize(1);
        assertThat(thread(after.inJava.get(thinned + 1), 1).last().runningNs()).isEqualTo(400_000_000);
        assertThat(after.inJava.getLast().threads().keySet()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void knowsWhatTheKernelDoesNotSay() throws IOException {
        ThreadUse use = new ThreadUse(SECOND, 1_000_000, 0, -1, 1, 0, -1);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            writer.add(BEGAN, List.of(new ThreadRow(1, "works", 'R', -1, use, use, use)));
        }
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        assertThat(heard.looks.getFirst().getFirst().last()).isEqualTo(use);
        assertThat(heard.looks.getFirst().getFirst().processor()).isEqualTo(-1);
    }

    private void thin(long limit) throws Exception {
        Thinning.start(file(), Files.size(file()), limit).get().replace();
    }

    /** A process may be killed at any moment, also in the middle of a write. */
    @Test
    void isReadableWhereverItIsCutOff() throws IOException {
        SimulatedThreads threads = new SimulatedThreads(9, 6);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 30; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        Heard all = new Heard();
        RecordingReader.read(file(), all);
        Path cut = folder.resolve("cut");
        long looks = -1;
        for (int length = RecordKind.HEADER_LENGTH; length <= whole.length; length++) {
            Files.write(cut, Arrays.copyOf(whole, length));
            Heard heard = new Heard();
            RecordingSummary summary = RecordingReader.read(cut, heard);
            assertThat(heard.looks).isEqualTo(all.looks.subList(0, heard.looks.size()));
            assertThat(summary.extent().isWhole()).isEqualTo(summary.extent().wholeBytes() == length);
            assertThat(summary.looks()).isGreaterThanOrEqualTo(Math.max(0, looks));
            looks = summary.looks();
        }
        assertThat(looks).isEqualTo(30);
    }

    @Test
    void readsUpToWhatIsDamaged() throws IOException {
        SimulatedThreads threads = new SimulatedThreads(11, 6);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 30; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        Path damaged = folder.resolve("damaged");
        for (int at = RecordKind.HEADER_LENGTH; at < whole.length; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 0x55;
            Files.write(damaged, bytes);
            RecordingSummary summary = RecordingReader.read(damaged, new Heard());
            assertThat(summary.extent().isWhole()).isFalse();
            assertThat(summary.extent().wholeBytes()).isLessThanOrEqualTo(at);
        }
    }

    @Test
    void skipsRecordsOfAKindThatItDoesNotKnow() throws IOException {
        try (RecordFile file = RecordFile.create(file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            RecordBytes payload = new RecordBytes();
            RecordBytes records = new RecordBytes();
            PROCESS.write(payload);
            records.record(RecordKind.PROCESS, payload);
            payload.clear();
            records.record(99, payload.text("of the future"));
            payload.clear();
            records.record(RecordKind.END, payload.u8(1));
            file.append(records);
        }
        RecordingSummary summary = RecordingReader.read(file(), new Heard());
        assertThat(summary.process()).isEqualTo(PROCESS);
        assertThat(summary.extent().end()).isEqualTo(RecordingEnd.STOPPED);
        assertThat(summary.extent().isWhole()).isTrue();
    }

    @Test
    void saysThatAFileIsNoRecordingOrOfANewerVersion() throws IOException {
        Path file = folder.resolve("other");
        for (byte[] bytes :
                List.of(new byte[0], new byte[5], "#!/bin/sh\necho something else".getBytes(StandardCharsets.UTF_8))) {
            Files.write(file, bytes);
            assertThatExceptionOfType(RecordingException.class)
                    .isThrownBy(() -> RecordingReader.read(file, new Heard()))
                    .withMessageContaining("is no recording of threads");
        }
        try (RecordingWriter _ = RecordingWriter.create(file(), PROCESS, LARGE)) {
            // its header
        }
        byte[] newer = Files.readAllBytes(file());
        newer[8] = 2;
        Files.write(file, newer);
        assertThatExceptionOfType(RecordingException.class)
                .isThrownBy(() -> RecordingReader.read(file, new Heard()))
                .withMessageContaining("version 2, and this Offhook reads those up to version 1");
    }

    @Test
    void overwritesNothing() throws IOException {
        Files.writeString(file(), "precious");
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> RecordingWriter.create(file(), PROCESS, LARGE));
        assertThat(file()).hasContent("precious");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordingWriter.create(folder.resolve("small"), PROCESS, 1000))
                .withMessageContaining("1000");
    }

    /** Two days at a limit that has room for some minutes. */
    @Test
    void olderPartsBecomeMeansAndTheLimitHolds() throws IOException {
        long limit = RecordingWriter.LEAST_BYTES * 4;
        SimulatedThreads threads = new SimulatedThreads(5, 12);
        int looks = 40_000;
        long largest = 0;
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, limit)) {
            for (int i = 1; i <= looks; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
                assertThat(writer.fault()).isNull();
                largest = Math.max(largest, writer.sizeBytes());
            }
            writer.end(RecordingEnd.STOPPED);
        }
        assertThat(largest).isLessThan(limit + limit / 8);
        assertThat(folder.toFile().list()).containsExactly("night.offhook-threads");
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), heard);
        assertThat(summary.looks() + summary.gone().looks()).isEqualTo(looks);
        assertThat(heard.means).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(heard.means).contains(0, 10, 60);
        assertThat(heard.times).isSorted();
        assertThat(summary.thinned()).isNotEmpty();
        assertThat(summary.thinned().getLast().meanOf()).isEqualTo(10);
        // the newest part is as it was
        assertThat(heard.times.getLast()).isEqualTo(BEGAN + looks * SECOND);
        assertThat(heard.times.get(heard.times.size() - 2)).isEqualTo(BEGAN + (looks - 1) * SECOND);
    }

    @Test
    void thinningLosesNoTimeOfAnyThread() throws Exception {
        SimulatedThreads threads = new SimulatedThreads(3, 12);
        int looks = 5000;
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= looks; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
            }
            writer.end(RecordingEnd.STOPPED);
        }
        Heard before = new Heard();
        RecordingReader.read(file(), before);
        assertThat(before.totals.keySet()).containsAll(threads.totals.keySet());
        threads.totals.forEach(
                (name, use) -> assertThat(before.totals.get(name)).isEqualTo(use));
        thin(Files.size(file()) * 3 / 4);
        Heard after = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), after);
        assertThat(summary.gone().looks()).isZero();
        assertThat(summary.thinned()).isNotEmpty();
        assertThat(summary.looks()).isEqualTo(looks);
        assertThat(after.looks).hasSizeLessThan(looks);
        threads.totals.forEach(
                (name, use) -> assertThat(after.totals.get(name)).as(name).isEqualTo(use));
        assertThat(after.looks.getLast().stream().map(ThreadRow::name).toList())
                .isEqualTo(before.looks.getLast().stream().map(ThreadRow::name).toList());
    }

    @Test
    void whatIsGoneIsSaidAndTheRestStands() throws Exception {
        SimulatedThreads threads = new SimulatedThreads(13, 12);
        int looks = 5000;
        List<ThreadRow> last = List.of();
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= looks; i++) {
                last = threads.look(SECOND);
                writer.add(BEGAN + i * SECOND, last);
            }
        }
        thin(4096);
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), heard);
        assertThat(summary.gone().looks()).isPositive();
        assertThat(summary.gone().looks() + summary.looks()).isEqualTo(looks);
        assertThat(summary.gone().untilNs()).isLessThan(summary.lastNs());
        assertThat(Files.size(file())).isLessThan(4096);
        List<ThreadRow> played = heard.looks.getLast();
        assertThat(played.stream().filter(row -> !row.isEnded()).map(row -> row.id() + row.name() + row.state()))
                .isEqualTo(last.stream()
                        .filter(row -> !row.isEnded())
                        .map(row -> row.id() + row.name() + row.state())
                        .toList());
    }

    @Test
    void whatIsRecordedWhileItIsThinnedIsKept() throws Exception {
        SimulatedThreads threads = new SimulatedThreads(17, 12);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 2000; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
            }
            long end = Files.size(file());
            FutureTask<Thinning> thinning = Thinning.start(file(), end, end / 2);
            for (int i = 2001; i <= 2100; i++) {
                writer.add(BEGAN + i * SECOND, threads.look(SECOND));
            }
            thinning.get().replace();
        }
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), heard);
        assertThat(summary.looks() + summary.gone().looks()).isEqualTo(2100);
        assertThat(heard.means.subList(heard.means.size() - 100, heard.means.size()))
                .containsOnly(0);
        assertThat(heard.times.getLast()).isEqualTo(BEGAN + 2100 * SECOND);
        threads.totals.forEach((name, use) -> assertThat(heard.totals.get(name)).isEqualTo(use));
    }

    /** As of a process that was killed between two moves. */
    @Test
    void aTemporaryFileThatIsLeftIsInNobodysWay() throws IOException {
        Files.writeString(folder.resolve("night.offhook-threads.tmp"), "left");
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            writer.add(BEGAN + SECOND, new SimulatedThreads(1, 3).look(SECOND));
            writer.end(RecordingEnd.STOPPED);
        }
        assertThat(RecordingReader.read(file(), new Heard()).looks()).isOne();
        assertThat(folder.toFile().list()).containsExactly("night.offhook-threads");
    }
}
