package io.offhook.proxy.health;

import static io.offhook.proxy.health.WatchedLane.MS;
import static io.offhook.proxy.health.WatchedLane.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.routing.GroupHealth.State;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.proxy.routing.Routing;
import io.offhook.proxy.routing.RoutingConfig;
import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.proxy.statistics.MemberFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Members of groups that are asked by a lane, on simulated time. */
class GroupWatchTest {
    private static final String A = "192.0.2.140:5060";
    private static final String B = "192.0.2.141:5060";
    private static final String TCP = "TCP 192.0.2.142:5070";
    private static final String CARRIER = """
            groups:
              carrier:
                members:
                  - {uri: "sip:192.0.2.140"}
                  - {uri: "sip:192.0.2.141"}
                  - {uri: "sip:192.0.2.142:5070;transport=tcp"}
                health: {options: true, interval: 10s, timeout: 2s, down-after: 2, up-after: 2}
            """;

    private static RoutingConfig config(String yaml) {
        return ProxyConfig.reader()
                .read("listeners: [{name: a, address: 127.0.0.1, port: 0}]\n" + yaml, "g")
                .routing();
    }

    private static Routing routing(String yaml) {
        return new Routing(config(yaml), List.of());
    }

    private static State state(Routing routing, WatchedLane lane, int member) {
        NextHopGroup group = Objects.requireNonNull(routing.group("carrier"));
        return group.health().state(member, lane.nowNs / MS);
    }

