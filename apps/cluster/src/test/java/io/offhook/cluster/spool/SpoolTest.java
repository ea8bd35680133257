package io.offhook.cluster.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Octets;
import io.offhook.testkit.peers.JavaProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final int SEGMENT = 4096;
    private static final int MANY = 1_000_000;
    private static final SpooledEvent SHORT =
            new SpooledEvent(2, 1, 4, 8, 1004, Octets.of("a short event".getBytes(StandardCharsets.UTF_8)));

    @TempDir
    Path folder;

    private Spool open() throws IOException {
        return open(1 << 20);
    }

    private Spool open(long maxOctets) throws IOException {
        return Spool.open(new SpoolConfig(folder, maxOctets, SEGMENT));
    }

    /** An event of a size that depends on its number, 5 to a segment or so. */
    static SpooledEvent event(int partition, long incarnation, long sequence) {
        byte[] octets = new byte[500 + (int) (sequence * 37 % 300)];
        new Random(31 * incarnation + 7L * partition + sequence).nextBytes(octets);
        return new SpooledEvent(
                partition, incarnation, sequence, -sequence, 1000 * incarnation + sequence, Octets.of(octets));
    }

    private static List<SpooledEvent> events(long incarnation, long from, long until) {
        return LongStream.rangeClosed(from, until)
                .mapToObj(sequence -> event((int) (sequence % 3), incarnation, sequence))
                .toList();
    }

    private static void appendAll(Spool spool, List<SpooledEvent> events) {
        for (SpooledEvent event : events) {
            assertThat(spool.append(event)).isEqualTo(SpoolStatus.KEPT);
        }
    }

    private static List<SpooledEvent> read(Spool spool) {
        return spool.read(MANY, Integer.MAX_VALUE).stream()
                .map(Spool.Entry::event)
                .toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".spool"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void whatIsAppendedIsReadOnceAndInOrder() throws IOException {
        try (Spool spool = open()) {
            assertThat(read(spool)).isEmpty();
            appendAll(spool, events(1, 1, 30));
            assertThat(read(spool)).isEqualTo(events(1, 1, 30));
            assertThat(read(spool)).isEmpty();
            appendAll(spool, events(1, 31, 31));
            assertThat(read(spool)).isEqualTo(events(1, 31, 31));
            assertThat(files()).hasSizeGreaterThan(4);
            assertThat(spool.counts().events()).isEqualTo(31);
            assertThat(spool.counts().oldestNs()).hasValue(1001);
        }
    }

    @Test
    void noMoreIsReadAtATimeThanAskedFor() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 10));
            assertThat(spool.read(3, MANY)).hasSize(3);
            assertThat(spool.read(MANY, 1)).as("one at least").hasSize(1);
            List<Spool.Entry> some = spool.read(MANY, 2200);
            assertThat(some).extracting(Spool.Entry::position).containsExactly(5L, 6L, 7L);
            assertThat(read(spool)).hasSize(3);
        }
    }

    @Test
    void whatIsAcknowledgedLeavesWithItsSegments() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 100));
            assertThat(files()).hasSizeGreaterThan(15);
            List<Spool.Entry> entries = spool.read(90, Integer.MAX_VALUE);
            entries.forEach(entry -> spool.acknowledge(entry.position()));
            assertThat(spool.counts().events()).isEqualTo(10);
            assertThat(spool.counts().acknowledged()).isEqualTo(90);
            assertThat(spool.counts().oldestNs()).hasValue(1091);
            assertThat(files()).hasSizeLessThan(5);
            entries.forEach(entry -> spool.acknowledge(entry.position()));
            assertThat(spool.counts().acknowledged()).as("each once").isEqualTo(90);
            assertThat(read(spool)).isEqualTo(events(1, 91, 100));
        }
    }

    @Test
    void theNextProcessReadsWhatWasNotAcknowledgedBeforeAnythingNew() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 40));
            spool.read(25, MANY).stream().limit(20).forEach(entry -> spool.acknowledge(entry.position()));
        }
        try (Spool spool = open()) {
            appendAll(spool, events(2, 1, 5));
            List<SpooledEvent> expected = new ArrayList<>(events(1, 21, 40));
            expected.addAll(events(2, 1, 5));
            assertThat(spool.counts().events()).isEqualTo(25);
            assertThat(spool.counts().oldestNs()).hasValue(1021);
            assertThat(read(spool)).isEqualTo(expected);
        }
        try (Spool spool = open()) {
            appendAll(spool, events(3, 1, 1));
            List<SpooledEvent> expected = new ArrayList<>(events(1, 21, 40));
            expected.addAll(events(2, 1, 5));
            expected.addAll(events(3, 1, 1));
            assertThat(read(spool)).as("reading is not acknowledging").isEqualTo(expected);
        }
    }

    @Test
    void acknowledgementsMayComeInAnyOrder() throws IOException {
        long seed = new Random().nextLong();
        List<Long> positions =
                new ArrayList<>(LongStream.rangeClosed(1, 60).boxed().toList());
        Collections.shuffle(positions, new Random(seed));
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 60));
            spool.read(MANY, MANY);
            for (int done = 0; done < 60; done++) {
                assertThat(spool.counts().events()).as("seed " + seed).isEqualTo(60 - done);
                spool.acknowledge(positions.get(done));
            }
            assertThat(spool.counts().oldestNs()).isEmpty();
        }
        try (Spool spool = open()) {
            assertThat(read(spool)).as("seed " + seed).isEmpty();
            appendAll(spool, events(2, 1, 3));
            assertThat(read(spool)).isEqualTo(events(2, 1, 3));
        }
    }

    @Test
    void afterAFailureToSendItIsReadAgainWithoutWhatHasArrived() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 10));
            spool.read(8, MANY);
            List.of(1L, 2L, 5L).forEach(spool::acknowledge);
            spool.rewind();
            assertThat(spool.read(MANY, MANY))
                    .extracting(Spool.Entry::position)
                    .containsExactly(3L, 4L, 6L, 7L, 8L, 9L, 10L);
        }
    }

    @Test
    void atTheLimitTheOldestGoAndAreListed() throws IOException {
        try (Spool spool = open(4 * SEGMENT)) {
            appendAll(spool, events(1, 1, 100));
            assertThat(spool.counts().octets()).isLessThanOrEqualTo(4 * SEGMENT);
            List<SpooledEvent> left = read(spool);
            long first = left.getFirst().sequence();
            assertThat(left).isEqualTo(events(1, first, 100));
            assertThat(spool.counts().evicted()).isEqualTo(first - 1).isGreaterThan(70);
            assertListed(spool.losses(), 1, first - 1);
        }
        try (Spool spool = open()) {
            assertListed(spool.losses(), 1, 100 - read(spool).size());
        }
    }

    /** That exactly sequences 1 to {@code until} are listed, three partitions in turn: these have every third. */
    private static void assertListed(List<SpoolLoss> losses, long from, long until) {
        assertThat(losses.stream().mapToLong(SpoolLoss::count).sum()).isEqualTo(until - from + 1);
        for (long sequence = from; sequence <= until; sequence++) {
            long each = sequence;
            assertThat(losses)
                    .anyMatch(loss -> loss.cause() == SpoolLoss.Cause.LIMIT
                            && loss.events().partition() == each % 3
                            && loss.events().incarnation() == 1
                            && loss.events().from() <= each
                            && each <= loss.events().until()
                            && loss.fromNs() <= 1000 + each
                            && 1000 + each <= loss.untilNs());
        }
    }

    @Test
    void whatHasArrivedIsNotListedAsLost() throws IOException {
        try (Spool spool = open(4 * SEGMENT)) {
            appendAll(spool, events(1, 1, 15));
            spool.read(MANY, MANY);
            List.of(1L, 2L, 3L, 5L).forEach(spool::acknowledge);
            appendAll(spool, events(1, 16, 100));
            long first = read(spool).getFirst().sequence();
            assertThat(first).isGreaterThan(60);
            assertThat(spool.losses().stream().mapToLong(SpoolLoss::count).sum())
                    .isEqualTo(first - 1 - 4);
            assertThat(spool.losses())
                    .noneMatch(loss -> loss.events().from() == loss.events().until()
                            && List.of(1L, 2L, 3L, 5L).contains(loss.events().from()));
        }
    }

    @Test
    void aLossIsListedUntilItsAnnouncementHasArrived() throws IOException {
        List<SpoolLoss> losses;
        try (Spool spool = open(4 * SEGMENT)) {
            for (int i = 0; i < 60; i++) {
                spool.append(event(i % 3, 1, 1 + i / 3));
            }
            losses = spool.losses();
            assertThat(losses).hasSize(3);
            spool.announce(losses.getFirst(), event(0, 1, 51));
            assertThat(spool.losses()).containsExactlyInAnyOrderElementsOf(losses);
            assertThat(spool.toAnnounce()).as("nothing while one is under way").isEmpty();
        }
        try (Spool spool = open(4 * SEGMENT)) {
            assertThat(spool.toAnnounce()).containsExactlyInAnyOrderElementsOf(losses);
            long announcement = 0;
            spool.announce(losses.get(1), event(0, 2, 1));
            for (Spool.Entry entry : spool.read(MANY, Integer.MAX_VALUE)) {
                announcement = entry.event().incarnation() == 2 ? entry.position() : announcement;
            }
            spool.acknowledge(announcement);
            assertThat(spool.toAnnounce()).containsExactlyInAnyOrder(losses.get(0), losses.get(2));
        }
        try (Spool spool = open(4 * SEGMENT)) {
            assertThat(spool.losses()).containsExactlyInAnyOrder(losses.get(0), losses.get(2));
        }
    }

    @Test
    void anAnnouncementThatIsLostIsMadeAgain() throws IOException {
        try (Spool spool = open(4 * SEGMENT)) {
            appendAll(spool, events(1, 1, 50));
            SpoolLoss loss = spool.toAnnounce().getFirst();
            spool.announce(loss, event(0, 1, 51));
            appendAll(spool, events(2, 1, 50));
            assertThat(spool.toAnnounce())
                    .anyMatch(again -> again.events().incarnation() == 1
                            && again.events().partition() == loss.events().partition()
                            && again.events().from() <= loss.events().from()
                            && loss.events().until() <= again.events().until());
            assertThat(spool.losses().stream().mapToLong(SpoolLoss::count).sum())
                    .isEqualTo(101 - spool.counts().events());
        }
    }

    /** Sequences of one partition that follow each other are one loss, however many. */
    @Test
    void lossesStayFew() throws IOException {
        try (Spool spool = open(2 * SEGMENT)) {
            for (long sequence = 1; sequence <= 3000; sequence++) {
                spool.append(event(4, 1, sequence));
            }
            assertThat(spool.losses()).hasSize(1);
            // 400 ranges do not fit: they become coarser, and none is forgotten
            for (long sequence = 1; sequence <= 400; sequence++) {
                spool.append(event((int) sequence, 9, 2 * sequence));
            }
            assertThat(spool.losses()).hasSizeLessThanOrEqualTo(LossList.MOST);
            assertThat(spool.losses().stream().mapToLong(SpoolLoss::count).sum())
                    .isEqualTo(3400 - spool.counts().events());
        }
    }

    @Test
    void twoProbesCannotHaveOneFolder() throws IOException {
        try (Spool _ = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the spool " + folder
                            + " is used by another probe; stop it, or give this one a folder of its own");
            assertThat(JavaProcess.run(List.of("-Xmx64m"), SecondProbeMain.class, folder.toString()))
                    .singleElement()
                    .asString()
                    .contains("is used by another probe");
        }
        try (Spool spool = open()) {
            assertThat(spool.counts().events()).isZero();
        }
    }

    /** Opens the spool that another process has, and prints what that says. */
    static final class SecondProbeMain {
        private SecondProbeMain() {}

        /** @param args the folder */
        public static void main(String[] args) {
            try (Spool _ = Spool.open(new SpoolConfig(Path.of(args[0]), 1 << 20, SEGMENT))) {
                System.out.println("opened");
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void aTornTailIsCutWhereverItWasTorn() throws IOException {
        Path file;
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 3));
            spool.append(SHORT);
            file = files().getLast();
        }
        byte[] whole = Files.readAllBytes(file);
        int last = EventRecord.HEAD + SHORT.octets().size();
        for (int torn = 1; torn <= last; torn++) {
            try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
                out.setLength(0);
                out.write(whole, 0, whole.length - torn);
            }
            try (Spool spool = open()) {
                assertThat(read(spool)).as("%d octets are missing", torn).isEqualTo(events(1, 1, 3));
                assertThat(spool.counts().tornOctets()).isEqualTo(last - torn);
                assertThat(spool.losses()).isEmpty();
            }
        }
        try (Spool spool = open()) {
            appendAll(spool, events(2, 1, 2));
            List<SpooledEvent> expected = new ArrayList<>(events(1, 1, 3));
            expected.addAll(events(2, 1, 2));
            assertThat(read(spool)).isEqualTo(expected);
        }
    }

    @Test
    void aTornHeadIsNoSegment() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 3));
        }
        for (int octets = 0; octets < Segment.HEAD; octets++) {
            Files.write(folder.resolve("0000000000000004.spool"), new byte[octets]);
            try (Spool spool = open()) {
                assertThat(read(spool)).isEqualTo(events(1, 1, 3));
                assertThat(spool.counts().tornOctets()).isEqualTo(octets);
            }
        }
    }

    @Test
    void anyOctetOfTheLastEventThatChangedMakesItTorn() throws IOException {
        Path file;
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 1));
            spool.append(SHORT);
            file = files().getLast();
        }
        byte[] whole = Files.readAllBytes(file);
        int last = EventRecord.HEAD + SHORT.octets().size();
        for (int i = whole.length - last; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            Files.write(file, changed);
            try (Spool spool = open()) {
                assertThat(read(spool)).as("octet %d", i).isEqualTo(events(1, 1, 1));
            }
        }
    }

    @Test
    void whatCannotBeReadInTheMiddleIsListedAndPassedOver() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 30));
        }
        Path second = files().get(1);
        long from = Segment.position(second);
        long behind = Segment.position(files().get(2));
        byte[] octets = Files.readAllBytes(second);
        octets[octets.length / 2] ^= 1;
        Files.write(second, octets);
        try (Spool spool = open()) {
            List<SpooledEvent> read = read(spool);
            assertThat(read)
                    .startsWith(events(1, 1, from).toArray(SpooledEvent[]::new))
                    .endsWith(events(1, behind, 30).toArray(SpooledEvent[]::new));
            int missing = 30 - read.size();
            assertThat(missing).isPositive();
            assertThat(spool.counts().unreadable()).isEqualTo(missing);
            assertThat(spool.losses())
                    .containsExactly(new SpoolLoss(SpoolLoss.Cause.UNREADABLE, EventRange.NONE, missing, 0, 0));
            for (long position = 1; position <= 30; position++) {
                spool.acknowledge(position);
            }
            assertThat(spool.counts().events()).isZero();
            assertThat(files()).hasSize(1);
        }
    }

    @Test
    void withoutItsStateEverythingIsReadAgain() throws IOException {
        try (Spool spool = open()) {
            appendAll(spool, events(1, 1, 30));
            spool.read(MANY, MANY).stream().limit(20).forEach(entry -> spool.acknowledge(entry.position()));
        }
        long first = Segment.position(files().getFirst());
        Files.delete(folder.resolve("state"));
        try (Spool spool = open()) {
            assertThat(first).isGreaterThan(1);
            assertThat(read(spool)).isEqualTo(events(1, first, 30));
            assertThat(spool.counts().events()).isEqualTo(31 - first);
        }
    }

    @Test
    void anInterruptedThreadLosesNothing() throws IOException {
        try (Spool spool = open()) {
            Thread.currentThread().interrupt();
            appendAll(spool, events(1, 1, 20));
            assertThat(read(spool)).isEqualTo(events(1, 1, 20));
            spool.acknowledge(1);
            assertThat(Thread.interrupted()).isTrue();
            appendAll(spool, events(1, 21, 22));
            assertThat(spool.counts().unwritten()).isZero();
        }
    }

    @Test
    void sizesThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new SpoolConfig(folder, 1 << 20, 4095)).hasMessageContaining("below 4096");
        assertThatThrownBy(() -> new SpoolConfig(folder, 8191, 4096)).hasMessageContaining("below 8192");
        assertThat(new SpoolConfig(folder, 32 << 20).segmentOctets()).isEqualTo(16 << 20);
    }
}
