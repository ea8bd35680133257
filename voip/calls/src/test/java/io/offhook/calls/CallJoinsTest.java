package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.calls.join.JoinOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which dialogs are one call. The phones are 10.1.0.x, the B2BUA 10.2.0.1, and what it calls 10.3.0.x. */
final class CallJoinsTest {
    private static final String PHONE = "10.1.0.1:5060";
    private static final String SWITCH = "10.2.0.1:5060";
    private static final String TRUNK = "10.3.0.1:5060";

    private final Scene scene = new Scene();

    private SipLeg first() {
        return new SipLeg(scene, "a@a", PHONE, SWITCH);
    }

    private SipLeg second() {
        return new SipLeg(scene, "b@b", "10.2.0.1:5080", TRUNK);
    }

    /** Both are answered within a second, talk for ten and are ended by the caller. */
    private void run(SipLeg a, SipLeg b, boolean ends) {
        scene.in(1000);
        b.respond(180);
        a.respond(180);
        scene.in(2000);
        b.answer();
        scene.in(50);
        a.answer();
        scene.in(10_000);
        if (ends) {
            a.bye();
            scene.in(20);
            b.bye();
        }
        scene.in(1000);
    }

    private List<String> joined() {
        return scene.reports().calls().stream()
                .map(call -> String.join(
                        "+",
                        call.dialogs().stream().map(CallReport.Dialog::callId).toList()))
                .toList();
    }

    private List<Integer> possible(String callId) {
        return scene.call(callId).joined().possibleJoins().stream()
                .map(CallReport.PossibleJoin::score)
                .toList();
    }

    private CallReport.Join join(String callId) {
        for (CallReport call : scene.reports().calls()) {
            for (CallReport.Dialog dialog : call.dialogs()) {
                CallReport.Join join = dialog.join();
                if (dialog.callId().equals(callId) && join != null) {
                    return join;
                }
            }
        }
        throw new AssertionError(callId + " was not joined");
    }

    @Test
    void joinsALegThatNamesTheCallIdOfTheOther() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg b = second().header("X-CID: a@a").invite();
        run(a, b, true);

