package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import org.junit.jupiter.api.Test;

class IcmpErrorsTest {
    private static final Endpoint CALLER = Addresses.v4("10.1.0.1:5060");
    private static final Endpoint CALLEE = Addresses.v4("10.1.0.2:5060");

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private static IcmpEvent event(int port, IcmpEvent.Message message) {
        return new IcmpEvent(Scene.START_NS, 1, CALLEE.withPort(0), CALLER, CALLEE.withPort(port), 0, message);
    }

    @Test
    void keepsOneOfAKindAndCountsAll() {
        IcmpErrors errors = new IcmpErrors();
        errors.accept(event(1, Found.PORT_UNREACHABLE));
        errors.accept(event(1, Found.PORT_UNREACHABLE));
        errors.accept(event(2, Found.PORT_UNREACHABLE));
        errors.accept(event(1, Found.HOST_UNREACHABLE));
        assertThat(errors.events())
                .extracting(IcmpEvent::message)
                .containsExactly(Found.PORT_UNREACHABLE, Found.PORT_UNREACHABLE, Found.HOST_UNREACHABLE);
        assertThat(errors.seen().count()).isEqualTo(4);
        assertThat(errors.dropped().count()).isZero();
    }

    @Test
    void keepsOneOfEachCallOnATrunk() {
        for (int call = 0; call < 100; call++) {
            String callId = "c" + call + "@test";
            new Dialog(scene, callId, CALLER, CALLEE).invite("");
            long hash = callIdHash(callId);
            scene.icmp(CALLEE, CALLER, CALLEE, hash, Found.PORT_UNREACHABLE);
            scene.icmp(CALLEE, CALLER, CALLEE, hash, Found.PORT_UNREACHABLE);
        }
        assertThat(scene.reports().calls())
                .hasSize(100)
                .allSatisfy(call -> assertThat(call.icmpErrors()).hasSize(1));
    }

    private long callIdHash(String callId) {
        return scene.assembly().callTables().getFirst().calls().stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst()
                .orElseThrow()
                .callIdHash();
    }

    @Test
    void of4097KindsTheOldestGivesWayAndIsCounted() {
        IcmpErrors errors = new IcmpErrors();
        for (int port = 0; port < 5000; port++) {
            errors.accept(event(port, Found.PORT_UNREACHABLE));
        }
        assertThat(errors.events()).hasSize(4096);
        assertThat(errors.events().getFirst().destination().port()).isEqualTo(904);
        assertThat(errors.events().getLast().destination().port()).isEqualTo(4999);
        assertThat(errors.dropped().count()).isEqualTo(904);
        assertThat(errors.seen().count()).isEqualTo(5000);
    }

    @Test
    void belongToTheCallWhoseCallIdTheyQuote() {
        dialog.invite("");
        Dialog other = new Dialog(scene, "two@test", CALLER, CALLEE).invite("");
        long hash = scene.assembly().callTables().getFirst().calls().getFirst().callIdHash();
        scene.icmp(CALLEE, CALLER, CALLEE, hash, Found.PORT_UNREACHABLE);
        assertThat(scene.call("one@test").icmpErrors()).hasSize(1);
        assertThat(Found.in(scene.call("one@test"))).contains("icmpError service 1 3/3 10.1.0.2");
        assertThat(scene.call("two@test").icmpErrors()).isEmpty();
        assertThat(other).isNotNull();
    }

