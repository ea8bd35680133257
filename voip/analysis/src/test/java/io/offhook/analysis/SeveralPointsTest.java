package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.points.CapturePoint;
import io.offhook.calls.points.ClockLine;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointAnalysis;
import io.offhook.calls.points.PointMessages;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.TwoPoints;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of the same traffic at two points, with loss, delay and clocks of known truth. */
class SeveralPointsTest {
    private static List<Frame> call(Consumer<CallPlan> media, int seconds) {
        return new Traffic(7)
                .call(call -> {
                    media.accept(call);
                    call.callId("one@x")
                            .from("alice")
                            .to("bob")
                            .answered()
                            .talk(seconds * 1000L)
                            .hangUp(Party.CALLER);
                })
                .otherSip(2)
                .capture()
                .frames();
    }

    private static List<Frame> call() {
        return call(_ -> {}, 30);
    }

    private static PointsReport compare(boolean isSameClock, List<List<Frame>> captures) {
        return compare(isSameClock, PointAnalysis.MOST_PACKETS, captures);
    }

    private static PointsReport compare(boolean isSameClock, long mostPackets, List<List<Frame>> captures) {
        List<CapturePoint> points = new ArrayList<>();
        for (List<Frame> frames : captures) {
            PointMessages messages = new PointMessages();
            AnalysisResult result = Analysis.run(
                    new MemorySource(frames, 4096),
                    AnalysisOptions.defaults().withRtpHeuristic(true).withListener(messages));
            assertThat(result.defect()).isNull();
            points.add(new CapturePoint(
                    result.capture().firstNs(), result.capture().lastNs(), result.calls(), result.streams(), messages));
        }
        PointAnalysis analysis = new PointAnalysis(points, isSameClock, mostPackets);
        for (int i = 0; i < captures.size(); i++) {
            assertThat(Pipeline.of(2)
                            .traffic(analysis.media(i))
                            .run(new MemorySource(captures.get(i), 4096))
                            .defect())
                    .isNull();
        }
        return analysis.report();
    }

    private static PointsReport compare(TwoPoints.Captures captures) {
        return compare(false, List.of(captures.atA(), captures.atB()));
    }

    private static ClockLine clockOfB(PointsReport report) {
        return Objects.requireNonNull(report.clocks().get(1));
    }

    private static StreamWay way(PointsReport report, Side from) {
        return report.streams().stream()
                .filter(way -> way.from() == from)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no media of the " + from.label()));
    }

    private static SegmentFigures figures(PointsReport report, Side from) {
        return way(report, from).segments().getFirst().figures();
    }

    private static List<Integer> stops(StreamWay way) {
        return way.stops().stream().map(StreamWay.Stop::point).toList();
    }

    private static List<Frame> only(List<Frame> frames, Predicate<Frame> selected) {
        return frames.stream().filter(selected).toList();
    }

    /** Whether a host of 10.{@code net}.0.0/16 sent or receives it. */
    private static Predicate<Frame> ofNet(int net) {
        return frame -> frame.bytes()[27] == net || frame.bytes()[31] == net;
    }

    @Test
    void lossIsBeforeOrBetweenThePointsAsItWasMade() {
        TwoPoints.Captures both = new TwoPoints(3)
                .lostBetween(Party.CALLER, packet -> packet % 50 == 3)
                .lostBefore(Party.CALLEE, packet -> packet % 100 == 7)
                .lostBetween(Party.CALLEE, packet -> packet % 200 == 30)
                .of(call());
        PointsReport report = compare(both);
        SegmentFigures caller = figures(report, Side.CALLER);
        assertThat(caller.present()).isEqualTo(both.caller().sent());
        assertThat(caller.lost()).isEqualTo(both.caller().lostBetween()).isEqualTo(30);
        assertThat(caller.lostBefore()).isZero();
        assertThat(caller.isTrusted()).isTrue();
        assertThat(stops(way(report, Side.CALLER))).containsExactly(0, 1);
        SegmentFigures callee = figures(report, Side.CALLEE);
        assertThat(callee.lostBefore()).isEqualTo(both.callee().lostBefore()).isEqualTo(15);
        assertThat(callee.lost()).isEqualTo(both.callee().lostBetween()).isEqualTo(8);
        assertThat(callee.arrived()).isEqualTo(callee.present() - 8);
        assertThat(stops(way(report, Side.CALLEE))).as("callees are behind B").containsExactly(1, 0);
        assertThat(report.streams()).hasSize(2).allSatisfy(way -> {
            assertThat(way.callNumber()).isEqualTo(1);
            assertThat(way.segments().getFirst().order()).isEqualTo(StreamWay.Order.DELAY);
        });
        assertThat(report.messages()).isEmpty();
    }

