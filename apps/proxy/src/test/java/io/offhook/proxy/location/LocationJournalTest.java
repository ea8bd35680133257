package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocationJournalTest {
    private static final long NOW = Registrations.NOW;
    private static final AddressOfRecord ONE = Registrations.user(1);
    private static final AddressOfRecord TWO = Registrations.user(2);

    @TempDir
    Path directory;

    /** An opened journal with what it had. */
    private record Opened(LocationJournal journal, LocationTable table, long cutBytes) implements AutoCloseable {
        void append(AddressOfRecord user, long cseq) throws IOException {
            List<Binding> bindings = List.of(Registrations.binding(user, cseq, NOW));
            table.put(user, bindings);
            journal.append(LocationRecord.encode(user, bindings));
        }

        List<Long> cseqs(AddressOfRecord user) {
            return table.get(user).stream().map(Binding::cseq).toList();
        }

        @Override
        public void close() throws IOException {
            journal.close();
        }
    }

    private Opened open() throws IOException {
        return open(NOW);
    }

    private Opened open(long nowMs) throws IOException {
        LocationTable table = new LocationTable();
        LocationJournal.Opened opened = LocationJournal.open(directory, nowMs, table::put);
        return new Opened(opened.journal(), table, opened.cutBytes());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theLastRecordOfAUserCounts() throws IOException {
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            opened.append(TWO, 1);
            opened.append(ONE, 2);
        }
        try (Opened opened = open()) {
            assertThat(opened.cseqs(ONE)).containsExactly(2L);
            assertThat(opened.cseqs(TWO)).containsExactly(1L);
            assertThat(opened.cutBytes()).isZero();
            opened.journal().append(LocationRecord.encode(TWO, List.of()));
        }
        try (Opened opened = open()) {
            assertThat(opened.cseqs(TWO)).isEmpty();
            assertThat(opened.table().addresses()).isEqualTo(1);
        }
    }

    @Test
    void whatHasExpiredMeanwhileIsPassedOver() throws IOException {
        try (Opened opened = open()) {
            opened.append(ONE, 1);
        }
        try (Opened opened = open(NOW + 3_600_000)) {
            assertThat(opened.table().bindings()).isZero();
        }
    }

    @Test
    void aTornLastRecordIsCutAtEveryLengthAndWritingGoesOn() throws IOException {
        Path file = directory.resolve("location-00000001.journal");
        long whole;
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            whole = opened.journal().bytes();
            opened.append(TWO, 1);
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            boolean hasOne = length >= whole;
            try (Opened opened = open()) {
                assertThat(opened.cseqs(ONE)).as("cut to " + length).hasSize(hasOne ? 1 : 0);
                assertThat(opened.cseqs(TWO)).isEmpty();
                opened.append(TWO, 7);
            }
            try (Opened opened = open()) {
                assertThat(opened.cseqs(TWO)).as("cut to " + length).containsExactly(7L);
                assertThat(opened.cseqs(ONE)).hasSize(hasOne ? 1 : 0);
            }
        }
    }

    @Test
    void aRecordWithOneWrongBitEndsWhatIsRead() throws IOException {
        Path file = directory.resolve("location-00000001.journal");
        long whole;
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            whole = opened.journal().bytes();
            opened.append(ONE, 2);
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int at = (int) whole; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            try (Opened opened = open()) {
                assertThat(opened.cseqs(ONE)).as("byte " + at).containsExactly(1L);
                assertThat(opened.cutBytes()).isEqualTo(bytes.length - whole);
            }
        }
    }

    @Test
    void aSnapshotReplacesWhatCameBeforeIt() throws IOException {
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            opened.append(TWO, 1);
            long number = opened.journal().rotate();
            opened.append(ONE, 2);
            assertThat(files()).contains("location-00000001.journal", "location-00000002.journal");

            LocationJournal.writeSnapshot(directory, number, opened.table());

            assertThat(files())
                    .containsExactly("location-00000002.journal", "location-00000002.snapshot", "location.lock");
            opened.append(TWO, 3);
        }
        try (Opened opened = open()) {
            assertThat(opened.cseqs(ONE)).containsExactly(2L);
            assertThat(opened.cseqs(TWO)).containsExactly(3L);
        }
    }

    @Test
    void aProcessThatEndsBeforeTheSnapshotIsFinishedLosesNothing() throws IOException {
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            opened.journal().rotate();
            opened.append(TWO, 2);
            opened.journal().rotate();
            opened.append(ONE, 3);
            Files.writeString(directory.resolve("location.snapshot.new"), "offhook lo");
        }
        try (Opened opened = open()) {
            assertThat(opened.cseqs(ONE)).containsExactly(3L);
            assertThat(opened.cseqs(TWO)).containsExactly(2L);
            opened.append(TWO, 4);
            LocationJournal.writeSnapshot(directory, opened.journal().rotate(), opened.table());
        }
        assertThat(files()).containsExactly("location-00000004.journal", "location-00000004.snapshot", "location.lock");
        try (Opened opened = open()) {
            assertThat(opened.cseqs(TWO)).containsExactly(4L);
        }
    }

    @Test
    void whatASnapshotReplacedAndWasNotRemovedIsNotRead() throws IOException {
        Path first = directory.resolve("location-00000001.journal");
        byte[] old;
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            old = Files.readAllBytes(first);
            opened.table().put(ONE, List.of());
            LocationJournal.writeSnapshot(directory, opened.journal().rotate(), opened.table());
        }
        Files.write(first, old);
        try (Opened opened = open()) {
            assertThat(opened.cseqs(ONE)).isEmpty();
        }
        assertThat(files()).doesNotContain("location-00000001.journal");
    }

    @Test
    void aDamagedSnapshotIsReportedAndNotPassedOver() throws IOException {
        try (Opened opened = open()) {
            opened.append(ONE, 1);
            LocationJournal.writeSnapshot(directory, opened.journal().rotate(), opened.table());
        }
        Path snapshot = directory.resolve("location-00000002.snapshot");
        byte[] bytes = Files.readAllBytes(snapshot);
        Files.write(snapshot, Arrays.copyOf(bytes, bytes.length - 1));

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("is damaged behind byte");
    }

    @Test
    void filesOfAnotherFormatAreNotTouched() throws IOException {
        Files.writeString(directory.resolve("location-00000001.journal"), "offhook location 2\nxxxx");

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("another version");
        assertThat(directory.resolve("location-00000001.journal")).hasContent("offhook location 2\nxxxx");
    }

    @Test
    void oneProcessUsesADirectory() throws IOException {
        try (Opened opened = open()) {
            assertThat(opened.journal().bytes()).isPositive();
            assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("is used by another");
        }
        open().close();
    }

    @Test
    void filesAreTheirOwners() throws IOException {
        Path own = directory.resolve("new/location");
        LocationJournal.open(own, NOW, (user, bindings) -> {}).journal().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(own.resolve("location-00000001.journal"))))
                .isEqualTo("rw-------");
    }
}