    @Test
    void belongToTheCallThatReceivesMediaThere() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        Endpoint router = Addresses.v4("10.1.0.254:0");
        scene.icmp(router, Addresses.v4("10.1.0.1:4000"), Addresses.v4("10.1.0.2:5000"), 0, Found.TIME_EXCEEDED);
        assertThat(scene.call().icmpErrors())
                .singleElement()
                .satisfies(event -> assertThat(event.reporter()).isEqualTo(router));
    }

    @Test
    void belongToTheCallWhoseMediaComesFromThere() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        scene.icmp(CALLEE, Addresses.v4("10.1.0.1:4000"), Addresses.v4("10.9.9.9:5000"), 0, Found.PORT_UNREACHABLE);
        assertThat(scene.call().icmpErrors()).hasSize(1);
    }

    @Test
    void belongToTheCallWhoseSignallingRanThereEitherWay() {
        dialog.invite("");
        scene.icmp(CALLER, CALLEE, CALLER, 0, Found.PORT_UNREACHABLE);
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.HOST_UNREACHABLE);
        scene.icmp(CALLEE, CALLER.withPort(53), CALLEE.withPort(53), 0, Found.PORT_UNREACHABLE);
        assertThat(scene.call().icmpErrors())
                .extracting(IcmpEvent::message)
                .containsExactly(Found.PORT_UNREACHABLE, Found.HOST_UNREACHABLE);
    }

    /** A router may quote 28 bytes only (RFC 792): of many calls on a trunk the one that just sent something is meant. */
    @Test
    void belongToTheCallOnATrunkWithTheLastMessageThatWay() {
        Dialog one = dialog.invite("");
        scene.in(1000);
        new Dialog(scene, "two@test", CALLER, CALLEE).invite("");
        scene.in(100);
        new Dialog(scene, "three@test", CALLER, CALLEE).response(Side.CALLEE, 180, 1, "INVITE", "");
        scene.in(100);
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.PORT_UNREACHABLE);
        scene.in(100);
        one.again();
        scene.in(100);
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.HOST_UNREACHABLE);
        assertThat(Found.in(scene.call("two@test"))).containsExactly("icmpError service 1 3/3 10.1.0.2");
        assertThat(Found.in(scene.call("one@test"))).containsExactly("icmpError service 1 3/1 10.1.0.2");
        assertThat(scene.call("three@test").icmpErrors()).isEmpty();
    }

    @Test
    void belongToNoCallThatSentNothingForFiveSeconds() {
        dialog.invite("");
        scene.in(5000);
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.PORT_UNREACHABLE);
        scene.in(1);
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.HOST_UNREACHABLE);
        assertThat(scene.call().icmpErrors()).extracting(IcmpEvent::message).containsExactly(Found.PORT_UNREACHABLE);
    }

    @Test
    void belongToNoCallThatBeganAfterwards() {
        scene.icmp(CALLEE, CALLER, CALLEE, 0, Found.PORT_UNREACHABLE);
        scene.in(1);
        dialog.invite("");
        assertThat(scene.call().icmpErrors()).isEmpty();
    }

    @Test
    void areNoProblemOnceTheCallIsOver() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        scene.talk(
                3000, Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 0xa), Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 0xb));
        dialog.bye(Side.CALLEE);
        scene.in(20);
        scene.icmp(CALLEE, CALLER.withPort(4000), CALLEE.withPort(5000), 0, Found.PORT_UNREACHABLE);
        assertThat(scene.call().icmpErrors()).hasSize(1);
        assertThat(scene.call().problems()).isEmpty();
    }

    @Test
    void areNoProblemWhereOnlyRtcpIsNotListenedFor() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        scene.icmp(CALLEE, CALLER.withPort(4001), CALLEE.withPort(5001), 0, Found.PORT_UNREACHABLE);
        scene.icmp(CALLER, CALLEE.withPort(9001), CALLER.withPort(4001), 0, Found.HOST_UNREACHABLE);
        assertThat(scene.call().icmpErrors()).hasSize(2);
        assertThat(scene.call().problems()).isEmpty();
    }

    @Test
    void areOneProblemHoweverManyPacketsTheyAreAbout() {
        dialog.answered(Sdp.audio("10.1.0.1", 4000), Sdp.audio("10.1.0.2", 5000));
        scene.icmp(CALLEE, CALLER.withPort(4000), CALLEE.withPort(5000), 0, Found.PORT_UNREACHABLE);
        scene.icmp(CALLEE, CALLER.withPort(4002), CALLEE.withPort(5000), 0, Found.PORT_UNREACHABLE);
        assertThat(scene.call().icmpErrors()).hasSize(2);
        assertThat(Found.in(scene.call())).containsExactly("icmpError note 2 3/3 10.1.0.2");
    }
}