    @Test
    void bothDirectionsTellOffsetAndDriftOfTheClock() {
        PointsReport report =
                compare(new TwoPoints(3).clockOfB(250, 40).jitterMicros(2000).of(call()));
        ClockLine clock = clockOfB(report);
        assertThat(clock.basis()).isEqualTo(ClockLine.Basis.BOTH_DIRECTIONS);
        // 4 ms there and 6 ms back are taken for 5 ms each
        assertThat(clock.offsetNs() / 1e6).isCloseTo(249, within(0.15));
        assertThat(clock.uncertaintyNs() / 1e6).isCloseTo(5, within(0.15));
        assertThat(clock.driftPpm()).isCloseTo(40, within(clock.driftErrorPpm() + 1));
        assertThat(clock.driftErrorPpm()).isLessThan(10);
        SegmentFigures.Delay delay = figures(report, Side.CALLER).delay();
        assertThat(delay.minMs()).isCloseTo(5, within(0.2));
        assertThat(delay.medianMs()).isCloseTo(5.67, within(0.3));
    }

    @Test
    void manyShortCallsTellTheDriftTogether() {
        Traffic traffic = new Traffic(5).every(6000);
        for (int i = 0; i < 8; i++) {
            traffic.call(call -> call.answered().talk(3000).hangUp(Party.CALLEE));
        }
        PointsReport report =
                compare(new TwoPoints(3).clockOfB(-40, -30).of(traffic.capture().frames()));
        assertThat(clockOfB(report).driftPpm()).isCloseTo(-30, within(3.0));
        assertThat(report.streams())
                .hasSize(16)
                .allSatisfy(way -> assertThat(
                                way.segments().getFirst().figures().delay().medianMs())
                        .isCloseTo(5, within(0.5)));
    }

    @Test
    void aNatBetweenThePointsChangesNothing() {
        TwoPoints points = new TwoPoints(3)
                .nat("203.0.113.9", 1000)
                .clockOfB(-90, 0)
                .lostBetween(Party.CALLER, packet -> packet % 40 == 0);
        TwoPoints.Captures both = points.of(call());
        PointsReport report = compare(both);
        assertThat(figures(report, Side.CALLER).lost()).isEqualTo(both.caller().lostBetween());
        assertThat(figures(report, Side.CALLEE).lost()).isZero();
        StreamWay way = way(report, Side.CALLER);
        assertThat(way.stops().getFirst().stream().source().toString()).startsWith("10.1.0.1:");
        assertThat(way.stops().getLast().stream().source().toString()).startsWith("203.0.113.9:");
        assertThat(clockOfB(report).offsetNs() / 1e6).isCloseTo(-91, within(0.1));
        assertThat(report.counts().messagesShared()).isGreaterThan(5);
        assertThat(report.messages()).isEmpty();
    }

    @Test
    void aPointWithoutSipHasTheCallOfTheOther() {
        TwoPoints.Captures both = new TwoPoints(3)
                .mediaAloneAtB()
                .lostBetween(Party.CALLEE, packet -> packet % 25 == 0)
                .of(call());
        PointsReport report = compare(both);
        assertThat(figures(report, Side.CALLEE).lost()).isEqualTo(both.callee().lostBetween());
        assertThat(way(report, Side.CALLEE).callNumber()).isEqualTo(1);
        assertThat(report.counts().messagesShared()).isZero();
    }

