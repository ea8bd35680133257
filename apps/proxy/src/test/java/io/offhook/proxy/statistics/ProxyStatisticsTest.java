package io.offhook.proxy.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyStatisticsTest {
    private static final Endpoint CALLER = Endpoint.of("192.0.2.1", 5060);
    private static final Endpoint CALLEE = Endpoint.of("192.0.2.2", 5080);

    @TempDir
    private Path folder;

    private final ProxyStatistics statistics = new ProxyStatistics(2, 64, InstantSource.system());

    /** Why something was dropped, in a test. */
    private enum Cause {
        TOO_LARGE,
        NO_ROUTE
    }

    @AfterEach
    void close() {
        statistics.close();
    }

    private static int row(LaneStatistics lane, Endpoint neighbour) {
        return lane.neighbours().row(neighbour.high(), neighbour.low(), neighbour.port(), 0);
    }

    /** A call through one lane: INVITE 180 200 ACK BYE 200. */
    private static void call(LaneStatistics lane) {
        int caller = row(lane, CALLER);
        int callee = row(lane, CALLEE);
        lane.callBegan();
        lane.transactionBegan(TransactionKind.INVITE_SERVER);
        lane.message(caller, MessageWay.RECEIVED, SipMethod.INVITE, 0);
        lane.queueDelay(20_000);
        lane.message(callee, MessageWay.SENT, SipMethod.INVITE, 0);
        lane.timeInProxy(MessageKind.of(SipMethod.INVITE, 0), 30_000);
        lane.message(callee, MessageWay.RECEIVED, SipMethod.INVITE, 180);
        lane.neighbours().firstProvisional(callee, 1_000_000);
        lane.callMoved(CallState.TRYING, CallState.RINGING);
        lane.message(caller, MessageWay.SENT, SipMethod.INVITE, 180);
        lane.message(callee, MessageWay.RECEIVED, SipMethod.INVITE, 200);
        lane.neighbours().finalResponse(callee, 5_000_000);
        lane.callMoved(CallState.RINGING, CallState.ANSWERED);
        lane.transactionEnded(TransactionKind.INVITE_SERVER, false);
    }

    @Test
    void addsUpAllLanes() {
        call(statistics.lane(0));
        call(statistics.lane(1));
        call(statistics.lane(1));
        statistics.lane(1).callEnded(CallState.ANSWERED, CallOutcome.COMPLETED);
        CauseCounters<Cause> dropped0 = statistics.lane(0).add(new CauseCounters<>("dropped", Cause.class));
        CauseCounters<Cause> dropped1 = statistics.lane(1).add(new CauseCounters<>("dropped", Cause.class));
        dropped0.add(Cause.TOO_LARGE);
        dropped1.add(Cause.TOO_LARGE);
        dropped1.add(Cause.NO_ROUTE);
        StatisticsSnapshot snapshot = statistics.snapshot();
        assertThat(snapshot.calls().attempts()).isEqualTo(3);
        assertThat(snapshot.calls().states())
                .containsEntry(CallState.ANSWERED, 2L)
                .containsEntry(CallState.RINGING, 0L);
        assertThat(snapshot.calls().outcomes()).containsEntry(CallOutcome.COMPLETED, 1L);
        assertThat(snapshot.transactions()).contains(new TransactionFigures(TransactionKind.INVITE_SERVER, 3, 0, 0));
        assertThat(snapshot.messages())
                .containsExactly(
                        new MessageCount(SipMethod.INVITE, 0, 3, 0, 3, 0),
                        new MessageCount(SipMethod.INVITE, 180, 3, 0, 3, 0),
                        new MessageCount(SipMethod.INVITE, 200, 3, 0, 0, 0));
        assertThat(snapshot.causes())
                .containsExactly(new CauseFigure("dropped", "too_large", 2), new CauseFigure("dropped", "no_route", 1));
        assertThat(snapshot.queueDelay().count()).isEqualTo(3);
        assertThat(snapshot.queueDelay().medianNs()).isBetween(19_800L, 20_200L);
        assertThat(snapshot.timeInProxy().get(MessageKind.INVITE)).isNotNull();
        assertThat(snapshot.hops()).singleElement().satisfies(hop -> {
            assertThat(hop.hop()).isEqualTo(CALLEE);
            assertThat(hop.provisional().count()).isEqualTo(3);
            assertThat(hop.answer().mostNs()).isBetween(4_950_000L, 5_050_000L);
        });
        assertThat(statistics.neighbours())
                .extracting(NeighbourFigures::neighbour)
                .containsExactly(CALLEE, CALLER);
    }

    /** Ten calls, of which the callee answers with a 200 that the proxy never sees; the caller's leg is whole. */
    @Test
    void namesTheLegOnWhichMessagesVanish() {
        LaneStatistics lane = statistics.lane(0);
        for (int i = 0; i < 10; i++) {
            lane.message(row(lane, CALLER), MessageWay.RECEIVED, SipMethod.BYE, 0);
            lane.message(row(lane, CALLEE), MessageWay.SENT, SipMethod.BYE, 0);
            for (int again = 0; again < 3; again++) {
                lane.message(row(lane, CALLEE), MessageWay.SENT_AGAIN, SipMethod.BYE, 0);
            }
        }
        assertThat(statistics.neighbours())
                .filteredOn(one -> !one.losses().isEmpty())
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.neighbour()).isEqualTo(CALLEE);
                    assertThat(one.losses())
                            .containsExactly(new NeighbourFigures.Loss(
                                    NeighbourFigures.Lost.REQUEST_OR_RESPONSE, SipMethod.BYE, 30, 10));
                });
    }

    @Test
    void forgetsDelaysAfterAMinuteAndKeepsTheirTotal() {
        LaneStatistics lane = statistics.lane(0);
        lane.queueDelay(1_000_000);
        for (int i = 0; i < 30; i++) {
            statistics.second();
        }
        assertThat(statistics.snapshot().queueDelay().count()).isEqualTo(1);
        for (int i = 0; i < 30; i++) {
            statistics.second();
        }
        assertThat(statistics.snapshot().queueDelay().count()).isZero();
        long total = statistics.withDelays(delays -> delays.queueDelayTotal().getTotalCount());
        assertThat(total).isEqualTo(1);
    }

    @Test
    void takesDelaysOutOfRangeAsTheEndOfTheRange() {
        LaneStatistics lane = statistics.lane(0);
        lane.queueDelay(-5);
        lane.queueDelay(Long.MAX_VALUE);
        lane.neighbours().finalResponse(row(lane, CALLEE), Long.MAX_VALUE);
        assertThat(statistics.snapshot().queueDelay().count()).isEqualTo(2);
        assertThat(statistics.snapshot().queueDelay().mostNs()).isBetween(9_900_000_000L, 10_200_000_000L);
    }

    @Test
    void countsCallAttemptsOfTheLastSecondsAndOfTheBusiestHour() {
        CallRates rates = new CallRates();
        long total = 0;
        for (int second = 0; second < 3600; second++) {
            total += 10;
            rates.second(total);
        }
        assertThat(rates.perSecond(10)).isEqualTo(10);
        assertThat(rates.lastHour()).isEqualTo(36_000);
        for (int second = 0; second < 1800; second++) {
            rates.second(total);
        }
        assertThat(rates.perSecond(10)).isZero();
        assertThat(rates.lastHour()).isEqualTo(18_000);
        assertThat(rates.busiestHour()).isEqualTo(36_000);
    }

    private DelayFigures timeInProxy(MessageKind kind) {
        return Objects.requireNonNull(statistics.snapshot().timeInProxy().get(kind));
    }

    @Test
    void recordsTheTimesOfABurstWhenItHasLeft() {
        LaneStatistics lane = statistics.lane(0);
        long receivedNs = System.nanoTime();
        for (int i = 0; i < 300; i++) {
            lane.leaves(MessageKind.BYE, receivedNs);
        }
        assertThat(timeInProxy(MessageKind.BYE).count()).isZero();
        while (System.nanoTime() - receivedNs < 2_000_000) {
            Thread.onSpinWait();
        }
        lane.departed();
        lane.departed();
        assertThat(timeInProxy(MessageKind.BYE).count()).isEqualTo(300);
        assertThat(timeInProxy(MessageKind.BYE).medianNs()).isGreaterThanOrEqualTo(1_980_000);
    }

    @Test
    void recordsEachTimeOfABurstLargerThanItsRoom() {
        LaneStatistics lane = statistics.lane(0);
        for (int i = 0; i < 2_000; i++) {
            lane.leaves(MessageKind.SUCCESS, System.nanoTime());
        }
        lane.departed();
        assertThat(timeInProxy(MessageKind.SUCCESS).count()).isEqualTo(2_000);
    }

    @Test
    void allocatesNothingForAMessage() {
        LaneStatistics lane = statistics.lane(0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        CauseCounters<Cause> causes = lane.add(new CauseCounters<>("dropped", Cause.class));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 2000; i++) {
                call(lane);
                lane.callEnded(CallState.ANSWERED, CallOutcome.COMPLETED);
                causes.add(Cause.NO_ROUTE);
                lane.leaves(MessageKind.INVITE, System.nanoTime());
                lane.departed();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void readsThreadsFromProc() throws Exception {
        thread("1", "offhook-lane-0", 100, 50);
        thread("2", "offhook-lane-1", 10, 5);
        thread("3", "odd) (name", 7, 0);
        assertThat(ThreadFigure.read(folder))
                .containsExactly(new ThreadFigure("offhook-lane", 2, 110, 55), new ThreadFigure("odd) (name", 1, 7, 0));
        assertThat(ThreadFigure.read(folder.resolve("none"))).isEmpty();
    }

    private void thread(String id, String name, long user, long system) throws Exception {
        Path task = Files.createDirectory(folder.resolve(id));
        Files.writeString(
                task.resolve("stat"),
                id + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 " + user + " " + system + " 0 0 20 0 1\n");
    }

    @Test
    void leavesConcurrentWorkOfCollectorsOut() {
        assertThat(List.of("G1 Young Generation", "ZGC Minor Pauses", "Copy", "MarkSweepCompact"))
                .allMatch(CollectorWatch::isPause);
        assertThat(List.of("ZGC Minor Cycles", "ZGC Major Cycles", "G1 Concurrent GC"))
                .noneMatch(CollectorWatch::isPause);
    }
}
