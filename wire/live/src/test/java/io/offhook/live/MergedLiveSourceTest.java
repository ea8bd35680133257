package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.CpuAffinity;
import io.offhook.linux.LinuxException;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On sources that hand over what the test tells them to. */
@Timeout(60)
class MergedLiveSourceTest {
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    /** A source whose frames hold their own time, and which checks that memory is not read once it was given back. */
    private class Scripted implements LiveSource {
        private final String name;
        private final LinkedBlockingQueue<Runnable> script = new LinkedBlockingQueue<>();
        private final IdentityHashMap<FrameBatch, MemorySegment> memories = new IdentityHashMap<>();
        private FrameBatch filling = new FrameBatch(1);
        private long delivered;
        private long drops;
        private volatile LiveCounts counts = LiveCounts.NONE;
        private volatile List<CaptureFault> faults = List.of();
        private volatile boolean isStopped;
        private volatile boolean isClosed;
        private final Set<FrameBatch> lent = Collections.newSetFromMap(new IdentityHashMap<>());
        private int mostLent = Integer.MAX_VALUE;
        private boolean isOver;

        Scripted(String name) {
            this.name = name;
        }

        /** Hands over nothing while so many batches hold frames, as a ring whose blocks are all lent. */
        Scripted lendsAtMost(int batches) {
            mostLent = batches;
            return this;
        }

        /** Hands over frames of those times in one batch. */
        Scripted frames(long... times) {
            script.add(() -> {
                MemorySegment memory = memories.computeIfAbsent(filling, _ -> arena.allocate(8L * 4096, 8));
                int segment = filling.addSegment(memory);
                for (int i = 0; i < times.length; i++) {
                    memory.set(ValueLayout.JAVA_LONG, 8L * i, times[i]);
                    filling.add(segment, 8L * i, 8, 80, times[i], 0, LinkType.ETHERNET);
                    filling.direction(FrameDirection.OUTGOING);
                }
            });
            return this;
        }

        Scripted drop(long packets) {
            script.add(() -> drops = drops + packets);
            return this;
        }

        Scripted fail(RuntimeException thrown) {
            script.add(() -> {
                throw thrown;
            });
            return this;
        }

        /** The last that is heard of it is that it dropped some. */
        Scripted dropAndDisappear(long packets) {
            script.add(() -> {
                drops += packets;
                isOver = true;
            });
            return this;
        }

        Scripted disappear() {
            script.add(() -> {
                isOver = true;
                faults = List.of(new CaptureFault(CaptureFault.Kind.UNREADABLE, name, -1, "has gone"));
            });
            return this;
        }

        @Override
        public void release(FrameBatch batch) {
            MemorySegment memory = memories.get(batch);
            if (memory != null) {
                memory.fill((byte) 0xee); // whoever still reads it finds out
            }
            batch.clear(delivered + 1);
            lent.remove(batch);
        }