    @Test
    void aCallBehindABackToBackUserAgentIsTheSameByItsMedia() {
        TwoPoints.Captures both = new TwoPoints(3)
                .otherCallIdsAtB()
                .lostBetween(Party.CALLER, packet -> packet % 25 == 0)
                .of(call());
        PointsReport report = compare(both);
        assertThat(figures(report, Side.CALLER).lost()).isEqualTo(both.caller().lostBetween());
        StreamWay way = way(report, Side.CALLER);
        assertThat(way.stops().stream()
                        .map(stop -> Objects.requireNonNull(stop.call()).callId()))
                .containsExactly("one@x", "zne@x");
        assertThat(report.calls())
                .hasSize(1)
                .allSatisfy(call -> assertThat(call.points()).containsExactly(0, 1));
        assertThat(report.messages()).as("of other dialogs").isEmpty();
    }

    @Test
    void capturesOfOneCallThatDoNotOverlapAreNotCompared() {
        List<Frame> frames = call();
        long halfNs = Traffic.START_NS + 15_000_000_000L;
        PointsReport report = compare(
                false,
                List.of(
                        only(frames, frame -> frame.timestampNs() < halfNs),
                        only(frames, frame -> frame.timestampNs() > halfNs)));
        assertThat(report.calls()).hasSize(1);
        assertThat(report.streams()).as("neither lost nor rewritten").isEmpty();
        assertThat(report.messages()).isEmpty();
        assertThat(report.isShared()).isFalse();
    }

    @Test
    void onlyWhatBothCapturedIsCompared() {
        PointsReport report = compare(
                new TwoPoints(3).clockOfB(10_000, 0).capturedAtB(8_000, 20_000).of(call()));
        for (Side side : Side.values()) {
            SegmentFigures figures = figures(report, side);
            assertThat(figures.present()).isBetween(595L, 605L);
            assertThat(figures.lost()).as("the capture at B was stopped").isZero();
            assertThat(figures.lostBefore()).isZero();
            assertThat(figures.extra()).isZero();
        }
        assertThat(report.messages()).as("B was not there").isEmpty();
    }

    @Test
    void aStreamThatStopsBetweenThePointsIsLostToTheEnd() {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(400, 10)
                .lostBetween(Party.CALLER, packet -> packet >= 600)
                .of(call());
        PointsReport report = compare(both);
        assertThat(both.caller().lostBetween()).isEqualTo(900);
        assertThat(figures(report, Side.CALLER).lost()).isEqualTo(900);
    }

    @Test
    void aStreamThatNeverArrivesIsNamed() {
        PointsReport report =
                compare(new TwoPoints(3).lostBetween(Party.CALLER, _ -> true).of(call()));
        StreamWay way = way(report, Side.CALLER);
        assertThat(way.fate()).isEqualTo(new StreamWay.Fate(StreamWay.Kind.NOT_SEEN, 1));
        assertThat(way.segments()).isEmpty();
        assertThat(figures(report, Side.CALLEE).lost()).isZero();
    }

    private static List<Frame> speech(int seconds) {
        return call(
                call -> call.media(Party.CALLER, shape -> shape.speech()).media(Party.CALLEE, shape -> shape.speech()),
                seconds);
    }

    @Test
    void rewrittenMediaIsComparedByItsPayloads() {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(250, 0)
                .otherCallIdsAtB()
                .rewrittenAtB(Party.CALLER)
                .lostBefore(Party.CALLER, packet -> packet % 200 == 9)
                .lostBetween(Party.CALLER, packet -> packet % 100 == 50)
                .of(speech(20));
        PointsReport report = compare(both);
        StreamWay way = way(report, Side.CALLER);
        assertThat(way.fate().kind()).isEqualTo(StreamWay.Kind.COMPARED);
        assertThat(way.stops().getFirst().stream().ssrc())
                .isNotEqualTo(way.stops().getLast().stream().ssrc());
        StreamWay.Segment segment = way.segments().getFirst();
        assertThat(segment.level()).isEqualTo(StreamPassage.Level.REWRITTEN);
        assertThat(segment.figures().lost()).isEqualTo(both.caller().lostBetween());
        assertThat(segment.figures().lostBefore()).isEqualTo(both.caller().lostBefore());
        assertThat(segment.figures().extra()).isZero();
        assertThat(way(report, Side.CALLEE).segments().getFirst().level()).isEqualTo(StreamPassage.Level.EXACT);
        assertThat(clockOfB(report).offsetNs() / 1e6).isCloseTo(249, within(0.3));
        assertThat(report.calls()).as("with another Call-ID at B").hasSize(1);
    }

