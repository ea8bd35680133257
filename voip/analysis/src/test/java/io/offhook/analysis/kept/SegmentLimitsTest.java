package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments are deleted by size and by age, oldest first. */
@Timeout(60)
class SegmentLimitsTest {
    private static final int FRAME = 10_000;
    private static final int MANY = 4000;

    @TempDir
    private Path folder;

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private KeepSettings settings(long mostAgeNs) {
        return new KeepSettings(folder, KeepSettings.LEAST_BYTES, mostAgeNs, KeepSettings.LEAST_QUEUE);
    }

    @Test
    void theOldestAreDeletedBeyondTheSize() throws Exception {
        Path firstSegment = Segment.name(folder, 1);
        int deleted;
        try (KeptMessages messages = new KeptMessages(settings(Long.MAX_VALUE), FRAME)) {
            for (int i = 0; i < MANY / 100; i++) {
                messages.add(100);
                messages.settled();
                assertThat(messages.accepted()).isEqualTo(100L * (i + 1));
                assertThat(bytes()).isLessThanOrEqualTo(KeepSettings.LEAST_BYTES);
                assertThat(messages.deleted() > 0).isEqualTo(!Files.exists(firstSegment));
            }
            deleted = messages.deleted();
            assertThat(messages.counts().packets()).isEqualTo(MANY);
            assertThat(messages.counts().storedBytes()).isLessThanOrEqualTo(KeepSettings.LEAST_BYTES);
        }
        assertThat(bytes()).isGreaterThan(KeepSettings.LEAST_BYTES / 2);
        try (KeptPackets kept = KeptPackets.open(settings(Long.MAX_VALUE))) {
            assertThat(KeptMessages.has(kept, 1)).isFalse();
            assertThat(KeptMessages.has(kept, deleted)).isFalse();
            assertThat(KeptMessages.has(kept, deleted + 1)).isTrue();
            for (int number = MANY - 900; number <= MANY; number += 10) {
                assertThat(KeptMessages.has(kept, number)).as("%d", number).isTrue();
            }
        }
    }

    @Test
    void whatIsTooOldIsDeletedAtTheStart() throws Exception {
        try (KeptMessages messages = new KeptMessages(settings(Long.MAX_VALUE), FRAME)) {
            messages.add(10);
        }
        try (KeptMessages messages = new KeptMessages(settings(1_000_000_000L), FRAME)) {
            messages.add(1); // before it is written, limits are looked at
            messages.settled();
        }
        try (KeptPackets kept = KeptPackets.open(settings(Long.MAX_VALUE))) {
            assertThat(KeptMessages.has(kept, 10)).isFalse();
        }
    }

    @Test
    void aQueueWithoutRoomDropsAndCountsAndNeverWaits() throws Exception {
        try (KeptMessages messages = new KeptMessages(settings(Long.MAX_VALUE), 200_000)) {
            messages.add(2000); // a hundred times the queue, faster than any disk
            KeptCounts counts = messages.settled();
            assertThat(counts.packets() + counts.dropped()).isEqualTo(2000);
            assertThat(counts.lost()).isZero();
        }
    }

    @Test
    void whatIsWrittenNowCanBeReadNow() throws Exception {
        KeepSettings settings = settings(Long.MAX_VALUE);
        try (KeptPackets kept = KeptPackets.open(settings)) {
            assertThat(KeptMessages.has(kept, 1)).isFalse();
            assertThatThrownBy(() -> KeptPackets.open(settings)).hasMessageContaining("another process");
        }
    }
}