        @Override
        public boolean next(FrameBatch batch) {
            release(batch);
            filling = batch;
            if (lent.size() >= mostLent) {
                LockSupport.parkNanos(1_000_000);
                return !isStopped;
            }
            try {
                Runnable step = isStopped ? script.poll() : script.poll(IDLE_MS, TimeUnit.MILLISECONDS);
                if (step != null) {
                    step.run();
                }
                isOver |= step == null && isStopped;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            delivered += batch.count();
            if (batch.count() > 0) {
                lent.add(batch);
            }
            counts = new LiveCounts(delivered + drops, delivered, 0, drops, 0, 0);
            return batch.count() > 0 || !isOver;
        }

        @Override
        public void stop() {
            isStopped = true;
        }

        @Override
        public LiveCounts counts() {
            return counts;
        }

        @Override
        public List<CaptureInterface> interfaces() {
            return List.of(new CaptureInterface(name, LinkType.ETHERNET, 65_535, 1_000_000_000, 0, name));
        }

        @Override
        public List<CaptureFault> faults() {
            return faults;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private record Seen(long timeNs, int interfaceIndex) {}

    private static void take(FrameBatch batch, List<Seen> seen) {
        for (int i = 0; i < batch.count(); i++) {
            assertThat(batch.segmentOf(i).get(ValueLayout.JAVA_LONG, batch.offset(i)))
                    .isEqualTo(batch.timestampNs(i));
            assertThat(batch.number(i)).isEqualTo(seen.size() + 1);
            assertThat(batch.direction(i)).isEqualTo(FrameDirection.OUTGOING);
            assertThat(batch.wireLength(i)).isEqualTo(80);
            seen.add(new Seen(batch.timestampNs(i), batch.interfaceIndex(i)));
        }
    }

    private static List<Seen> drain(MergedLiveSource source, FrameBatch... batches) {
        List<Seen> seen = new ArrayList<>();
        int turn = 0;
        while (source.next(batches[turn])) {
            take(batches[turn], seen);
            turn = (turn + 1) % batches.length;
        }
        return seen;
    }

    @Test
    void readersRunWhereTheyArePlaced() {
        int[] processors = CpuAffinity.processors();
        int last = processors[processors.length - 1];
        LanePlacement placement = LanePlacement.on(last, processors[0]);
        Scripted one = new Scripted("one").frames(1);
        Scripted two = new Scripted("two").frames(2);
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, two), placement)) {
            merged.stop();
            FrameBatch batch = new FrameBatch(10);
            while (merged.next(batch)) {
                assertThat(batch.count()).isLessThanOrEqualTo(2);
            }
        }
        List<LanePlacement.Lane> lanes = placement.lanes();
        assertThat(lanes).extracting(LanePlacement.Lane::name).containsExactly("reader-one", "reader-two");
        assertThat(lanes).extracting(LanePlacement.Lane::pinnedTo).containsExactly(last, processors[0]);
        assertThat(lanes).allMatch(LanePlacement.Lane::isInPlace);
    }

