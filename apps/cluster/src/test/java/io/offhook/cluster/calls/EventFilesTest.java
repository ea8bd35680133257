package io.offhook.cluster.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReports;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.file.EventFile;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;

/** Files of events that are damaged, cut, of something else, or have events twice; and how long they are. */
class EventFilesTest {
    private static final AnalysisOptions OPTIONS =
            AnalysisOptions.defaults().withLanes(1).withKeptCalls(2000).withRtpHeuristic(true);

    private static List<Frame> frames(int calls, int talkMs) {
        Traffic traffic = new Traffic(7).every(400);
        for (int i = 0; i < calls; i++) {
            String callId = "call-" + i + "@x";
            traffic.call(call ->
                    call.callId(callId).rtcp(_ -> {}).answered().talk(talkMs).hangUp(Party.CALLER));
        }
        return traffic.capture().frames();
    }

    private static byte[] events() {
        List<Frame> frames = frames(4, 14_000);
        return Events.probed(() -> new SmallRounds(frames), OPTIONS, "probe");
    }

    private static String json(EventCalls calls) {
        CallReports reports = calls.reports(OPTIONS);
        return Events.json(reports.calls(), reports.streams());
    }

    /** Each event with its length. */
    private static List<byte[]> parts(byte[] file) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        try (EventFile events = new EventFile(new ByteArrayInputStream(file))) {
            long from = 0;
            while (events.next() != null) {
                parts.add(Arrays.copyOfRange(file, (int) from, (int) events.position()));
                from = events.position();
            }
        }
        return parts;
    }

    private static byte[] joined(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Test
    void aProbeWritesEachKindWhenItIsDue() {
        List<Event> events = Events.list(events());
        assertThat(events)
                .extracting(event -> event.origin().sequence())
                .isSorted()
                .doesNotHaveDuplicates();
        long lastNs = events.getLast().atNs();
        long firstNs = events.getFirst().atNs();
        assertThat(events.stream().filter(event -> event.body() instanceof Heartbeat))
                .hasSizeBetween(
                        (int) ((lastNs - firstNs) / 2_000_000_000L), (int) ((lastNs - firstNs) / 1_000_000_000L) + 2);
        assertThat(events.stream().filter(event -> event.body() instanceof SipMessage))
                .hasSizeGreaterThan(20);
        assertThat(events.stream().filter(event -> event.body() instanceof StreamBegin))
                .hasSize(8);
        assertThat(events.stream().filter(event -> event.body() instanceof StreamEnd))
                .hasSize(8);
        // 14 s: two whole intervals, and what is left
        assertThat(events.stream().filter(event -> event.body() instanceof StreamInterval))
                .hasSizeBetween(24, 32);
        assertThat(events.stream().filter(event -> event.body() instanceof Conversation))
                .hasSizeGreaterThan(8);
    }

    @Test
    void nothingHappensBeforeTheWatermark() {
        long watermarkNs = Long.MIN_VALUE;
        for (Event event : Events.list(events())) {
            assertThat(event.atNs()).isGreaterThanOrEqualTo(watermarkNs);
            watermarkNs = event.body() instanceof Heartbeat beat ? beat.lowWatermarkNs() : watermarkNs;
        }
        assertThat(watermarkNs).isGreaterThan(0);
    }

    @Test
    void repeatedEventsChangeNothing() throws IOException {
        byte[] file = events();
        String expected = json(Events.read(file));
        List<byte[]> twice = new ArrayList<>();
        for (byte[] part : parts(file)) {
            twice.add(part);
            twice.add(part);
        }
        EventCalls calls = Events.read(joined(twice));
        assertThat(json(calls)).isEqualTo(expected);
        assertThat(calls.repeated()).isEqualTo(twice.size() / 2);
        EventCalls again = Events.read(file, file);
        assertThat(json(again)).isEqualTo(expected);
        assertThat(again.repeated()).isEqualTo(twice.size() / 2);
        assertThat(again.missing()).isZero();
    }

    @Test
    void eventsThatAreMissingAreCounted() throws IOException {
        List<byte[]> parts = new ArrayList<>(parts(events()));
        parts.subList(3, 8).clear();
        EventCalls calls = Events.read(joined(parts));
        assertThat(json(calls)).isNotEmpty();
        assertThat(calls.missing()).isEqualTo(5);
    }

    @Test
    void ofACutFileWhatPrecedesTheCutIsUsed() throws IOException {
        byte[] file = events();
        List<byte[]> parts = parts(file);
        int kept = parts.size() / 2;
        byte[] whole = joined(parts.subList(0, kept));
        String expected = json(Events.read(whole));
        for (int more : new int[] {1, 2, parts.get(kept).length - 1}) {
            byte[] cut = Arrays.copyOf(file, whole.length + more);
            assertThat(json(Events.read(cut))).as("%d octets of the next", more).isEqualTo(expected);
            try (EventFile events = new EventFile(new ByteArrayInputStream(cut))) {
                while (events.next() != null) {
                    assertThat(events.fault()).isNull();
                }
                assertThat(events.fault()).contains("ends within").contains(String.valueOf(whole.length));
            }
        }
    }

    @Test
    void aBrokenEventIsSkippedAndCounted() throws IOException {
        List<byte[]> parts = new ArrayList<>(parts(events()));
        byte[] broken = parts.get(5).clone();
        Arrays.fill(broken, 2, broken.length, (byte) 0xff);
        parts.set(5, broken);
        EventCalls calls = Events.read(joined(parts));
        assertThat(calls.count(EventStatus.BROKEN)).isEqualTo(1);
        assertThat(calls.count(EventStatus.OK)).isEqualTo(parts.size() - 1);
        assertThat(calls.missing()).isEqualTo(1);
        assertThat(json(calls)).contains("call-3@x");
    }

    @Test
    void noDamageMakesReadingThrow() {
        byte[] file = events();
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            byte[] damaged = file.clone();
            for (int i = 0; i < 1 + seed; i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            EventCalls calls = Events.read(damaged);
            assertThat(json(calls)).as("seed %d", seed).contains("\"calls\"");
        }
        byte[] foreign = new byte[100_000];
        new Random(1).nextBytes(foreign);
        assertThat(Events.read(foreign).count(EventStatus.OK)).isZero();
    }

    @Test
    void filesOfTwoProbesMakeTheCallsOfBothInTheOrderOfTime() {
        List<Frame> frames = frames(6, 3000);
        List<Frame> first = new ArrayList<>(frames.subList(0, frames.size() / 2));
        List<Frame> second = new ArrayList<>(frames.subList(frames.size() / 2, frames.size()));
        byte[] one = Events.probed(() -> new SmallRounds(first), OPTIONS, "one");
        byte[] other = Events.probed(() -> new SmallRounds(second), OPTIONS, "other");
        EventCalls calls = Events.read(other, one);
        List<String> ids = new ArrayList<>();
        calls.reports(OPTIONS).calls().forEach(call -> ids.add(call.callId()));
        assertThat(ids).hasSize(6).isSorted();
        List<String> reversed = new ArrayList<>();
        Events.read(one, other).reports(OPTIONS).calls().forEach(call -> reversed.add(call.callId()));
        assertThat(reversed).isEqualTo(ids);
        Collections.reverse(reversed);
        assertThat(reversed).isNotEqualTo(ids);
    }

    private static int asKafkaPacks(byte[] octets) throws IOException {
        ByteBufferOutputStream packed = new ByteBufferOutputStream(1 << 16);
        try (OutputStream zstd =
                Compression.zstd().level(3).build().wrapForOutput(packed, RecordBatch.CURRENT_MAGIC_VALUE)) {
            zstd.write(octets);
        }
        return packed.position();
    }

    @Test
    void eventsOfCallsOfThreeMinutesHaveAtMostThreePercentOfTheirPackets() throws IOException {
        List<Frame> frames = frames(3, 180_000);
        byte[] file = Events.probed(() -> new SmallRounds(frames), OPTIONS, "probe");
        double captured = SmallRounds.octets(frames);
        double plain = file.length / captured;
        double packed = asKafkaPacks(file) / captured;
        assertThat(plain).isBetween(0.001, 0.03);
        assertThat(packed).isLessThan(0.01);
    }
}
