package io.offhook.monitor.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks, lanes, hot methods and allocation in recordings. */
class RecordedDetailsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGAN = 1_795_000_000 * SECOND;
    private static final RecordedProcess PROCESS = new RecordedProcess(4711, "java Proxy", BEGAN, SECOND);
    private static final long LARGE = 1 << 26;
    private static final ThreadUse USE = new ThreadUse(SECOND, 1_000_000, 0, 0, 1, 0, 0);
    private static final String MONITOR = "java.lang.Object@69bc5de28";

    @TempDir
    private Path folder;

    /** What was read. */
    private static final class Heard implements RecordingListener {
        final List<RecordedLook> looks = new ArrayList<>();

        @Override
        public void look(RecordedLook look) {
            looks.add(look);
        }

        LaneUse lanes(String name) {
            return looks.stream()
                    .flatMap(look -> look.lanes().stream())
                    .filter(lane -> lane.report().name().equals(name))
                    .map(LaneRow::last)
                    .reduce(new LaneUse(0, 0, 0, 0, 0, 0, 0), LaneUse::plus);
        }

        Map<Integer, ThreadProfile> profiles() {
            Map<Integer, ThreadProfile> sums = new HashMap<>();
            looks.forEach(
                    look -> look.profiles().forEach((id, profile) -> sums.merge(id, profile, ThreadProfile::plus)));
            return sums;
        }

        int mostWaiting() {
            return looks.stream()
                    .flatMap(look -> look.java().locks().stream())
                    .mapToInt(lock -> lock.waiters().size())
                    .max()
                    .orElse(0);
        }
    }

    /** A process whose lanes, locks and profiles change by chance, from a seed. */
    private static final class Simulated {
        private final Random random;
        private final Map<String, LaneReport> lanes = new TreeMap<>();
        private final Map<String, LaneUse> watched = new HashMap<>();

        Simulated(long seed) {
            random = new Random(seed);
        }

        RecordedLook look(int second) {
            List<ThreadRow> rows = new ArrayList<>();
            Map<Integer, JavaThread> threads = new HashMap<>();
            for (int id = 1; id <= 4; id++) {
                rows.add(new ThreadRow(id, "t" + id, 'S', second % 2, USE, USE, USE));
                StateTimes parked = new StateTimes(0, 0, 0, SECOND, 0);
                threads.put(id, new JavaThread(id, "thread-" + id, null, parked, parked, null));
            }
            JavaLook java = new JavaLook(threads, Map.of(), locks(second), deadlocks(second), List.of(), null);
            return new RecordedLook(
                    BEGAN + second * SECOND, 0, rows, java, lanes(second), second % 50 == 0 ? 3 : 0, profiles());
        }

        private List<JavaLock> locks(int second) {
            if (second % 7 < 3) {
                return List.of();
            }
            List<String> waiters = new ArrayList<>();
            for (int i = 0; i < 1 + second % 97; i++) {
                waiters.add("thread-" + (i + 1));
            }
            return List.of(
                    new JavaLock(MONITOR, second % 2 == 0 ? "holder" : null, waiters),
                    new JavaLock("Other@1", "thread-4", List.of("thread-9")));
        }

        private static List<Deadlock> deadlocks(int second) {
            return second < 200
                    ? List.of()
                    : List.of(new Deadlock(
                            List.of(new Deadlock.Wait("a", MONITOR, "b"), new Deadlock.Wait("b", "Other@1", "a"))));
        }

        /** The second one begins late, and both are gone for a while. */
        private List<LaneRow> lanes(int second) {
            List<LaneRow> rows = new ArrayList<>();
            for (String name : second < 20 ? List.of("calls-0") : List.of("calls-0", "calls-1")) {
                LaneReport before = lanes.get(name);
                LaneUse last = before == null
                        ? new LaneUse(SECOND, 0, 0, 0, 0, 0, 0)
                        : new LaneUse(
                                SECOND,
                                random.nextInt(1_000_000) * 1000L,
                                random.nextInt(1_000_000) * 1000L,
                                random.nextInt(100),
                                random.nextInt(10_000),
                                random.nextInt(2),
                                random.nextInt(10) == 0 ? 5 : 0);
                LaneReport report = report(name, before, last, second);
                lanes.put(name, report);
                watched.merge(name, last, LaneUse::plus);
                rows.add(new LaneRow(report, second % 2, new TreeMap<>(), last, last));
            }
            return second % 1000 > 900 ? gone(rows) : rows;
        }

        private List<LaneRow> gone(List<LaneRow> rows) {
            for (LaneRow row : rows) { // nobody saw it
                LaneUse last = row.last();
                watched.merge(
                        row.report().name(),
                        new LaneUse(
                                -last.elapsedNs(),
                                -last.busyNs(),
                                -last.idleNs(),
                                -last.rounds(),
                                -last.frames(),
                                -last.stalls(),
                                -last.drops()),
                        LaneUse::plus);
            }
            return List.of();
        }

        private LaneReport report(String name, @Nullable LaneReport before, LaneUse last, int second) {
            return new LaneReport(
                    new LaneReport.Identity(name, name.endsWith("0") ? 1 : 2, name.endsWith("0") ? 0 : -1),
                    second % 3 == 0 ? LaneReport.State.WAITING : LaneReport.State.WORKING,
                    second * 1000L,
                    new LaneReport.Counts(
                            (before == null ? 7000 : before.busyNs()) + last.busyNs(),
                            (before == null ? 9000 : before.idleNs()) + last.idleNs(),
                            (before == null ? 11 : before.rounds()) + last.rounds(),
                            (before == null ? 13 : before.frames()) + last.frames(),
                            second * 1000L,
                            (before == null ? 1 : before.stalls()) + last.stalls(),
                            (before == null ? 2 : before.drops()) + last.drops()),
                    new LaneReport.Queue("ring blocks", second % 5, 4, second < 10 ? 64 : 128));
        }

        private Map<Integer, ThreadProfile> profiles() {
            Map<Integer, ThreadProfile> profiles = new HashMap<>();
            for (int id = 1; id <= 3; id++) {
                ThreadProfile profile = new ThreadProfile(0, List.of(), 1000L * id, id == 3 ? SECOND : 0);
                for (int i = random.nextInt(6); i > 0; i--) {
                    String method = "org.example.Some$Class.method" + random.nextInt(200);
                    profile = profile.plus(new ThreadProfile(2, List.of(new ThreadProfile.HotMethod(method, 2)), 0, 0));
                }
                if (profile.samples() > 0 || id == 3) {
                    profiles.put(id, profile);
                }
            }
            return profiles;
        }
    }

    private Path file() {
        return folder.resolve("night");
    }

    private List<RecordedLook> record(int looks, long limit) throws IOException {
        Simulated simulated = new Simulated(3);
        List<RecordedLook> written = new ArrayList<>();
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, limit)) {
            for (int i = 1; i <= looks; i++) {
                RecordedLook look = simulated.look(i);
                written.add(look);
                writer.add(look);
                assertThat(writer.fault()).isNull();
                assertThat(writer.sizeBytes()).isLessThan(limit + limit / 8);
            }
            writer.end(RecordingEnd.STOPPED);
        }
        return written;
    }

    private static void isAs(RecordedLook is, RecordedLook was) {
        assertThat(is.java().locks()).isEqualTo(was.java().locks());
        assertThat(is.java().deadlocks()).isEqualTo(was.java().deadlocks());
        assertThat(is.unpublishedLanes()).isEqualTo(was.unpublishedLanes());
        assertThat(is.lanes()).hasSameSizeAs(was.lanes());
        for (int i = 0; i < is.lanes().size(); i++) {
            assertThat(is.lanes().get(i).report()).isEqualTo(was.lanes().get(i).report());
            assertThat(is.lanes().get(i).last()).isEqualTo(was.lanes().get(i).last());
            assertThat(is.lanes().get(i).processor())
                    .isEqualTo(was.lanes().get(i).processor());
        }
        assertThat(is.profiles()).isEqualTo(was.profiles());
    }

    @Test
    void playsLocksLanesAndProfilesAsTheyWere() throws IOException {
        List<RecordedLook> written = record(950, LARGE);
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        assertThat(heard.looks).hasSameSizeAs(written);
        for (int i = 0; i < written.size(); i++) {
            isAs(heard.looks.get(i), written.get(i));
        }
        RecordedLook locked = heard.looks.get(9); // the tenth second
        JavaThread waiter = Objects.requireNonNull(locked.java().threads().get(1));
        assertThat(waiter.waitsFor()).isEqualTo(MONITOR);
    }

    @Test
    void thinningAddsUpAndKeepsTheMomentAtWhichMostWaited() throws Exception {
        record(3000, LARGE);
        Heard before = new Heard();
        RecordingReader.read(file(), before);
        Thinning.start(file(), Files.size(file()), Files.size(file()) * 3 / 4)
                .get()
                .replace();
        Heard after = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), after);
        assertThat(summary.thinned()).isNotEmpty();
        assertThat(summary.gone().looks()).isZero();
        for (String lane : List.of("calls-0", "calls-1")) {
            LaneUse was = before.lanes(lane);
            LaneUse is = after.lanes(lane);
            assertThat(is.busyNs()).isEqualTo(was.busyNs());
            assertThat(is.idleNs()).isEqualTo(was.idleNs());
            assertThat(is.frames()).isEqualTo(was.frames()).isPositive();
            assertThat(is.rounds()).isEqualTo(was.rounds());
            assertThat(is.stalls()).isEqualTo(was.stalls());
            assertThat(is.drops()).isEqualTo(was.drops());
        }
        assertThat(after.looks.getLast().lanes().getFirst().report())
                .isEqualTo(before.looks.getLast().lanes().getFirst().report());
        for (int id = 1; id <= 3; id++) {
            ThreadProfile was = Objects.requireNonNull(before.profiles().get(id));
            ThreadProfile is = Objects.requireNonNull(after.profiles().get(id));
            assertThat(is.samples()).isEqualTo(was.samples()).isPositive();
            assertThat(is.methods().stream()
                            .mapToLong(ThreadProfile.HotMethod::samples)
                            .sum())
                    .isEqualTo(is.samples());
            assertThat(is.allocatedBytes()).isEqualTo(was.allocatedBytes());
            assertThat(is.allocationNs()).isEqualTo(was.allocationNs());
        }
        assertThat(after.mostWaiting()).isEqualTo(before.mostWaiting()).isEqualTo(97);
        RecordedLook mean = after.looks.stream()
                .filter(look -> look.meanOf() > 0)
                .findFirst()
                .orElseThrow();
        assertThat(mean.java().locks()).isNotEmpty();
        assertThat(after.looks.getLast().java().locks())
                .isEqualTo(before.looks.getLast().java().locks());
    }

    /** Methods and lanes are defined once: what is written while the file becomes thinner must stand alone. */
    @Test
    void theLimitHoldsAndTheNewestPartIsAsItWas() throws IOException {
        List<RecordedLook> written = record(8000, RecordingWriter.LEAST_BYTES * 2);
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), heard);
        assertThat(summary.extent().isWhole()).isTrue();
        assertThat(summary.looks() + summary.gone().looks()).isEqualTo(written.size());
        assertThat(summary.thinned()).isNotEmpty();
        int compared = 0;
        for (int back = 1; heard.looks.get(heard.looks.size() - back).meanOf() == 0; back++) {
            isAs(heard.looks.get(heard.looks.size() - back), written.get(written.size() - back));
            compared++;
        }
        assertThat(compared).isGreaterThan(10);
        assertThat(heard.looks.stream().flatMap(look -> look.profiles().values().stream()))
                .allSatisfy(profile -> assertThat(profile.methods())
                        .noneMatch(method -> method.name().equals("(unknown)")));
        // what it says of a lane since it began is true, however much of the recording is gone
        assertThat(heard.looks.getLast().lanes().getFirst().report().frames())
                .isEqualTo(written.getLast().lanes().getFirst().report().frames());
    }

    @Test
    void whatIsGoneLeavesNoLaneOrMethodBehind() throws Exception {
        Simulated simulated = new Simulated(5);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 1; i <= 3000; i++) {
                RecordedLook look = simulated.look(i);
                writer.add(i <= 1500 ? look : RecordedLook.of(look.atNs(), look.rows(), JavaLook.NOTHING));
            }
        }
        Thinning.start(file(), Files.size(file()), 4096).get().replace();
        assertThat(Files.size(file())).isLessThan(4096);
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(file(), heard);
        assertThat(summary.gone().looks()).isGreaterThan(1400);
        Set<String> methods = new HashSet<>();
        heard.looks.forEach(look -> look.profiles()
                .values()
                .forEach(profile -> profile.methods().forEach(method -> methods.add(method.name()))));
        int[] defined = new int[RecordKind.PROFILES + 1];
        RecordScan.of(file(), (kind, _) -> defined[kind]++);
        assertThat(defined[RecordKind.METHOD]).isEqualTo(methods.size());
        assertThat(heard.looks.getLast().lanes()).isEmpty();
        assertThat(heard.looks.getLast().java().locks()).isEmpty();
    }

    @Test
    void isReadableWhereverItIsCutOff() throws IOException {
        Simulated simulated = new Simulated(7);
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 196; i <= 203; i++) {
                writer.add(simulated.look(i));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        Heard all = new Heard();
        RecordingReader.read(file(), all);
        Path cut = folder.resolve("cut");
        int looks = 0;
        for (int length = RecordKind.HEADER_LENGTH; length <= whole.length; length++) {
            Files.write(cut, Arrays.copyOf(whole, length));
            Heard heard = new Heard();
            RecordingReader.read(cut, heard);
            assertThat(heard.looks).isEqualTo(all.looks.subList(0, heard.looks.size()));
            assertThat(heard.looks).hasSizeGreaterThanOrEqualTo(looks);
            looks = heard.looks.size();
        }
        assertThat(looks).isEqualTo(8);
    }

    /** The content of a record can be anything: its checksum is that of whoever wrote it. */
    @Test
    void anyContentOfARecordIsRead() throws IOException {
        Random random = new Random(11);
        for (int round = 0; round < 100; round++) {
            Files.deleteIfExists(file());
            try (RecordFile file = RecordFile.create(file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                RecordBytes records = new RecordBytes();
                RecordBytes payload = new RecordBytes();
                for (int kind = RecordKind.LOCKS; kind <= RecordKind.PROFILES; kind++) {
                    payload.clear();
                    for (int i = random.nextInt(40); i > 0; i--) {
                        payload.u8(random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(4));
                    }
                    records.record(kind, payload);
                }
                payload.clear();
                new Look(BEGAN, 1_000_000, 0, 1, List.of()).write(payload);
                records.record(RecordKind.LOOK, payload);
                file.append(records);
            }
            Heard heard = new Heard();
            assertThat(RecordingReader.read(file(), heard).extent().isWhole()).isTrue();
            assertThat(heard.looks).hasSize(1);
            Thinning.pack(file());
            assertThat(RecordingReader.read(file(), heard).extent().isWhole()).isTrue();
            assertThat(heard.looks).hasSize(2);
        }
    }

    /** Made by {@code offhook threads --record} before there were kinds from 10 on, of a JVM that ran for nine seconds. */
    @Test
    void anOlderRecordingHasNone() throws IOException {
        Heard heard = new Heard();
        RecordingSummary summary = RecordingReader.read(Path.of("src/test/resources/version-1.threads"), heard);
        assertThat(summary.extent().isWhole()).isTrue();
        assertThat(summary.extent().end()).isEqualTo(RecordingEnd.STOPPED);
        assertThat(heard.looks).hasSize(4);
        RecordedLook look = heard.looks.getLast();
        assertThat(look.java().threads().values())
                .filteredOn(thread -> thread.name().equals("a thread that sleeps for long"))
                .singleElement()
                .satisfies(thread ->
                        assertThat(thread.total().share(JavaState.SLEEPING)).isEqualTo(1));
        assertThat(look.java().locks()).isEmpty();
        assertThat(look.java().deadlocks()).isEmpty();
        assertThat(look.lanes()).isEmpty();
        assertThat(look.profiles()).isEmpty();
    }

    @Test
    void methodsWithoutEndAreNumberedAnew() throws IOException {
        List<ThreadRow> rows = List.of(new ThreadRow(1, "t", 'S', 0, USE, USE, USE));
        try (RecordingWriter writer = RecordingWriter.create(file(), PROCESS, LARGE)) {
            for (int i = 0; i < 3 * ProfileRecords.MOST_NUMBERED; i++) {
                ThreadProfile profile =
                        new ThreadProfile(1, List.of(new ThreadProfile.HotMethod("Made.by" + i, 1)), 0, 0);
                writer.add(new RecordedLook(
                        BEGAN + i * SECOND, 0, rows, JavaLook.NOTHING, List.of(), 0, Map.of(1, profile)));
            }
            writer.end(RecordingEnd.STOPPED);
        }
        Heard heard = new Heard();
        RecordingReader.read(file(), heard);
        for (int i = 0; i < heard.looks.size(); i++) {
            ThreadProfile profile =
                    Objects.requireNonNull(heard.looks.get(i).profiles().get(1));
            assertThat(profile.methods().getFirst().name()).isEqualTo("Made.by" + i);
        }
    }
}
