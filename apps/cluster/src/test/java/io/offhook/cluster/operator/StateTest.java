package io.offhook.cluster.operator;

import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.cluster.calls.Events;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.testkit.traffic.Traffic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the operators keep: nothing, once calls ended long ago; what comes late; and never more than their limits. */
class StateTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SECOND_NS;

    /** Events, and the octets of state when all of them were processed, but time has not ended. */
    private static final class Watched implements Iterator<Event> {
        private final Iterator<Event> events;
        private final LocalRun run;
        private long octets = -1;
        private long keys = -1;

        Watched(List<Event> events, LocalRun run) {
            this.events = events.iterator();
            this.run = run;
        }

        @Override
        public boolean hasNext() {
            if (!events.hasNext() && octets < 0) {
                octets = run.octets();
                keys = run.keys();
            }
            return events.hasNext();
        }

        @Override
        public Event next() {
            return events.next();
        }
    }

    private static Watched run(List<Event> events, LocalRun run) {
        Watched watched = new Watched(events, run);
        run.add(watched);
        run.run();
        return watched;
    }

    private static LocalRun graph() {
        return new LocalRun(Graph.options(Graph.USUAL), 2, null);
    }

    private static List<Event> ended(int calls) {
        Traffic traffic = new Traffic(3).every(300);
        for (int i = 0; i < calls; i++) {
            traffic.call(call -> call.rtcp(_ -> {}).answered().talk(3000).hangUp(CALLER));
        }
        traffic.registration("bob", 200).otherSip(3);
        return Events.list(Events.probed(traffic.capture().frames(), Graph.USUAL, "probe"));
    }

    private static Event at(Event event, long atNs, long sequence) {
        EventOrigin origin = event.origin();
        return new Event(
                new EventOrigin(origin.probe(), origin.incarnation(), origin.partition(), sequence),
                atNs,
                event.key(),
                event.body());
    }

    /** The same events, and heartbeats for some time after them. */
    private static List<Event> goingOn(List<Event> events, long forNs) {
        List<Event> longer = new ArrayList<>(events);
        Event last = events.getLast();
        if (!(last.body() instanceof Heartbeat beat)) {
            throw new IllegalStateException("the last event is no heartbeat");
        }
        for (long afterNs = MINUTE_NS; afterNs <= forNs; afterNs += MINUTE_NS) {
            Heartbeat later = new Heartbeat(
                    beat.lowWatermarkNs() + afterNs,
                    beat.sentNs(),
                    beat.capture(),
                    0,
                    beat.spoolOldestNs(),
                    beat.clock(),
                    beat.about(),
                    beat.unknown());
            longer.add(new Event(
                    new EventOrigin(
                            last.origin().probe(),
                            last.origin().incarnation(),
                            0,
                            longer.getLast().origin().sequence() + 1),
                    last.atNs() + afterNs,
                    0,
                    later));
        }
        return longer;
    }

    @Test
    void isGoneSomeTimeAfterTheCallsEnded() {
        List<Event> events = ended(20);
        LocalRun run = graph();
        Watched soon = run(goingOn(events, 5 * MINUTE_NS), run);
        assertThat(soon.octets).isPositive();
        assertThat(soon.keys).isGreaterThan(20 * 5);
        run = graph();
        Watched later = run(goingOn(events, 12 * MINUTE_NS), run);
        assertThat(later.octets).isZero();
        assertThat(later.keys).isZero();
        assertThat(run.greatestOctets()).isGreaterThan(20 * 5000);
        assertThat(run.results()).hasSize(20);
    }

    @Test
    void isKeptWhileACallRunsAndGoneWhenNothingMoreIsHeardOfIt() {
        Traffic traffic = new Traffic(4).call(call -> call.answered().talk(2000));
        List<Event> events = Events.list(Events.probed(traffic.capture().frames(), Graph.USUAL, "probe"));
        LocalRun run = graph();
        assertThat(run(goingOn(events, 60 * MINUTE_NS), run).octets).isPositive();
        assertThat(run.results().values())
                .singleElement()
                .satisfies(result -> assertThat(result.version()).isGreaterThan(100));
        run = graph();
        assertThat(run(goingOn(events, 13 * 60 * MINUTE_NS), run).octets).isZero();
    }

    private static int bye(List<Event> events) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).body() instanceof SipMessage sip
                    && new String(sip.message().toArray(), StandardCharsets.US_ASCII).startsWith("BYE ")) {
                return i;
            }
        }
        throw new IllegalStateException("no BYE");
    }

    /** A call whose BYE, and the answer to it, come some time after everything else. */
    private static List<Event> late(long afterNs) {
        List<Event> events = new ArrayList<>(ended(1));
        int bye = bye(events);
        String callId = String.valueOf(((SipMessage) events.get(bye).body()).callIdHash());
        List<Event> moved = new ArrayList<>();
        for (int i = events.size() - 1; i >= bye; i--) {
            if (events.get(i).body() instanceof SipMessage sip
                    && String.valueOf(sip.callIdHash()).equals(callId)) {
                moved.addFirst(events.remove(i));
            }
        }
        List<Event> longer = goingOn(events, afterNs);
        for (Event event : moved) {
            longer.add(at(event, event.atNs(), longer.getLast().origin().sequence() + 1));
        }
        return longer;
    }

    @Test
    void whatComesLateIsCountedAndChangesTheReport() {
        LocalRun run = graph();
        run(late(5 * MINUTE_NS), run);
        assertThat(run.count(OperatorCount.LATE_EVENTS)).isEqualTo(2);
        assertThat(run.count(OperatorCount.TOO_LATE_EVENTS)).isZero();
        CallReport call = Graph.calls(run).getFirst();
        assertThat(call.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(call.streams()).hasSize(2);
    }

    @Test
    void whatComesWhenTheStateIsGoneIsCountedAndChangesNothing() {
        List<Event> events = ended(1);
        LocalRun first = graph();
        run(events, first);
        Event message = events.get(bye(events));
        List<Event> longer = goingOn(events, 30 * MINUTE_NS);
        longer.add(at(message, message.atNs(), longer.getLast().origin().sequence() + 1));
        LocalRun run = graph();
        run(longer, run);
        assertThat(run.count(OperatorCount.LATE_EVENTS)).isZero();
        assertThat(run.count(OperatorCount.TOO_LATE_EVENTS)).isEqualTo(1);
        assertThat(Graph.json(Graph.calls(run))).isEqualTo(Graph.json(Graph.calls(first)));
        assertThat(run.octets()).isZero();
    }

    @Test
    void noDamageOfEventsStopsIt() {
        Traffic traffic = new Traffic(8).every(300);
        for (int i = 0; i < 4; i++) {
            traffic.call(call -> call.rtcp(_ -> {}).answered().talk(11_000).hangUp(CALLER));
        }
        byte[] file = Events.probed(traffic.capture().frames(), Graph.USUAL, "probe");
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            byte[] damaged = file.clone();
            for (int i = 0; i < 1 + 2 * seed; i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            LocalRun run = Graph.run(Graph.USUAL, 2, seed, Graph.partitions(Events.list(damaged), 2));
            assertThat(run.octets()).as("seed %d", seed).isZero();
            assertThat(run.count(OperatorCount.FAILED_REPORTS))
                    .as("seed %d", seed)
                    .isZero();
        }
    }

    @Test
    void aDialogOfVeryManyMessagesHasALimit() {
        List<Event> events = ended(1);
        int bye = bye(events);
        Event message = events.get(bye);
        List<Event> many = new ArrayList<>(events.subList(0, bye));
        for (int i = 0; i < Dialog.MOST_MESSAGES; i++) {
            many.add(at(message, message.atNs(), many.getLast().origin().sequence() + 1));
        }
        for (Event event : events.subList(bye + 1, events.size())) {
            many.add(at(event, event.atNs(), many.getLast().origin().sequence() + 1));
        }
        LocalRun run = graph();
        run(many, run);
        assertThat(run.count(OperatorCount.DROPPED_MESSAGES)).isBetween(2L, 20L);
        assertThat(run.greatestOctets()).isLessThan(3 * Dialog.MOST_OCTETS);
        assertThat(Graph.calls(run))
                .singleElement()
                .satisfies(call -> assertThat(call.counts().messages()).isEqualTo(Dialog.MOST_MESSAGES));
        assertThat(run.octets()).isZero();
    }
}
