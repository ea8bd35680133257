package io.offhook.linux.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.TaskStatus;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LaneBoardTest {
    private static final long MS = 1_000_000;
    private static final ProcessIdentity SELF = Objects.requireNonNull(ProcessIdentity.of(Path.of("/proc/self")));

    /** In memory, as boards must be. */
    private Path above = Path.of("/dev/shm");

    private Path folder = above;

    @BeforeEach
    void makeFolder() throws IOException {
        above = Files.createTempDirectory(LaneFolders.MEMORY, "lane-board-test");
        folder = above.resolve("offhook");
    }

    @AfterEach
    void removeFolder() throws IOException {
        for (Path file : LaneFolders.listed(folder, "*")) {
            Files.delete(file);
        }
        Files.deleteIfExists(folder);
        Files.delete(above);
    }

    private LaneBoard board() {
        return Objects.requireNonNull(LaneBoard.open("test", List.of(folder)));
    }

    private PublishedLanes read() {
        return PublishedLanes.of(SELF, List.of(folder));
    }

    private static <T> T onAThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    /** A meter whose times are given, from 0 on. */
    private static LaneMeter meter(MemorySegment record) {
        LaneMeter meter = new LaneMeter(record, "lane", 7, 3, 0);
        meter.works(0);
        return meter;
    }

    private static MemorySegment record() {
        return Arena.ofAuto().allocate(LaneLayout.RECORD_BYTES, Long.BYTES);
    }

    private static LaneReport report(MemorySegment record, long nowNs) {
        return LaneReport.of(record, record.get(LaneLayout.INT, LaneLayout.STATE_AT), nowNs);
    }

    @Test
    void readsWhatALaneHasWritten() throws Exception {
        try (LaneBoard board = board()) {
            int id = onAThread(() -> {
                LaneMeter meter = Objects.requireNonNull(board.lane("reader-größe", 1));
                assertThat(LaneMeter.current()).isSameAs(meter);
                meter.queue("ring blocks", 64);
                meter.depth(40);
                meter.depth(2);
                meter.drops(5);
                meter.polled(System.nanoTime(), 100);
                meter.polled(System.nanoTime(), 28);
                meter.waits(System.nanoTime());
                meter.works(System.nanoTime());
                return TaskStatus.currentId();
            });
            PublishedLanes lanes = read();
            assertThat(lanes.commands()).containsExactly("test");
            assertThat(lanes.lanes()).singleElement().satisfies(lane -> {
                assertThat(lane.name()).isEqualTo("reader-größe");
                assertThat(lane.nativeId()).isEqualTo(id);
                assertThat(lane.pinnedTo()).isEqualTo(1);
                assertThat(lane.state()).isEqualTo(LaneReport.State.WORKING);
                assertThat(lane.rounds()).isEqualTo(2);
                assertThat(lane.frames()).isEqualTo(128);
                assertThat(lane.drops()).isEqualTo(5);
                assertThat(lane.queue()).isEqualTo(new LaneReport.Queue("ring blocks", 2, 40, 64));
            });
        }
        assertThat(read()).isEqualTo(PublishedLanes.NONE);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void knowsHowLongALaneWorkedAndWaited() {
        MemorySegment record = record();
        LaneMeter meter = meter(record);
        meter.polled(2 * MS, 10);
        meter.waits(5 * MS);
        meter.works(95 * MS);
        meter.polled(100 * MS, 10);
        LaneReport lane = report(record, 101 * MS);
        assertThat(lane.busyNs()).isEqualTo(11 * MS); // 5, 5, and 1 that is not over
        assertThat(lane.idleNs()).isEqualTo(90 * MS);
        assertThat(lane.stateNs()).isEqualTo(MS);
        assertThat(lane.longestStallNs()).isEqualTo(5 * MS);
        assertThat(lane.stalls()).isZero();
        meter.waits(102 * MS);
        assertThat(report(record, 152 * MS).idleNs()).isEqualTo(140 * MS);
        assertThat(report(record, 152 * MS).state()).isEqualTo(LaneReport.State.WAITING);
    }

    @Test
    void publishesABusyLaneEach100Microseconds() {
        MemorySegment record = record();
        LaneMeter meter = meter(record);
        meter.polled(90_000, 1);
        assertThat(report(record, 95_000).frames()).isZero();
        meter.polled(110_000, 1);
        assertThat(report(record, 115_000).frames()).isEqualTo(2);
        meter.polled(120_000, 1);
        assertThat(report(record, 125_000).frames()).isEqualTo(2);
        meter.waits(125_000);
        assertThat(report(record, 130_000).frames()).isEqualTo(3);
    }

    @Test
    void countsWorkWithoutAPollAsAStall() {
        MemorySegment record = record();
        LaneMeter meter = meter(record);
        meter.polled(MS, 1);
        meter.polled(41 * MS, 1);
        meter.waits(46 * MS);
        meter.works(1046 * MS); // a long wait is none
        meter.polled(1047 * MS, 1);
        meter.waits(1062 * MS);
        LaneReport lane = report(record, 1062 * MS);
        assertThat(lane.stalls()).isEqualTo(2);
        assertThat(lane.longestStallNs()).isEqualTo(40 * MS);
    }

    @Test
    void saysThatALaneHasEnded() throws Exception {
        try (LaneBoard board = board()) {
            onAThread(() -> {
                LaneMeter meter = Objects.requireNonNull(board.lane("short", -1));
                meter.end(System.nanoTime());
                assertThat(LaneMeter.current()).isNull();
                return meter;
            });
            LaneReport before = read().lanes().getFirst();
            LaneReport after = read().lanes().getFirst();
            assertThat(before.state()).isEqualTo(LaneReport.State.ENDED);
            assertThat(after.busyNs()).isEqualTo(before.busyNs());
            assertThat(after.pinnedTo()).isEqualTo(-1);
            assertThat(after.queue()).isNull();
        }
    }

    @Test
    void countsLanesThatHaveNoRoom() {
        try (LaneBoard board = board()) {
            for (int i = 0; i < LaneLayout.MOST_LANES; i++) {
                assertThat(board.lane("lane " + i, -1)).isNotNull();
            }
            assertThat(board.lane("too many", -1)).isNull();
            assertThat(board.lane("too many", -1)).isNull();
            assertThat(read().lanes()).hasSize(LaneLayout.MOST_LANES);
            assertThat(read().unpublished()).isEqualTo(2);
        } finally {
            Objects.requireNonNull(LaneMeter.current()).end(System.nanoTime());
        }
    }

    @Test
    void cutsNamesBetweenCharacters() {
        MemorySegment record = record();
        LaneLayout.text(record, LaneLayout.NAME_AT, "x" + "€".repeat(40));
        assertThat(LaneLayout.text(record, LaneLayout.NAME_AT)).isEqualTo("x" + "€".repeat(21));
        LaneLayout.text(record, LaneLayout.NAME_AT, "short");
        assertThat(LaneLayout.text(record, LaneLayout.NAME_AT)).isEqualTo("short");
    }

    /** Frames and rounds change together; a reader must never see one without the other. */
    @Test
    void readsRecordsWholeWhileTheyAreWritten() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (LaneBoard board = board()) {
            Thread writer = Thread.ofPlatform().start(() -> {
                LaneMeter meter = Objects.requireNonNull(board.lane("busy", -1));
                while (!isOver.get()) {
                    meter.polled(System.nanoTime(), 3);
                    for (int i = 0; i < 2000; i++) {
                        Thread.onSpinWait(); // a batch takes some time
                    }
                }
            });
            long last = 0;
            for (int i = 0; i < 200 || last == 0; i++) {
                for (LaneReport lane : read().lanes()) {
                    assertThat(lane.frames()).isEqualTo(3 * lane.rounds());
                    assertThat(lane.rounds()).isGreaterThanOrEqualTo(last);
                    last = lane.rounds();
                }
            }
            isOver.set(true);
            writer.join();
        }
    }

    @Test
    void leavesAloneWhatIsNotInMemoryOrOpenToOthers() throws IOException {
        Path disk = Path.of("/proc/self/fd/offhook"); // no tmpfs, nor writable
        assertThat(LaneBoard.open("test", List.of(disk))).isNull();
        Files.createDirectory(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertThat(LaneBoard.open("test", List.of(folder))).isNull();
        Path link = above.resolve("link");
        Files.createSymbolicLink(link, folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(LaneBoard.open("test", List.of(link))).isNull();
        Files.delete(link);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void choosesFoldersInMemory() {
        assertThat(LaneFolders.of(Map.of("XDG_RUNTIME_DIR", "/run/user/7"), "max"))
                .containsExactly(Path.of("/run/user/7/offhook"), Path.of("/dev/shm/offhook-max"));
        assertThat(LaneFolders.of(Map.of(), "root"))
                .containsExactly(Path.of("/run/offhook"), Path.of("/dev/shm/offhook-root"));
        assertThat(LaneFolders.of(Map.of("XDG_RUNTIME_DIR", "relative"), "max"))
                .containsExactly(Path.of("/dev/shm/offhook-max"));
    }

    @Test
    void sweepsBoardsOfProcessesThatHaveEnded() throws IOException {
        Path reused;
        Path gone;
        Path elsewhere;
        byte[] bytes;
        try (LaneBoard board = board()) {
            bytes = Files.readAllBytes(board.file());
            reused = write(SELF.process() + ".99999.lanes", changed(bytes, LaneLayout.START_AT, 1));
            gone = write("4194999.1.lanes", changed(bytes, LaneLayout.PROCESS_AT, 4_194_999));
            elsewhere = write(
                    "4194998.1.lanes",
                    changed(changed(bytes, LaneLayout.PROCESS_AT, 4_194_998), LaneLayout.NAMESPACE_AT, 99));
            Path cut = write("4194997.1.lanes", new byte[7]);
            assertThat(read().lanes()).isEmpty(); // that of an earlier process of this number is not this one's
            assertThat(read().commands()).hasSize(1);
            try (LaneBoard other = board()) {
                assertThat(board.file()).exists();
                assertThat(other.file()).exists();
                assertThat(reused).doesNotExist();
                assertThat(gone).doesNotExist();
                assertThat(cut).doesNotExist();
                assertThat(elsewhere).exists();
                assertThat(read().commands()).hasSize(2);
            }
        }
    }

    @Test
    void leavesTheBoardOfAProcessOfThisNumberInAnotherNamespaceAlone() throws IOException {
        byte[] bytes;
        int number;
        try (LaneBoard board = board()) {
            bytes = Files.readAllBytes(board.file());
            number = Integer.parseInt(board.file().getFileName().toString().split("\\.", -1)[1]);
        }
        Path other = write(SELF.process() + "." + (number + 1) + ".lanes", changed(bytes, LaneLayout.NAMESPACE_AT, 99));
        byte[] before = Files.readAllBytes(other);
        try (LaneBoard board = board()) {
            assertThat(board.file()).isNotEqualTo(other).exists();
            assertThat(other).hasBinaryContent(before);
        }
        assertThat(other).exists();
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static byte[] changed(byte[] bytes, int at, long value) {
        byte[] copy = bytes.clone();
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        return copy;
    }

    private static byte[] changedInt(byte[] bytes, int at, int value) {
        byte[] copy = bytes.clone();
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return copy;
    }

    private @Nullable List<LaneReport> lanes(byte[] bytes) throws IOException {
        Path file = write(SELF.process() + ".99997.lanes", bytes);
        BoardBytes board = BoardBytes.read(file, SELF.user());
        return board == null ? null : board.lanes(System.nanoTime());
    }

    @Test
    void takesNoCutOrHostileFileForABoard() throws Exception {
        byte[] bytes;
        try (LaneBoard board = board()) {
            onAThread(() -> Objects.requireNonNull(board.lane("one", 0)));
            bytes = Files.readAllBytes(board.file());
        }
        assertThat(bytes).hasSize(LaneLayout.BOARD_BYTES);
        assertThat(lanes(bytes)).hasSize(1);
        for (int length : List.of(0, 1, 7, 8, 64, 127, 128, 383, 384, bytes.length - 1)) {
            assertThat(lanes(Arrays.copyOf(bytes, length))).as("of " + length).isNull();
        }
        assertThat(lanes(changed(bytes, 0, 0))).isNull();
        for (int[] field : List.of(
                new int[] {LaneLayout.VERSION_AT, 2},
                new int[] {LaneLayout.HEADER_LENGTH_AT, 64},
                new int[] {LaneLayout.HEADER_LENGTH_AT, 129},
                new int[] {LaneLayout.HEADER_LENGTH_AT, Integer.MAX_VALUE},
                new int[] {LaneLayout.RECORD_LENGTH_AT, 0},
                new int[] {LaneLayout.RECORD_LENGTH_AT, -256},
                new int[] {LaneLayout.RECORD_LENGTH_AT, 1 << 20},
                new int[] {LaneLayout.RECORDS_AT, -1},
                new int[] {LaneLayout.RECORDS_AT, 65},
                new int[] {LaneLayout.RECORDS_AT, Integer.MAX_VALUE})) {
            assertThat(lanes(changedInt(bytes, field[0], field[1])))
                    .as(field[0] + " is " + field[1])
                    .isNull();
        }
        assertThat(lanes(Arrays.copyOf(bytes, 2 << 20))).isNull();
    }

    @Test
    void readsAnyRecordWithoutAFault() throws IOException {
        byte[] bytes;
        try (LaneBoard board = board()) {
            bytes = Files.readAllBytes(board.file());
        }
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] hostile = bytes.clone();
            byte[] records = new byte[hostile.length - LaneLayout.HEADER_BYTES];
            random.nextBytes(records);
            System.arraycopy(records, 0, hostile, LaneLayout.HEADER_BYTES, records.length);
            List<LaneReport> lanes = lanes(changedInt(hostile, LaneLayout.HEADER_BYTES + LaneLayout.STATE_AT, 2));
            assertThat(lanes).as("seed " + seed).isNotEmpty().allSatisfy(lane -> {
                assertThat(List.of(lane.busyNs(), lane.idleNs(), lane.stateNs(), lane.frames(), lane.rounds()))
                        .allMatch(count -> count >= 0);
                assertThat(lane.pinnedTo()).isGreaterThanOrEqualTo(-1);
                assertThat(lane.name().length()).isLessThanOrEqualTo(LaneLayout.TEXT_BYTES);
            });
        }
    }

    @Test
    void readsNoLinkAndNoFileOfAnother() throws IOException {
        try (LaneBoard board = board()) {
            assertThat(BoardBytes.read(board.file(), SELF.user() + 1)).isNull();
            Path link = folder.resolve("1.1.lanes");
            Files.createSymbolicLink(link, board.file());
            assertThat(BoardBytes.read(link, SELF.user())).isNull();
            assertThat(BoardBytes.read(folder, SELF.user())).isNull();
        }
    }
}