    @Test
    void rewrittenMediaOfOneDirectionAndWithoutSipIsComparedWhenACaptureBeganLate() {
        TwoPoints.Captures both = new TwoPoints(3)
                .mediaAloneAtB()
                .rewrittenAtB(Party.CALLER)
                .capturedAtB(50_000, 60_000)
                .of(speech(80));
        StreamWay way = way(compare(both), Side.CALLER);
        assertThat(way.segments().getFirst().level()).isEqualTo(StreamPassage.Level.REWRITTEN);
        assertThat(way.segments().getFirst().figures().matched()).isGreaterThan(480);
        assertThat(way.segments().getFirst().figures().lost()).isZero();
    }

    @Test
    void anAnnouncementThatSeveralCallsHearIsNotTakenForOneStream() {
        Traffic traffic = new Traffic(5).every(700);
        for (String user : List.of("anna", "berta")) {
            traffic.call(call -> call.from(user)
                    .media(Party.CALLEE, shape -> shape.recording(3))
                    .silent(Party.CALLER)
                    .completed(Party.CALLER, 5000));
        }
        TwoPoints.Captures both = new TwoPoints(3)
                .mediaAloneAtB()
                .rewrittenAtB(Party.CALLEE)
                .of(traffic.capture().frames());
        List<Frame> anna = only(both.atA(), ofCall(1));
        assertThat(compare(false, List.of(anna, both.atB())).streams())
                .noneMatch(way -> way.fate().kind() == StreamWay.Kind.COMPARED);
        assertThat(compare(false, List.of(both.atA(), both.atB())).streams())
                .noneMatch(way -> way.fate().kind() == StreamWay.Kind.COMPARED);
    }