    @Test
    void mergesByTimeAndReportsTheInterface() {
        Scripted one = new Scripted("one").frames(10, 30).frames(40);
        Scripted two = new Scripted("two").frames(20, 30, 35).frames(50);
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, two))) {
            merged.stop();
            assertThat(drain(merged, new FrameBatch(2), new FrameBatch(3)))
                    .containsExactly(
                            new Seen(10, 0),
                            new Seen(20, 1),
                            new Seen(30, 0),
                            new Seen(30, 1),
                            new Seen(35, 1),
                            new Seen(40, 0),
                            new Seen(50, 1));
            assertThat(merged.lateFrames()).isZero();
            assertThat(merged.interfaces()).extracting(CaptureInterface::name).containsExactly("one", "two");
            assertThat(merged.counts()).isEqualTo(new LiveCounts(7, 7, 0, 0, 0, 0));
            assertThat(merged.counts(1)).isEqualTo(new LiveCounts(4, 4, 0, 0, 0, 0));
            assertThat(merged.next(new FrameBatch(1))).isFalse();
        }
        assertThat(one.isClosed).isTrue();
        assertThat(two.isClosed).isTrue();
    }

    @Test
    void waitsForAnInterfaceThatIsSilentButNotForLong() {
        Scripted busy = new Scripted("busy").frames(100);
        Scripted silent = new Scripted("silent");
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(busy, silent))) {
            FrameBatch batch = new FrameBatch(16);
            List<Seen> seen = new ArrayList<>();
            long began = System.nanoTime();
            while (seen.isEmpty()) {
                assertThat(merged.next(batch)).isTrue();
                take(batch, seen);
            }
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(MergedLiveSource.PATIENCE_MS * 900_000L);
            silent.frames(90); // too late
            while (seen.size() < 2) {
                assertThat(merged.next(batch)).isTrue();
                take(batch, seen);
            }
            assertThat(seen).containsExactly(new Seen(100, 0), new Seen(90, 1));
            assertThat(merged.lateFrames()).isEqualTo(1);
        }
    }

    @Test
    void keepsFramesOfABatchUntilItComesBack() {
        Scripted one = new Scripted("one");
        Scripted two = new Scripted("two");
        for (int i = 0; i < 1000; i++) {
            one.frames(4L * i, 4L * i + 1);
            two.frames(4L * i + 2, 4L * i + 3);
        }
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, two))) {
            merged.stop();
            FrameBatch kept = new FrameBatch(5);
            List<Seen> seen = new ArrayList<>();
            assertThat(merged.next(kept)).isTrue();
            take(kept, seen);
            FrameBatch passing = new FrameBatch(7);
            while (merged.next(passing)) {
                take(passing, seen);
            }
            // all hauls but those of the batch that is kept have been filled again and again
            take(kept, new ArrayList<>());
            // in no order: what one reader has done before the other begins crowds its lane
            assertThat(seen).extracting(Seen::timeNs).doesNotHaveDuplicates().hasSize(4000);
        }
    }

    @Test
    void givesBackWhatIsReadWhileNothingMoreComes() {
        Scripted ring = new Scripted("ring").lendsAtMost(2);
        for (int i = 0; i < 6; i++) {
            ring.frames(i);
        }
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(ring))) {
            FrameBatch batch = new FrameBatch(16);
            List<Seen> seen = new ArrayList<>();
            long began = System.nanoTime();
            while (seen.size() < 6) {
                assertThat(System.nanoTime() - began)
                        .as("a ring of two blocks hands over a third once the first is back")
                        .isLessThan(10_000_000_000L);
                assertThat(merged.next(batch)).isTrue();
                take(batch, seen);
            }
            assertThat(merged.counts().drops()).isZero();
        }
    }

    @Test
    void placesDropsThatAreCountedAtTheEnd() {
        Scripted one = new Scripted("one").frames(1, 2).dropAndDisappear(5);
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one))) {
            assertThat(drain(merged, new FrameBatch(4))).hasSize(2);
            assertThat(merged.counts().drops()).isEqualTo(5);
            assertThat(merged.losses())
                    .singleElement()
                    .satisfies(loss -> assertThat(loss.packets()).isEqualTo(5));
        }
    }

    @Test
    void goesOnWithoutAnInterfaceThatDisappears() {
        Scripted gone = new Scripted("gone").frames(1).disappear();
        Scripted broken = new Scripted("broken").frames(2).fail(new LinuxException("poll", 5));
        Scripted stays = new Scripted("stays").frames(3);
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(gone, broken, stays))) {
            FrameBatch batch = new FrameBatch(16);
            List<Seen> seen = new ArrayList<>();
            while (seen.size() < 3 || merged.faults().size() < 2) {
                assertThat(merged.next(batch)).isTrue();
                take(batch, seen);
            }
            stays.frames(4);
            merged.stop();
            while (merged.next(batch)) {
                take(batch, seen);
            }
            assertThat(seen).extracting(Seen::timeNs).containsExactly(1L, 2L, 3L, 4L);
            assertThat(merged.faults())
                    .extracting(CaptureFault::describe)
                    .containsExactly("gone: has gone", "broken: poll: EIO, Input/output error");
        }
    }

    @Test
    void endsOnceAllInterfacesHaveDisappeared() {
        Scripted one = new Scripted("one").frames(1).disappear();
        Scripted two = new Scripted("two").disappear();
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, two))) {
            assertThat(drain(merged, new FrameBatch(4))).containsExactly(new Seen(1, 0));
        }
    }

    @Test
    void throwsWhatIsAMistake() {
        Scripted one = new Scripted("one").fail(new IllegalStateException("no"));
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, new Scripted("two")))) {
            assertThatThrownBy(() -> drain(merged, new FrameBatch(4)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("reading one failed")
                    .hasRootCauseMessage("no");
        }
    }

    @Test
    void countsAndPlacesDropsByItsOwnNumbers() {
        long now = System.currentTimeMillis() * 1_000_000L;
        long later = now + 3_600_000_000_000L;
        Scripted one = new Scripted("one").frames(now - 2, now - 1).drop(7).frames(later);
        Scripted two = new Scripted("two").frames(now - 3).frames(later + 1);
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, two))) {
            merged.stop();
            assertThat(drain(merged, new FrameBatch(16))).hasSize(5);
            assertThat(merged.counts()).isEqualTo(new LiveCounts(12, 5, 0, 7, 0, 0));
            assertThat(merged.losses()).singleElement().satisfies(loss -> {
                assertThat(loss.file()).isEqualTo("one");
                assertThat(loss.packets()).isEqualTo(7);
                assertThat(loss.firstFrame()).isEqualTo(3);
                assertThat(loss.lastFrame()).isEqualTo(4);
            });
        }
    }

    @Test
    void addsUpWhereTheConsumerKeepsMoreThanThereIs() {
        Scripted one = new Scripted("one");
        for (int i = 0; i < 3 * LiveLane.MOST_HAULS; i++) {
            one.frames(i);
        }
        try (MergedLiveSource merged = MergedLiveSource.of(List.of(one, new Scripted("two")))) {
            List<FrameBatch> kept = new ArrayList<>();
            int count = 0;
            while (count < LiveLane.MOST_HAULS) {
                FrameBatch batch = new FrameBatch(1);
                assertThat(merged.next(batch)).isTrue();
                count += batch.count();
                kept.add(batch);
            }
            FrameBatch none = new FrameBatch(1);
            assertThat(merged.next(none)).isTrue();
            assertThat(none.count()).as("all hauls are kept").isZero();
            merged.stop();
            // handed in again one after the other, as they are in use
            for (int turn = 0; merged.next(kept.get(turn % kept.size())); turn++) {
                count += kept.get(turn % kept.size()).count();
            }
            assertThat(count).isEqualTo(3 * LiveLane.MOST_HAULS);
        }
    }

    @Test
    void closesWhileReadersWork() {
        for (int round = 0; round < 20; round++) {
            Scripted one = new Scripted("one");
            for (int i = 0; i < 100; i++) {
                one.frames(i);
            }
            MergedLiveSource merged = MergedLiveSource.of(List.of(one, new Scripted("two")));
            assertThat(merged.next(new FrameBatch(1))).isTrue();
            merged.close();
            assertThat(one.isClosed).isTrue();
            assertThatThrownBy(() -> merged.next(new FrameBatch(1))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void closesAllThoughOneCannotBe() {
        Scripted broken = new Scripted("one") {
            @Override
            public void close() {
                throw new LinuxException("close", 5);
            }
        };
        Scripted other = new Scripted("two");
        MergedLiveSource merged = MergedLiveSource.of(List.of(broken, other));
        assertThatThrownBy(merged::close).isInstanceOf(LinuxException.class);
        assertThat(other.isClosed).isTrue();
    }

    @Test
    void boundsEndASource() {
        Scripted one = new Scripted("one").frames(1, 2, 3).frames(4, 5, 6).frames(7);
        try (BoundedLiveSource bounded = BoundedLiveSource.of(one, 5, BoundedLiveSource.NONE)) {
            FrameBatch batch = new FrameBatch(16);
            List<Seen> seen = new ArrayList<>();
            while (bounded.next(batch)) {
                take(batch, seen);
            }
            assertThat(seen).extracting(Seen::timeNs).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(batch.count()).isZero();
            assertThat(bounded.counts().delivered()).isEqualTo(5);
            assertThat(bounded.counts(0)).as("of its only interface").isEqualTo(bounded.counts());
            assertThat(one.isStopped).isTrue();
        }
        Scripted two = new Scripted("two");
        try (BoundedLiveSource bounded = BoundedLiveSource.of(two, BoundedLiveSource.NONE, 200_000_000L)) {
            long began = System.nanoTime();
            FrameBatch batch = new FrameBatch(16);
            while (bounded.next(batch)) {
                assertThat(batch.count()).isZero();
            }
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(200_000_000L);
        }
    }
}
