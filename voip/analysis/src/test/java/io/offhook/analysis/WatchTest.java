package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls are told of while they go on; and what is said at the end is what the same packets in a file give. */
class WatchTest {
    private static final List<Frame> FRAMES = frames();

    private static List<Frame> frames() {
        Traffic traffic = Traffic.random(11, 25);
        Set<String> more = Set.of("among-other-traffic", "media-without-signalling");
        Scenarios.all().forEach((name, scenario) -> {
            if (more.contains(name)) {
                scenario.accept(traffic);
            }
        });
        return traffic.capture().frames();
    }

    /**
     * Frames as they come from a wire: a few at a time, now and then none, in memory that is overwritten once a batch is
     * given back.
     */
    private static final class Wire implements PacketSource {
        private final List<Frame> frames;
        private final IdentityHashMap<FrameBatch, MemorySegment> lent = new IdentityHashMap<>();
        private int next;
        private int calls;
        private int mostLent;

        Wire(List<Frame> frames) {
            this.frames = frames;
        }

        @Override
        public boolean next(FrameBatch batch) {
            release(batch);
            if (next == frames.size()) {
                return false;
            }
            calls++;
            if (calls % 4 == 0) {
                return true;
            }
            int count = Math.min(Math.min(frames.size() - next, 1 + calls * 31 % 41), batch.capacity());
            List<Frame> some = frames.subList(next, next + count);
            MemorySegment memory = Arena.ofAuto()
                    .allocate(some.stream()
                            .mapToInt(frame -> frame.bytes().length)
                            .sum());
            lent.put(batch, memory);
            mostLent = Math.max(mostLent, lent.size());
            int segment = batch.addSegment(memory);
            long offset = 0;
            for (Frame frame : some) {
                int length = frame.bytes().length;
                MemorySegment.copy(frame.bytes(), 0, memory, ValueLayout.JAVA_BYTE, offset, length);
                batch.add(segment, offset, length, frame.wireLength(), frame.timestampNs(), 0, frame.linkType());
                offset += length;
            }
            next += count;
            return true;
        }

        @Override
        public void release(FrameBatch batch) {
            MemorySegment memory = lent.remove(batch);
            if (memory != null) {
                memory.fill((byte) 0xa5);
            }
            batch.clear(next + 1L);
        }

        @Override
        public List<CaptureInterface> interfaces() {
            return List.of(new CaptureInterface("wire", FRAMES.getFirst().linkType(), 0, 1_000_000_000, 0, "wire"));
        }

        @Override
        public List<CaptureFault> faults() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /** Keeps the last that was said of each call. */
    private static final class Reader implements CallWatcher {
        private final Map<String, String> last = new LinkedHashMap<>();
        private final List<Long> packets = new ArrayList<>();
        private int looks;
        private int reported;

        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public void look(AnalysisResult standing, List<CallReport> changed) {
            looks++;
            reported += changed.size();
            packets.add(standing.capture().packets());
            changed.forEach(call -> last.put(call.callId(), line(call)));
        }
    }

    private static String line(CallReport call) {
        return call.outcome() + " answered " + call.times().answeredNs() + " ended "
                + call.times().endedNs();
    }