    @Test
    void rewrittenMediaWithoutPayloadsOfItsOwnIsNotCompared() {
        PointsReport report = compare(new TwoPoints(3)
                .otherSsrcAtB(Party.CALLER)
                .lostBetween(Party.CALLEE, packet -> packet == 9)
                .of(call()));
        assertThat(way(report, Side.CALLER).fate()).isEqualTo(new StreamWay.Fate(StreamWay.Kind.REWRITTEN, 1));
        assertThat(report.streams()).hasSize(2);
        assertThat(figures(report, Side.CALLEE).lost()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {2500, -2500, 150, -150})
    void aClockThatIsSetMeanwhileIsTakenBack(long stepMs) {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(300, 0)
                .clockOfBSet(15_000, stepMs)
                .lostMessage("BYE")
                .lostBetween(Party.CALLER, packet -> packet % 100 == 50)
                .of(call());
        PointsReport report = compare(both);
        assertThat(report.steps().getFirst()).isEmpty();
        assertThat(report.steps().getLast()).singleElement().satisfies(step -> {
            assertThat(step.byNs() / 1e6).isCloseTo((double) stepMs, within(1.0));
            assertThat((step.beforeNs() - Traffic.START_NS) / 1e6).isCloseTo(15_300, within(60.0));
        });
        assertThat(clockOfB(report).offsetNs() / 1e6).isCloseTo(299, within(0.3));
        assertThat(clockOfB(report).driftPpm())
                .as("a step is known to a part of the jitter")
                .isCloseTo(0, within(15.0));
        for (Side side : Side.values()) {
            SegmentFigures figures = figures(report, side);
            assertThat(figures.delay().minMs()).isCloseTo(5, within(0.3));
            assertThat(figures.delay().spreadMs()).isLessThan(1);
            assertThat(way(report, side).segments().getFirst().order()).isEqualTo(StreamWay.Order.DELAY);
        }
        assertThat(figures(report, Side.CALLER).lost()).isEqualTo(both.caller().lostBetween());
        assertThat(report.messages()).singleElement().satisfies(message -> {
            assertThat(message.what()).isEqualTo("BYE");
            assertThat(message.way()).isEqualTo(LostMessage.Way.LOST);
        });
    }

    @Test
    void theClockOfTheFirstCaptureMayBeTheOneThatWasSet() {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(300, 0)
                .clockOfBSet(15_000, 700)
                .lostMessage("BYE")
                .of(call());
        PointsReport report = compare(false, List.of(both.atB(), both.atA()));
        assertThat(report.steps().getFirst()).hasSize(1);
        assertThat(report.steps().getLast()).isEmpty();
        assertThat(clockOfB(report).offsetNs() / 1e6).isCloseTo(-299, within(0.3));
        assertThat(report.messages()).hasSize(1);
    }

    @Test
    void aQueueOnTheWayIsNoClock() {
        PointsReport report = compare(new TwoPoints(3)
                .clockOfB(300, 0)
                .of(call(call -> call.media(Party.CALLER, shape -> shape.stalls(5000, 800)), 30)));
        assertThat(report.steps()).allSatisfy(steps -> assertThat(steps).isEmpty());
    }

    @Test
    void oneDirectionDoesNotTellOffsetFromDelay() {
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(300, 25)
                .mediaAloneAtB()
                .lostBetween(Party.CALLER, packet -> packet % 30 == 1)
                .of(call(call -> call.silent(Party.CALLEE), 30));
        PointsReport report = compare(both);
        ClockLine clock = clockOfB(report);
        assertThat(clock.basis()).isEqualTo(ClockLine.Basis.ONE_DIRECTION);
        assertThat(clock.uncertaintyNs()).isNaN();
        assertThat(clock.offsetNs() / 1e6).as("with the delay").isCloseTo(304, within(0.2));
        assertThat(clock.driftPpm()).isCloseTo(25, within(2.0));
        StreamWay way = report.streams().getFirst();
        assertThat(way.segments().getFirst().order()).isEqualTo(StreamWay.Order.UNKNOWN);
        assertThat(way.segments().getFirst().figures().lost())
                .isEqualTo(both.caller().lostBetween());
    }

    @Test
    void oneClockTellsTheOrderEvenOfOneDirection() {
        TwoPoints.Captures both = new TwoPoints(3).mediaAloneAtB().of(call(call -> call.silent(Party.CALLER), 5));
        StreamWay way = compare(true, List.of(both.atA(), both.atB())).streams().getFirst();
        assertThat(way.segments().getFirst().order()).isEqualTo(StreamWay.Order.DELAY);
        assertThat(stops(way)).containsExactly(1, 0);
        assertThat(way.segments().getFirst().figures().delay().minMs()).isCloseTo(6, within(0.1));
    }

    @Test
    void whatTheFirstCaptureMissedIsNotLostBeforeIt() {
        TwoPoints.Captures both = new TwoPoints(3)
                .missedByFirst(Party.CALLER, packet -> packet % 100 == 50)
                .of(call());
        SegmentFigures figures = figures(compare(both), Side.CALLER);
        assertThat(figures.extra()).isEqualTo(both.caller().missedByFirst()).isEqualTo(15);
        assertThat(figures.lostBefore()).as("by its own count").isEqualTo(15);
        assertThat(figures.lostBeforeBoth()).isZero();
        assertThat(figures.lost()).isZero();
        assertThat(figures.isTrusted()).isFalse();
    }

    @Test
    void copiesReorderingAndNumbersThatWrapAreNoLoss() {
        TwoPoints.Captures both = new TwoPoints(3)
                .mirroredAtB()
                .jitterMicros(30_000)
                .of(call(
                        call -> call.media(
                                Party.CALLER,
                                shape -> shape.reordering(0.05).duplicates(0.05).firstSequence(65_500)),
                        30));
        PointsReport report = compare(both);
        for (Side side : Side.values()) {
            SegmentFigures figures = figures(report, side);
            assertThat(figures.present()).isBetween(1495L, 1500L);
            assertThat(figures.lost()).isZero();
            assertThat(figures.lostBefore()).isZero();
            assertThat(figures.extra()).isZero();
        }
    }

    @Test
    void aMessageThatNeverArrivedIsNamed() {
        PointsReport report = compare(
                new TwoPoints(3).clockOfB(77, 0).lostMessage("SIP/2.0 180").of(call()));
        assertThat(report.messages()).hasSize(1);
        LostMessage lost = report.messages().getFirst();
        assertThat(lost.what()).isEqualTo("180 INVITE");
        assertThat(lost.callNumber()).isEqualTo(1);
        assertThat(lost.seen().point()).as("the callee's side").isEqualTo(1);
        assertThat(lost.missingAt()).isZero();
        assertThat(lost.way()).isEqualTo(LostMessage.Way.LOST);
    }

    @Test
    void transmissionsThatWereLostBeforeOneArrivedAreCounted() {
        List<Frame> frames = new Traffic(7)
                .call(call -> call.answered().talk(2000).hangUpRetransmitted(Party.CALLER, 3))
                .capture()
                .frames();
        PointsReport report = compare(new TwoPoints(3).lostMessage("BYE", 2).of(frames));
        assertThat(report.messages()).hasSize(1);
        LostMessage lost = report.messages().getFirst();
        assertThat(lost.what()).isEqualTo("BYE");
        assertThat(lost.way()).isEqualTo(LostMessage.Way.LOST);
        assertThat(lost.missing()).isEqualTo(2);
        assertThat(lost.transmissions()).isBetween(3, 4);
    }

    @Test
    void whatTheReceiverReportsBeyondTheLastPointWasLostAfterIt() {
        TwoPoints.Captures both = new TwoPoints(3)
                .lostBetween(Party.CALLER, packet -> packet == 100 || packet == 101)
                .of(call(call -> call.rtcp(rtcp -> rtcp.extraLoss(Party.CALLEE, 1)), 30));
        StreamWay way = way(compare(both), Side.CALLER);
        StreamWay.After after = Objects.requireNonNull(way.after());
        assertThat(after.reportedLost()).isBetween(28L, 32L);
        assertThat(after.lost()).isEqualTo(after.reportedLost() - 2);
        assertThat(Objects.requireNonNull(way(compare(both), Side.CALLEE).after())
                        .lost())
                .isZero();
    }

    @Test
    void aReceiverThatCountsFromBeforeTheCaptureSaysNothingOfAfter() {
        TwoPoints.Captures both = new TwoPoints(3)
                .capturedAtB(10_000, 40_000)
                .of(call(call -> call.rtcp(rtcp -> rtcp.extraLoss(Party.CALLEE, 1)), 30));
        assertThat(way(compare(both), Side.CALLER).after()).isNull();
    }

    @Test
    void aRelayBetweenThePointsIsPassedInTheOrderOfItsAddresses() {
        List<Frame> frames = call(call -> call.proxies(1).relayed(), 12);
        PointsReport report = compare(false, List.of(only(frames, ofNet(1)), only(frames, ofNet(2))));
        assertThat(stops(way(report, Side.CALLER))).containsExactly(0, 1);
        assertThat(stops(way(report, Side.CALLEE))).containsExactly(1, 0);
        assertThat(report.streams())
                .allSatisfy(way -> assertThat(way.segments().getFirst().order()).isEqualTo(StreamWay.Order.ADDRESSES));
        assertThat(report.counts().messagesShared()).as("behind a proxy").isGreaterThan(4);
        assertThat(report.messages())
                .as("a proxy answers INVITE with 100 by itself")
                .isEmpty();
    }

    @Test
    void aCaptureWithBothHopsOfARelayHasAStopForEach() {
        List<Frame> frames =
                call(call -> call.proxies(1).relayed().media(Party.CALLER, shape -> shape.lostInRelay(0.1)), 12);
        PointsReport report = compare(false, List.of(only(frames, ofNet(2)), frames));
        StreamWay caller = way(report, Side.CALLER);
        assertThat(stops(caller)).as("in the relay, then at both").containsExactly(1, 0, 1);
        assertThat(caller.stops().stream().map(StreamWay.Stop::hop)).containsExactly(1, 0, 2);
        assertThat(caller.segments().getFirst().order()).isEqualTo(StreamWay.Order.ADDRESSES);
        SegmentFigures relay = caller.segments().getFirst().figures();
        assertThat(relay.lost())
                .isEqualTo(caller.stops().getFirst().stream().statistics().distinct()
                        - caller.stops().getLast().stream().statistics().distinct())
                .isGreaterThan(30);
        assertThat(relay.delay().medianMs()).isCloseTo(0.25, within(0.01));
        assertThat(caller.segments().getLast().figures().lost()).isZero();
        assertThat(stops(way(report, Side.CALLEE))).hasSize(3);
        assertThat(report.counts().otherHops()).isZero();
        assertThat(report.messages()).as("the other hop is no loss").isEmpty();
    }

    @Test
    void hopsOfARelayWithStreamsOfItsOwnAreStops() {
        List<Frame> frames = call(
                call -> call.proxies(1)
                        .relayed()
                        .media(
                                Party.CALLER,
                                shape -> shape.speech().rewrittenByRelay().lostInRelay(0.05)),
                12);
        PointsReport report = compare(false, List.of(only(frames, ofNet(2)), frames));
        StreamWay caller = way(report, Side.CALLER);
        assertThat(stops(caller)).containsExactly(1, 0, 1);
        assertThat(caller.segments().getFirst().level()).isEqualTo(StreamPassage.Level.REWRITTEN);
        assertThat(caller.lostBetween())
                .isEqualTo(caller.stops().getFirst().stream().statistics().distinct()
                        - caller.stops().getLast().stream().statistics().distinct());
    }

    @Test
    void threePointsHaveTwoSegments() {
        TwoPoints.Captures outer = new TwoPoints(3)
                .clockOfB(50, 0)
                .lostBetween(Party.CALLER, packet -> packet % 100 == 1)
                .of(call());
        TwoPoints.Captures inner = new TwoPoints(4)
                .clockOfB(-20, 0)
                .lostBetween(Party.CALLER, packet -> packet % 100 == 50)
                .of(outer.atB());
        PointsReport report = compare(false, List.of(inner.atB(), outer.atA(), inner.atA()));
        StreamWay caller = way(report, Side.CALLER);
        assertThat(stops(caller)).containsExactly(1, 2, 0);
        assertThat(caller.segments().stream().map(segment -> segment.figures().lost()))
                .containsExactly(15L, 15L);
        assertThat(stops(way(report, Side.CALLEE))).containsExactly(0, 2, 1);
    }

    @Test
    void capturesThatShareNothingAreNotCompared() {
        PointsReport report = compare(
                false,
                List.of(
                        call(),
                        new Traffic(99)
                                .call(call -> call.completed(Party.CALLER, 2000))
                                .capture()
                                .frames(),
                        List.of()));
        assertThat(report.isShared()).isFalse();
        assertThat(report.streams()).isEmpty();
        assertThat(report.messages()).isEmpty();
        assertThat(report.clocks()).containsExactly(ClockLine.SAME, null, null);
        assertThat(report.calls().stream().map(PointsReport.Call::points)).containsExactly(List.of(0), List.of(1));
    }

    @Test
    void streamsBeyondTheLimitAreCounted() {
        TwoPoints.Captures both = new TwoPoints(3).of(call());
        PointsReport report = compare(false, 3500, List.of(both.atA(), both.atB()));
        assertThat(report.streams().stream().filter(way -> way.fate().kind() == StreamWay.Kind.COMPARED))
                .hasSize(1);
        assertThat(report.counts().streamsLeftOut()).isEqualTo(2);
    }

    @Test
    void callsAreNumberedAsTheFirstCaptureHasThem() {
        Traffic traffic = new Traffic(5).every(1500);
        for (String user : List.of("anna", "berta", "clara")) {
            traffic.call(call -> call.from(user).completed(Party.CALLER, 1000));
        }
        List<Frame> frames = traffic.capture().frames();
        PointsReport report = compare(true, List.of(only(frames, ofCall(2)), frames));
        assertThat(report.calls().stream().map(call -> from(call.report()))).containsExactly("berta", "anna", "clara");
        assertThat(report.streams().stream().filter(way -> way.callNumber() == 1))
                .hasSize(2);
    }

    private static String from(CallReport call) {
        return Objects.requireNonNull(call.parties().from());
    }

    private static Predicate<Frame> ofCall(int number) {
        return frame -> frame.bytes()[29] == number;
    }
}