        assertThat(joined()).containsExactly("a@a+b@b");
        assertThat(join("b@b").parentCallId()).isEqualTo("a@a");
        assertThat(join("b@b").score()).isEqualTo(205);
        assertThat(join("b@b").reasons())
                .containsExactly(
                        "X-CID names it (100)",
                        "next hop (20)",
                        "within 0.5 s (20)",
                        "same called number (20)",
                        "same calling number (15)",
                        "answered or refused together (15)",
                        "ended together (15)");
        assertThat(scene.call("a@a").counts().messages()).isEqualTo(12);
    }

    @Test
    void joinsByEachHeaderOfTheListWithoutCaseBracketsAndParameters() {
        for (String header : List.of(
                "x-cid: <a@a>",
                "X-Call-ID:a@a ;x=1",
                "XCALLID: a@a",
                "X-CallID: a@a",
                "Parent-Call-ID: a@a",
                "In-Reply-To: a@a",
                "X-Original-Call-ID: \"a@a\"")) {
            Scene own = new Scene();
            new SipLeg(own, "a@a", PHONE, SWITCH).invite();
            own.in(7000);
            new SipLeg(own, "b@b", SWITCH, TRUNK)
                    .from("x")
                    .to("y")
                    .header(header)
                    .invite();
            assertThat(own.reports().calls()).as(header).hasSize(1);
        }
    }

    @Test
    void joinsByAHeaderOfTheFirstLegThatNamesTheSecond() {
        first().header("X-CID: b@b").invite();
        scene.in(80);
        second().invite();

        assertThat(joined()).containsExactly("a@a+b@b");
    }

    @Test
    void doesNotTakeAPartOfACallIdForIt() {
        first().invite();
        scene.in(80);
        second().header("X-CID: a@a.test").invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
    }

    @Test
    void takesACallIdInInReplyToForACallBackUnlessItCameThatWay() {
        first().invite();
        scene.in(80);
        new SipLeg(scene, "b@b", TRUNK, PHONE).header("In-Reply-To: a@a").invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
    }

    @Test
    void joinsByBothUuidsOfASessionOrByOneWhileTheOtherIsNotKnown() {
        first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=00000000000000000000000000000000")
                .invite();
        scene.in(6000);
        second().from("x")
                .to("y")
                .header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=47755a9de7794ba387653f2099600ef2")
                .invite();

        assertThat(joined()).containsExactly("a@a+b@b");
        assertThat(join("b@b").reasons()).first().isEqualTo("same Session-ID (100)");
    }

    @Test
    void doesNotJoinSessionsOfWhichOneEndIsAnother() {
        first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=11111111111111111111111111111111")
                .invite();
        scene.in(80);
        second().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=47755a9de7794ba387653f2099600ef2")
                .invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
    }

    @Test
    void nilUuidsAreNone() {
        String nil = "Session-ID: 00000000000000000000000000000000;remote=00000000000000000000000000000000";
        first().header(nil).invite();
        scene.in(80);
        second().header(nil).invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
    }

    @Test
    void joinsByASuffixThatAB2buaPutsBehindACallId() {
        first().invite();
        scene.in(6000);
        new SipLeg(scene, "a@a_b2b-1", SWITCH, TRUNK).from("x").to("y").invite();
        scene.in(10);
        new SipLeg(scene, "a@a-2", SWITCH, TRUNK).from("x").to("y").invite();

        assertThat(joined()).containsExactly("a@a+a@a_b2b-1", "a@a-2");
    }

    @Test
    void aB2buaWithoutHeadersIsPossibleOnly() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg b = second().invite();
        run(a, b, true);

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("a@a")).containsExactly(105);
        assertThat(possible("b@b")).containsExactly(105);
    }

    @Test
    void aB2buaWithoutHeadersWhoseCallGoesOnIsPossibleWithLess() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg b = second().invite();
        run(a, b, false);

        assertThat(possible("b@b")).containsExactly(90);
    }

    @Test
    void aHiddenCallerAndAnotherCalledNumberAreStillPossible() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg b = second().from("anonymous").to("4930777").invite();
        run(a, b, true);

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("b@b")).containsExactly(70);
    }

    @Test
    void twoCallsOfTheSameUsersASecondApartAreNotJoined() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg b = second().invite();
        scene.in(300);
        SipLeg other = new SipLeg(scene, "c@a", "10.1.0.1:5062", SWITCH).invite();
        scene.in(80);
        SipLeg beyond = new SipLeg(scene, "d@b", "10.2.0.1:5080", TRUNK).invite();
        scene.in(1000);
        for (SipLeg leg : List.of(b, beyond, a, other)) {
            leg.answer();
        }
        scene.in(5000);
        for (SipLeg leg : List.of(a, other, b, beyond)) {
            leg.bye();
        }

        assertThat(joined()).containsExactly("a@a", "b@b", "c@a", "d@b");
        assertThat(possible("d@b")).as("both callers fit as well").isEmpty();
    }

    @Test
    void twoCallsAtATimeAreJoinedEachByItsOwnHeader() {
        first().invite();
        new SipLeg(scene, "c@a", "10.1.0.1:5062", SWITCH).invite();
        scene.in(80);
        new SipLeg(scene, "d@b", SWITCH, TRUNK).header("X-CID: a@a").invite();
        new SipLeg(scene, "b@b", SWITCH, TRUNK).header("X-CID: c@a").invite();

        assertThat(joined()).containsExactly("a@a+d@b", "c@a+b@b");
    }

    @Test
    void aLoadTestIsNotJoined() {
        for (int i = 0; i < 200; i++) {
            String offer = Sdp.audio("10.1.0.1", 6000);
            new SipLeg(scene, "in-" + i + "@a", PHONE, SWITCH)
                    .from("sipp")
                    .to("service")
                    .sdp(offer)
                    .invite();
            scene.in(5);
            new SipLeg(scene, "out-" + i + "@b", SWITCH, TRUNK)
                    .from("sipp")
                    .to("service")
                    .sdp(offer)
                    .invite();
            scene.in(5);
        }

        assertThat(scene.reports().calls())
                .hasSize(400)
                .allMatch(call -> call.dialogs().size() == 1);
        assertThat(scene.reports().calls())
                .allMatch(call -> call.joined().possibleJoins().size() <= 8);
    }

    @Test
    void aConferenceIsNotJoinedByAnIdentifierOfTheConference() {
        for (int i = 1; i <= 5; i++) {
            new SipLeg(scene, i + "@a", "10.1.0." + i + ":5060", SWITCH)
                    .from("90" + i)
                    .to("conference")
                    .header("Cisco-Guid: 1234567890-1-2-3")
                    .invite()
                    .answer();
            scene.in(6000);
        }

        assertThat(joined()).hasSize(5);
        assertThat(possible("2@a")).containsExactlyInAnyOrder(80, 80, 80, 80);
    }

    @Test
    void joinsByTheIdentifierOfAGroupOverAHop() {
        first().header("P-Charging-Vector: icid-value=\"1f-2\";icid-generated-at=a")
                .invite();
        scene.in(80);
        second().from("x")
                .to("y")
                .header("P-Charging-Vector: icid-value=1f-2;orig-ioi=b")
                .invite();

        assertThat(joined()).containsExactly("a@a+b@b");
        assertThat(join("b@b").score()).isEqualTo(120);
    }

    @Test
    void joinsMediaThatBypassesAB2buaByItsAddress() {
        first().from("x").to("y").sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(100);
        second().from("z").to("w").sdp(Sdp.audio("10.1.0.1", 4000)).invite();

        assertThat(joined()).containsExactly("a@a+b@b");
        assertThat(join("b@b").score()).isEqualTo(100);
    }

    /** As a generator of calls does, or a phone that always has the same port: the ports of signalling differ. */
    @Test
    void callsOfOneHostAreNotJoinedByItsOwnMediaAddress() {
        for (int i = 0; i < 2; i++) {
            new SipLeg(scene, i + "@a", "10.1.0.1:1000" + i, SWITCH)
                    .from("sipp")
                    .to("service")
                    .sdp(Sdp.audio("10.1.0.1", 6000))
                    .invite();
            scene.in(100);
        }
        assertThat(joined()).containsExactly("0@a", "1@a");
        assertThat(possible("0@a")).isEmpty();
    }

    @Test
    void mediaAtTheSameAddressWithoutTheHopIsPossible() {
        first().from("x").to("y").sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(100);
        new SipLeg(scene, "b@b", "10.2.0.9:5060", TRUNK)
                .from("z")
                .to("w")
                .sdp(Sdp.audio("10.1.0.1", 4000))
                .invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("b@b")).containsExactly(80);
    }

    @Test
    void anOriginWithoutANumberOfItsOwnTellsNothing() {
        String offer = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n";
        first().from("x").to("y").sdp(offer).invite();
        scene.in(6000);
        second().from("z").to("w").sdp(offer).invite();

        assertThat(possible("b@b")).isEmpty();
    }

    @Test
    void joinsByAnOriginThatNobodyElseHas() {
        String offer = "v=0\r\no=alice 38475629 1 IN IP4 10.1.0.1\r\ns=-\r\nt=0 0\r\n";
        first().from("x").to("y").sdp(offer).invite();
        scene.in(80);
        second().from("z").to("w").sdp(offer.replace(" 1 IN", " 2 IN")).invite();
        assertThat(joined()).containsExactly("a@a+b@b");

        scene.in(80);
        new SipLeg(scene, "c@c", "10.9.0.1:5060", "10.9.0.2:5060")
                .from("q")
                .to("r")
                .sdp(offer)
                .invite();
        assertThat(joined()).as("a third one has it").containsExactly("a@a", "b@b", "c@c");
    }

    @Test
    void joinsWhatOneSideAnsweredAndTheOtherIsOffered() {
        String offer = "v=0\r\no=alice 38475629 1 IN IP4 10.1.0.1\r\ns=-\r\nt=0 0\r\n";
        SipLeg a = new SipLeg(scene, "a@a", SWITCH, PHONE).from("x").to("y").invite();
        a.sdp(offer).respond(200);
        scene.in(80);
        new SipLeg(scene, "b@b", SWITCH, TRUNK).from("z").to("w").sdp(offer).invite();

        assertThat(possible("b@b")).containsExactly(80);
    }

    @Test
    void aCallerWhoGivesUpAndCallsAgainMakesTwoCalls() {
        SipLeg a = first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0")
                .invite();
        scene.in(1000);
        a.respond(487);
        scene.in(3000);
        second().header("X-CID: a@a")
                .header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0")
                .invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
    }

    @Test
    void aForwardedCallWithoutAProofIsPossible() {
        SipLeg a = first().invite();
        scene.in(200);
        SipLeg b = second().to("4930999")
                .header("Diversion: <sip:1002@b.test>;reason=no-answer")
                .invite();
        run(a, b, true);

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("b@b")).containsExactly(100);
    }

    @Test
    void anotherNameSpeaksAgainstEverything() {
        first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0").invite();
        scene.in(10);
        new SipLeg(scene, "c@c", "10.1.0.9:5060", SWITCH).invite();
        scene.in(80);
        second().header("X-CID: c@c")
                .header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0")
                .invite();

        assertThat(joined()).containsExactly("a@a", "c@c+b@b");
    }

    @Test
    void callsBetweenTheSameEndpointsAreNotLegsOfEachOtherWithoutAName() {
        first().header("Cisco-Guid: 7").sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(80);
        new SipLeg(scene, "b@b", PHONE, SWITCH)
                .header("Cisco-Guid: 7")
                .sdp(Sdp.audio("10.1.0.1", 4000))
                .invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("b@b")).isEmpty();
    }

    @Test
    void otherSessionsSpeakAgainstCoincidences() {
        first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0")
                .sdp(Sdp.audio("10.1.0.1", 4000))
                .invite();
        scene.in(80);
        second().header("Session-ID: 47755a9de7794ba387653f2099600ef2;remote=0")
                .sdp(Sdp.audio("10.1.0.1", 4000))
                .invite();

        assertThat(joined()).containsExactly("a@a", "b@b");
        assertThat(possible("b@b")).containsExactly(60);
    }

    @Test
    void aLegThatIsSeenBeforeItsParentIsJoinedByItsName() {
        second().header("X-CID: a@a").invite();
        scene.in(30);
        first().invite();

        assertThat(joined()).containsExactly("a@a+b@b");
    }

    @Test
    void aDialogIsALegOfTheHopBeforeItAndNotOfTheFirstOne() {
        first().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0").invite();
        scene.in(80);
        second().header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0").invite();
        scene.in(80);
        new SipLeg(scene, "c@c", TRUNK, "10.4.0.1:5060")
                .header("Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0")
                .invite();

        assertThat(joined()).containsExactly("a@a+b@b+c@c");
        assertThat(join("c@c").parentCallId()).isEqualTo("b@b");
    }

    @Test
    void forksOfAHuntGroupAreLegsOfOneCallWhoseOutcomeIsThatOfTheFirst() {
        SipLeg a = first().invite();
        scene.in(50);
        SipLeg busy =
                new SipLeg(scene, "b1@b", SWITCH, TRUNK).header("X-CID: a@a").invite();
        scene.in(10);
        SipLeg answers = new SipLeg(scene, "b2@b", SWITCH, "10.3.0.2:5060")
                .header("X-CID: a@a")
                .invite();
        busy.respond(486);
        scene.in(1000);
        answers.answer();
        a.answer();
        scene.in(3000);

        assertThat(joined()).containsExactly("a@a+b1@b+b2@b");
        CallReport call = scene.call("a@a");
        assertThat(call.outcome()).isEqualTo(Outcome.ONGOING);
        assertThat(call.dialogs())
                .extracting(CallReport.Dialog::role)
                .containsExactly(CallReport.Role.ROOT, CallReport.Role.FORK, CallReport.Role.FORK);
        assertThat(call.problems())
                .extracting(Problem::kind, Problem::problemClass, Problem::callId)
                .contains(tuple(Problem.Kind.BUSY, ProblemClass.NOTE, "b1@b"));
        assertThat(call.isBad()).isFalse();
    }

    @Test
    void aCallHasNoMoreThan32DialogsAndWhatIsBeyondIsCounted() {
        first().invite();
        for (int i = 0; i < 40; i++) {
            scene.in(10);
            new SipLeg(scene, "b" + i + "@b", SWITCH, "10.3.0." + i + ":5060")
                    .header("X-CID: a@a")
                    .invite();
        }

        CallReports reports = scene.reports();
        assertThat(reports.calls()).hasSize(1 + 9);
        assertThat(reports.calls().getFirst().dialogs()).hasSize(32);
        assertThat(reports.counters().get("joinsRefused"))
                .isNotNull()
                .satisfies(refused -> assertThat(refused.count()).isEqualTo(9));
    }

    @Test
    void aChainIsJoinedEightDeep() {
        for (int i = 0; i < 12; i++) {
            new SipLeg(scene, "c" + i, "10.5.0." + i + ":5060", "10.5.0." + (i + 1) + ":5060")
                    .header("X-CID: c" + (i - 1))
                    .invite();
            scene.in(100);
        }

        assertThat(joined())
                .hasSize(2)
                .first()
                .asString()
                .isEqualTo(String.join(
                        "+", IntStream.rangeClosed(0, 8).mapToObj(i -> "c" + i).toList()));
    }

    @Test
    void dialogsThatNameEachOtherInACircleAreOneCall() {
        new SipLeg(scene, "c0", "10.5.0.0:5060", "10.5.0.1:5060")
                .header("X-CID: c2")
                .invite();
        new SipLeg(scene, "c1", "10.5.0.1:5060", "10.5.0.2:5060")
                .header("X-CID: c0")
                .invite();
        new SipLeg(scene, "c2", "10.5.0.2:5060", "10.5.0.0:5060")
                .header("X-CID: c1")
                .invite();

        assertThat(scene.reports().calls()).hasSize(1);
    }

    @Test
    void streamsOfAllLegsBelongToTheCallAndNameTheirOwn() {
        SipLeg a = first().sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(80);
        SipLeg b =
                second().header("X-CID: a@a").sdp(Sdp.audio("10.2.0.1", 7000)).invite();
        b.sdp(Sdp.audio("10.3.0.1", 9000)).answer();
        a.sdp(Sdp.audio("10.2.0.1", 8000)).answer();
        scene.talk(1000, Flow.of("10.1.0.1:4000", "10.2.0.1:8000", 1), Flow.of("10.2.0.1:7000", "10.3.0.1:9000", 2));

        assertThat(scene.call("a@a").streams()).extracting(StreamReport::callId).containsExactly("a@a", "b@b");
    }

    @Test
    void aStreamThatTwoLegsAnnounceIsThatOfTheFirst() {
        SipLeg a = first().sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(80);
        SipLeg b = second().sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        b.sdp(Sdp.audio("10.3.0.1", 9000)).answer();
        a.sdp(Sdp.audio("10.3.0.1", 9000)).answer();
        scene.talk(1000, Flow.of("10.1.0.1:4000", "10.3.0.1:9000", 1));

        assertThat(scene.call("a@a").streams()).extracting(StreamReport::callId).containsExactly("a@a");
    }

    @Test
    void lossBehindTheB2buaIsAProblemOfTheCall() {
        SipLeg a = first().sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(80);
        SipLeg b =
                second().header("X-CID: a@a").sdp(Sdp.audio("10.2.0.1", 7000)).invite();
        b.sdp(Sdp.audio("10.3.0.1", 9000)).answer();
        a.sdp(Sdp.audio("10.2.0.1", 8000)).answer();
        scene.talk(
                5000,
                Flow.of("10.1.0.1:4000", "10.2.0.1:8000", 1),
                Flow.of("10.2.0.1:8000", "10.1.0.1:4000", 2),
                Flow.of("10.2.0.1:7000", "10.3.0.1:9000", 3).losing(10),
                Flow.of("10.3.0.1:9000", "10.2.0.1:7000", 4));

        CallReport call = scene.call("a@a");
        assertThat(call.isBad()).isTrue();
        assertThat(call.problems())
                .filteredOn(problem -> problem.kind() == Problem.Kind.LOSS)
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.callId()).isEqualTo("b@b");
                    assertThat(problem.problemClass()).isEqualTo(ProblemClass.SERVICE);
                });
    }

    @Test
    void silenceThatPassesThroughIsToldOnce() {
        SipLeg a = first().sdp(Sdp.audio("10.1.0.1", 4000)).invite();
        scene.in(80);
        SipLeg b =
                second().header("X-CID: a@a").sdp(Sdp.audio("10.2.0.1", 7000)).invite();
        b.sdp(Sdp.audio("10.3.0.1", 9000)).answer();
        a.sdp(Sdp.audio("10.2.0.1", 8000)).answer();
        scene.talk(5000, Flow.of("10.2.0.1:8000", "10.1.0.1:4000", 2), Flow.of("10.3.0.1:9000", "10.2.0.1:7000", 4));

        assertThat(scene.call("a@a").problems())
                .extracting(Problem::kind)
                .filteredOn(kind -> kind == Problem.Kind.ONE_WAY_AUDIO)
                .hasSize(1);
    }

    @Test
    void aLegThatWasCancelledSinceAnotherAnsweredIsCompletedElsewhere() {
        SipLeg a = first().invite();
        scene.in(50);
        SipLeg one =
                new SipLeg(scene, "b1@b", SWITCH, TRUNK).header("X-CID: a@a").invite();
        SipLeg two = new SipLeg(scene, "b2@b", SWITCH, "10.3.0.2:5060")
                .header("X-CID: a@a")
                .invite();
        scene.in(1000);
        two.answer();
        a.answer();
        one.respond(487);

        assertThat(scene.call("a@a").problems())
                .extracting(Problem::kind, Problem::problemClass, Problem::callId)
                .contains(tuple(Problem.Kind.COMPLETED_ELSEWHERE, ProblemClass.NOTE, "b1@b"));
    }

    @Test
    void joinsNothingWhereNotAskedTo() {
        CallAssembly assembly = new CallAssembly(
                1000, 1, 1, MediaOptions.DEFAULT, ProblemLimits.DEFAULT, JoinOptions.DEFAULT.withJoins(false), null);
        Scene own = new Scene(assembly);
        new SipLeg(own, "a@a", PHONE, SWITCH).invite();
        new SipLeg(own, "b@b", SWITCH, TRUNK).header("X-CID: a@a").invite();

        assertThat(own.reports().calls()).hasSize(2);
    }

    @Test
    void joinsByHeadersOfTheUser() {
        JoinOptions options =
                JoinOptions.DEFAULT.withCallIdHeaders(List.of("X-Our-Leg")).withGroupHeaders(List.of("X-Our-Group;id"));
        CallAssembly assembly =
                new CallAssembly(1000, 1, 1, MediaOptions.DEFAULT, ProblemLimits.DEFAULT, options, null);
        Scene own = new Scene(assembly);
        new SipLeg(own, "a@a", PHONE, SWITCH).header("X-Our-Group: x;ID=5").invite();
        new SipLeg(own, "b@b", SWITCH, TRUNK).header("x-our-leg: a@a").invite();
        new SipLeg(own, "c@c", SWITCH, "10.3.0.2:5060")
                .header("X-CID: x@x")
                .header("X-Our-Group: id=5")
                .invite();

        assertThat(own.reports().calls()).hasSize(1);
    }

    @Test
    void theLegThatWasAnsweredPickedUpTheOneThatWasCalledOffBecauseOfIt() {
        SipLeg a = first().invite();
        scene.in(80);
        SipLeg one = second().header("X-CID: a@a").invite();
        SipLeg two = new SipLeg(scene, "c@b", SWITCH, "10.3.0.2:5060")
                .header("X-CID: a@a")
                .invite();
        scene.in(1000);
        one.respond(180);
        two.respond(180);
        scene.in(1000);
        two.answer();
        a.answer();
        assertThat(pickups()).isEmpty();
        one.header("Reason: SIP;cause=200;text=\"Call completed elsewhere\"").cancel();
        one.respond(487);
        assertThat(pickups()).containsExactly("c@b");
    }

    private List<String> pickups() {
        return scene.call("a@a").joined().relations().stream()
                .filter(relation -> relation.kind() == CallReport.Relation.Kind.PICKED_UP_BY)
                .map(CallReport.Relation::callId)
                .toList();
    }
}