    private static AnalysisOptions options(int lanes) {
        return AnalysisOptions.defaults().withLanes(lanes).withRtpHeuristic(true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void saysAtTheEndWhatTheSamePacketsInAFileGive(int lanes) {
        Reader reader = new Reader();
        Wire wire = new Wire(FRAMES);
        List<String> live = Figures.of(Analysis.watch(wire, options(lanes), reader, 0));

        assertThat(live).isEqualTo(Figures.of(Analysis.run(new MemorySource(FRAMES, 4096), options(1))));
        assertThat(reader.looks).isGreaterThan(40);
        assertThat(reader.packets).isSortedAccordingTo(Comparator.naturalOrder());
    }

    /** A tenth of the time is for telling; but who waited an hour for a pager is told again within a minute. */
    @Test
    void restsLongerWhereTellingTakesLongButNotForEver() {
        long ms = 1_000_000;
        assertThat(Analysis.pauseNs(500, 3 * ms)).isEqualTo(500 * ms);
        assertThat(Analysis.pauseNs(500, 300 * ms)).isEqualTo(3_000 * ms);
        assertThat(Analysis.pauseNs(500, 3_600_000 * ms)).isEqualTo(60_000 * ms);
        assertThat(Analysis.pauseNs(3_600_000, 1 * ms)).isEqualTo(3_600_000 * ms);
        assertThat(Analysis.pauseNs(0, 300 * ms)).isZero();
    }

    @Test
    void theLastThatWasToldOfACallIsWhatBecameOfIt() {
        Reader reader = new Reader();
        AnalysisResult result = Analysis.watch(new Wire(FRAMES), options(2), reader, 0);

        Map<String, String> expected = new LinkedHashMap<>();
        result.calls().forEach(call -> expected.put(call.callId(), line(call)));
        assertThat(expected).hasSizeGreaterThan(20);
        assertThat(reader.last).containsAllEntriesOf(expected);
        // invited, ringing, answered, over, settled; and problems that come
        assertThat(reader.reported).isBetween(expected.size() * 2, expected.size() * 10);
    }

    /** Whoever follows a file sees calls before its end, and at the end what nobody's looking has changed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void followingAFileChangesNothingOfItsResult(int lanes) {
        List<Integer> calls = new ArrayList<>();
        List<Long> packets = new ArrayList<>();
        List<String> followed = Figures.of(Analysis.follow(
                new MemorySource(FRAMES, 4096),
                options(lanes),
                standing -> {
                    calls.add(standing.calls().size());
                    packets.add(standing.capture().packets());
                },
                0));

        assertThat(followed).isEqualTo(Figures.of(Analysis.run(new MemorySource(FRAMES, 4096), options(1))));
        assertThat(packets).hasSizeGreaterThan(2).isSorted().endsWith((long) FRAMES.size());
        assertThat(calls.getFirst()).isPositive().isLessThan(calls.getLast());
    }

    /** Each result on the way has the calls of the frames so far, as a file of their own. */
    @Test
    void followsWithTheCallsThatTheFileWouldHaveIfItEndedThere() {
        Map<Integer, List<String>> standing = new LinkedHashMap<>();
        Analysis.follow(
                new MemorySource(FRAMES, 4096),
                options(2),
                result -> standing.put((int) result.capture().packets(), callIds(result)),
                0);
        assertThat(standing).hasSizeGreaterThan(2);
        standing.forEach((frames, calls) -> assertThat(calls)
                .isEqualTo(callIds(Analysis.run(new MemorySource(FRAMES.subList(0, frames), 4096), options(1)))));
    }

    private static List<String> callIds(AnalysisResult result) {
        return result.calls().stream().map(CallReport::callId).toList();
    }

    @Test
    void aFollowerThatFailsIsCountedAndTheResultIsWhole() {
        AnalysisResult result = Analysis.follow(
                new MemorySource(FRAMES, 4096),
                options(1),
                _ -> {
                    throw new IllegalStateException("a bug of the follower");
                },
                0);
        assertThat(result.defect()).hasMessage("a bug of the follower");
        assertThat(result.calls()).hasSizeGreaterThan(20);
    }

    @Test
    void reportsAtTheEndOfWhatCameSinceTheLastLook() {
        Reader reader = new Reader();
        AnalysisResult result = Analysis.watch(new Wire(FRAMES), options(2), reader, 3_600_000);

        assertThat(reader.looks).isEqualTo(2); // the first round, and the end
        Map<String, String> expected = new LinkedHashMap<>();
        result.calls().forEach(call -> expected.put(call.callId(), line(call)));
        assertThat(reader.last).containsAllEntriesOf(expected);
    }

    /** Each call once in each look, though its legs have Call-IDs of their own; at the end with all of them. */
    @Test
    void reportsTheLegsOfACallAsOneWhereThatIsWanted() {
        Traffic traffic = Traffic.random(12, 0);
        Scenarios.legs().forEach((name, scenario) -> scenario.accept(traffic));
        Map<String, Set<String>> legs = new LinkedHashMap<>();
        AnalysisResult result = Analysis.watch(
                new Wire(traffic.capture().frames()),
                options(1),
                new CallWatcher() {
                    @Override
                    public long nowNs() {
                        return 0;
                    }

                    @Override
                    public boolean joinsLegs() {
                        return true;
                    }

                    @Override
                    public void look(AnalysisResult standing, List<CallReport> changed) {
                        List<String> callIds = new ArrayList<>();
                        standing.calls().forEach(call -> callIds.addAll(legsOf(call)));
                        assertThat(callIds).doesNotHaveDuplicates();
                        for (CallReport call : changed) {
                            legs.keySet().removeAll(legsOf(call));
                            legs.put(call.callId(), legsOf(call));
                        }
                    }
                },
                0);
        assertThat(result.defect()).isNull();
        Map<String, Set<String>> expected = new LinkedHashMap<>();
        result.calls().forEach(call -> expected.put(call.callId(), legsOf(call)));
        assertThat(expected.values()).anyMatch(each -> each.size() > 1);
        assertThat(legs).containsExactlyInAnyOrderEntriesOf(expected);
    }

    private static Set<String> legsOf(CallReport call) {
        Set<String> legs = new LinkedHashSet<>();
        legs.add(call.callId());
        call.dialogs().forEach(dialog -> legs.add(dialog.callId()));
        return legs;
    }

    @Test
    void keepsNoBatchBeyondItsRound() {
        Wire wire = new Wire(FRAMES);
        Analysis.watch(wire, options(2), new Reader(), 0);

        assertThat(wire.mostLent).isBetween(2, RoundBatches.BATCHES);
        assertThat(wire.lent).isEmpty();
    }
}
