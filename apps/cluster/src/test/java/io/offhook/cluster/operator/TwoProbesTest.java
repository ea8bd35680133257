package io.offhook.cluster.operator;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.cluster.calls.Events;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.StreamTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of two probes, neither of which sees all of them, or both of which do: they are the calls that the generator made, with its
 * streams, and each packet in them once.
 */
class TwoProbesTest {
    private static final int IP = 14;
    private static final int SOURCE = IP + 12;
    private static final int UDP = IP + 20;
    private static final int[] INSTANCES = {1, 2, 5};
    private static final int ORDERS = 6;

    /** What one probe sees of a capture, and what the other one does. */
    private enum Split {
        /** What callers send, signalling and media; the other one, what callees send. */
        BY_SENDER,
        /** Signalling; the other one media. */
        BY_KIND,
        /** Both everything. */
        BOTH_ALL,
        /** What callers send; the other one everything. */
        ONE_HALF;

        boolean isSeenByOne(Frame frame) {
            return switch (this) {
                case BY_SENDER, ONE_HALF -> isOfCaller(frame);
                case BY_KIND -> isSignalling(frame);
                case BOTH_ALL -> true;
            };
        }

        boolean isSeenByOther(Frame frame) {
            return switch (this) {
                case BY_SENDER, BY_KIND -> !isSeenByOne(frame);
                case BOTH_ALL, ONE_HALF -> true;
            };
        }
    }

    /** Callers have 10.1.0.0/16, or the lower of two addresses. */
    private static boolean isOfCaller(Frame frame) {
        byte[] octets = frame.bytes();
        for (int i = 0; i < 4; i++) {
            int difference = (octets[SOURCE + i] & 0xff) - (octets[SOURCE + 4 + i] & 0xff);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return true;
    }

    private static boolean isSignalling(Frame frame) {
        return port(frame, UDP) == 5060 || port(frame, UDP + 2) == 5060;
    }

    private static int port(Frame frame, int at) {
        return (frame.bytes()[at] & 0xff) << 8 | frame.bytes()[at + 1] & 0xff;
    }

    private static void assertTrue(Capture capture, Split split) {
        List<Event> one = events(capture, split::isSeenByOne, "one");
        List<Event> other = events(capture, split::isSeenByOther, "other");
        for (int seed = 0; seed < ORDERS; seed++) {
            List<List<Event>> partitions = new ArrayList<>(Graph.partitions(one, 1 + seed % 4));
            partitions.addAll(Graph.partitions(other, 1 + seed % 3));
            LocalRun run = Graph.run(Graph.USUAL, INSTANCES[seed % INSTANCES.length], seed, partitions);
            String as = split + ", seed " + seed;
            assertThat(run.octets()).as(as).isZero();
            assertThat(run.count(OperatorCount.FAILED_REPORTS)).as(as).isZero();
            assertTrue(capture, Graph.calls(run), as);
        }
    }

    private static List<Event> events(Capture capture, Predicate<Frame> seen, String probe) {
        List<Frame> frames = capture.frames().stream().filter(seen).toList();
        return frames.isEmpty() ? List.of() : Events.list(Events.probed(frames, Graph.USUAL, probe));
    }

    private static void assertTrue(Capture capture, List<CallReport> calls, String as) {
        assertThat(calls).as(as).hasSameSizeAs(capture.truth().calls());
        for (CallReport call : calls) {
            CallTruth truth = capture.truth().call(call.callId()).orElseThrow();
            String of = as + ", " + call.callId();
            assertThat(call.outcome().label()).as(of).isEqualTo(truth.outcome().label());
            assertThat(call.times().invitedNs()).as(of).isEqualTo(truth.invitedAtNs());
            if (truth.answeredAtNs() != null) {
                assertThat(call.times().answeredNs()).as(of).isEqualTo(truth.answeredAtNs());
            }
            if (truth.endedAtNs() != null) {
                assertThat(call.times().endedNs()).as(of).isEqualTo(truth.endedAtNs());
            }
            Map<String, Long> expected = new TreeMap<>();
            for (StreamTruth stream : capture.truth().streamsOf(call.callId())) {
                expected.put(text(stream), stream.captured());
            }
            Map<String, Long> found = new TreeMap<>();
            for (StreamReport stream : call.streams()) {
                found.merge(text(stream), stream.statistics().packets(), Long::sum);
            }
            assertThat(found).as(of).isEqualTo(expected);
            assertThat(call.streams()).as(of).hasSize(expected.size());
        }
    }

    private static String text(StreamTruth stream) {
        Party from = Objects.requireNonNull(stream.from());
        return from.name() + ' ' + stream.ssrc() + ' ' + stream.source() + ' ' + stream.destination();
    }

    private static String text(StreamReport stream) {
        String from = stream.from() == Side.CALLER ? CALLER.name() : CALLEE.name();
        return from + ' ' + stream.ssrc() + ' ' + stream.source() + ' ' + stream.destination();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "answered",
                "caller-behind-nat",
                "callee-behind-nat",
                "media-before-its-sdp",
                "media-before-the-answer",
                "media-ports-used-again",
                "reinvite-moves-media",
                "ssrc-change",
                "hold-and-resume",
                "rejected-486",
                "cancelled"
            })
    void makeTheCallsOfAScenario(String scenario) {
        for (Split split : Split.values()) {
            assertTrue(Scenarios.traffic(scenario, 31).capture(), split);
        }
    }

    @Test
    void makeTheCallsOfManyAtATime() {
        Traffic traffic = new Traffic(5).every(130);
        for (int i = 0; i < 25; i++) {
            int number = i;
            traffic.call(call -> {
                switch (number % 5) {
                    case 0 -> call.behindNat(CALLER).answered().talk(2000).hangUp(CALLEE);
                    case 1 ->
                        call.answered().talk(1000).moveMedia(CALLEE).talk(1000).hangUp(CALLER);
                    case 2 ->
                        call.answered().talk(1000).newSource(CALLER).talk(1000).hangUp(CALLER);
                    case 3 -> call.alerted().rejected(486, "Busy Here");
                    default -> call.answered().talk(1000);
                }
            });
        }
        for (Split split : Split.values()) {
            assertTrue(traffic.capture(), split);
        }
    }

    @Test
    void countTheCopiesOfWhatBothSee() {
        Capture capture = Scenarios.traffic("answered", 31).capture();
        List<List<Event>> both = List.of(events(capture, _ -> true, "one"), events(capture, _ -> true, "other"));
        assertThat(Graph.run(Graph.USUAL, 2, 1, both).count(OperatorCount.COPIES))
                .isPositive();
        assertThat(Graph.run(Graph.USUAL, 2, 1, both.subList(0, 1)).count(OperatorCount.COPIES))
                .isZero();
    }
}