    @Test
    void asksEachMemberOnceAnIntervalByItsTransportAndNotAllAtOnce() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        for (String member : List.of(A, B, TCP)) {
            lane.answers.put(member, 200);
        }
        lane.watch.start(lane.nowNs);
        lane.pass(65 * SECOND);
        List<Long> firsts = new ArrayList<>();
        for (String member : List.of(A, B, TCP)) {
            List<Long> times = lane.times(member);
            firsts.add(times.getFirst());
            assertThat(times).hasSizeBetween(5, 7);
            for (int i = 1; i < times.size(); i++) {
                assertThat(times.get(i) - times.get(i - 1)).isBetween(10_000L, 11_003L);
            }
        }
        assertThat(firsts).doesNotHaveDuplicates().allMatch(at -> at < 110_003);
        assertThat(lane.asked)
                .anySatisfy(asked -> assertThat(asked.text())
                        .contains("Via: SIP/2.0/TCP 192.0.2.1:5060;branch=")
                        .startsWith("OPTIONS sip:192.0.2.142:5070;transport=tcp SIP/2.0"));
        assertThat(lane.logged()).isEmpty();
    }

    @Test
    void marksAMemberDownThatIsSilentAndUpWhenItAnswersAgain() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        lane.answers.put(A, 200);
        lane.answers.put(TCP, 404);
        lane.watch.start(lane.nowNs);
        lane.pass(30 * SECOND);
        assertThat(state(routing, lane, 0)).isEqualTo(State.USABLE);
        assertThat(state(routing, lane, 1)).isEqualTo(State.DOWN);
        assertThat(state(routing, lane, 2)).as("404 proves life").isEqualTo(State.USABLE);
        lane.answers.put(B, 200);
        while (state(routing, lane, 1) == State.DOWN) {
            lane.pass(SECOND);
        }
        GroupFigure figure = GroupFigures.of(routing.groups(), lane.nowNs / MS).getFirst();
        MemberFigure.Options options =
                Objects.requireNonNull(figure.members().get(1).options());
        assertThat(options.sent() - options.failed()).as("answered").isEqualTo(2);
        assertThat(options.lastStatus()).isEqualTo(200);
        assertThat(figure.members()).extracting(MemberFigure::state).containsOnly("usable");
        lane.pass(SECOND);
        assertThat(lane.logged())
                .containsExactly(
                        "warning routing group carrier: member sip:192.0.2.141 is down: no answer to OPTIONS",
                        "info routing group carrier: member sip:192.0.2.141 gets calls again");
    }

    @Test
    void takes503AsAFailureAndSaysSo() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        lane.answers.put(A, 503);
        lane.answers.put(B, 483);
        lane.answers.put(TCP, 200);
        lane.watch.start(lane.nowNs);
        lane.pass(30 * SECOND);
        assertThat(GroupFigures.of(routing.groups(), lane.nowNs / MS).getFirst().members())
                .extracting(MemberFigure::state)
                .containsExactly("down", "usable", "usable");
        assertThat(lane.logged())
                .containsExactly("warning routing group carrier: member sip:192.0.2.140 is down: 503 to OPTIONS");
    }

    @Test
    void keepsAtMostOneQuestionToEachMember() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        lane.watch.start(lane.nowNs);
        for (int i = 0; i < 600; i++) {
            lane.pass(SECOND / 10);
            assertThat(lane.core.transactions().clientCount()).isLessThanOrEqualTo(3);
        }
        lane.watch.stop();
        assertThat(lane.core.transactions().clientCount()).isZero();
        lane.pass(40 * SECOND);
        assertThat(lane.core.transactions().wheel().running()).isZero();
        assertThat(lane.core.transactions().keptBytes()).isZero();
    }

    @Test
    void eachGroupIsAskedByOneLane() {
        String yaml = """
                groups:
                  one: {members: [{uri: "sip:192.0.2.140"}], health: {options: true, interval: 5s}}
                  two: {members: [{uri: "sip:192.0.2.141"}], health: {options: true, interval: 5s}}
                  three: {members: [{uri: "sip:192.0.2.142"}], health: {options: true, interval: 5s}}
                """;
        Routing routing = routing(yaml);
        WatchedLane first = new WatchedLane(routing::groups, 0, 2);
        WatchedLane second = new WatchedLane(routing::groups, 1, 2);
        for (WatchedLane lane : List.of(first, second)) {
            lane.watch.start(lane.nowNs);
            lane.pass(20 * SECOND);
        }
        assertThat(first.asked)
                .extracting(WatchedLane.Asked::member)
                .contains(A, "192.0.2.142:5060")
                .doesNotContain(B);
        assertThat(second.asked).extracting(WatchedLane.Asked::member).containsOnly(B);
    }

    @Test
    void aReloadKeepsWhatIsKnownAsksNewMembersAndNoneThatWent() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        lane.answers.put(A, 200);
        lane.answers.put(TCP, 200);
        lane.watch.start(lane.nowNs);
        lane.pass(30 * SECOND);
        assertThat(state(routing, lane, 1)).isEqualTo(State.DOWN);
        routing.reload(config(CARRIER.replace("sip:192.0.2.140", "sip:192.0.2.150")));
        lane.pass(SECOND + MS);
        lane.asked.clear();
        lane.answers.put("192.0.2.150:5060", 200);
        lane.pass(25 * SECOND);
        assertThat(lane.times(A)).isEmpty();
        assertThat(lane.times("192.0.2.150:5060")).hasSizeBetween(2, 3);
        assertThat(lane.times(B)).as("as often as before").hasSizeBetween(2, 3);
        assertThat(state(routing, lane, 1)).isEqualTo(State.DOWN);
        routing.reload(config("groups: {}\n"));
        lane.pass(SECOND + MS);
        lane.asked.clear();
        lane.pass(100 * SECOND);
        assertThat(lane.asked).isEmpty();
        assertThat(lane.core.transactions().clientCount()).isZero();
        assertThat(lane.core.transactions().wheel().running()).as("its own").isEqualTo(1);
        assertThat(lane.logged())
                .containsExactly("warning routing group carrier: member sip:192.0.2.141 is down: no answer to OPTIONS");
    }

    /** A reload each second must not keep anybody from being asked. */
    @Test
    void asksWhileItIsReloadedAgainAndAgain() {
        Routing routing = routing(CARRIER);
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        for (String member : List.of(A, B, TCP)) {
            lane.answers.put(member, 200);
        }
        lane.watch.start(lane.nowNs);
        for (int i = 0; i < 60; i++) {
            lane.pass(SECOND);
            routing.reload(config(CARRIER));
        }
        for (String member : List.of(A, B, TCP)) {
            assertThat(lane.times(member)).hasSizeBetween(4, 7);
        }
    }

    @Test
    void reportsWhatCallsHaveShown() {
        Routing routing =
                routing("groups: {carrier: {members: [{uri: \"sip:192.0.2.140\"}], health: {failures: 1}}}\n");
        WatchedLane lane = new WatchedLane(routing::groups, 0, 1);
        lane.watch.start(lane.nowNs);
        NextHopGroup group = Objects.requireNonNull(routing.group("carrier"));
        group.health().failed(0, 0, lane.nowNs / MS);
        lane.pass(7 * SECOND);
        group.health().failed(0, 30, lane.nowNs / MS);
        lane.pass(2 * SECOND);
        assertThat(GroupFigures.of(routing.groups(), lane.nowNs / MS).getFirst().members())
                .containsExactly(new MemberFigure("sip:192.0.2.140", 1, 0, "retry-after", 137_000, null));
        lane.pass(60 * SECOND);
        assertThat(lane.asked).as("it is not asked").isEmpty();
        assertThat(lane.logged())
                .anySatisfy(line -> assertThat(line)
                        .matches(".* member sip:192[.]0[.]2[.]140 gets no calls for [45] s: calls to it have failed"))
                .anySatisfy(line -> assertThat(line).matches(".* gets no calls for (29|30) s: its Retry-After"))
                .last()
                .asString()
                .endsWith("gets calls again");
    }

    @Test
    void reportsThatCredentialsAreRefused() {
        WatchedLane lane = new WatchedLane(List::of, 0, 1);
        lane.watch.start(lane.nowNs);
        lane.answers.put(A, 407); // without a challenge that could be answered
        lane.message("sip:b@192.0.2.140");
        lane.pass(5 * SECOND);
        assertThat(lane.logged())
                .containsExactly(
                        "warning routing credentials of ours were refused, or are for another realm: 1 challenge was"
                                + " passed on to callers");
    }
}
