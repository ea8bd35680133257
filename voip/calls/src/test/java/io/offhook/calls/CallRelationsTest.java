package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What became of calls: a transferor at 10.1.0.1, a transferee at 10.1.0.2, a target at 10.1.0.3. */
final class CallRelationsTest {
    private static final String TRANSFEROR = "10.1.0.1:5060";
    private static final String TRANSFEREE = "10.1.0.2:5060";
    private static final String TARGET = "10.1.0.3:5060";

    private final Scene scene = new Scene();
    private final SipLeg first = new SipLeg(scene, "a@a", TRANSFEROR, TRANSFEREE);
    private final SipLeg next =
            new SipLeg(scene, "n@n", TRANSFEREE, TARGET).from("1002").to("1003");

    private void refer(String target) {
        scene.in(5000);
        first.header("Refer-To: <" + target + ">")
                .header("Referred-By: <sip:1001@a.test>")
                .request("REFER");
        first.accept("REFER");
        scene.in(200);
    }

    private List<String> relations(String callId) {
        return scene.call(callId).joined().relations().stream()
                .map(relation -> relation.kind().label() + " " + relation.callId())
                .toList();
    }

    @Test
    void aBlindTransferIsTwoCallsOfWhichTheFirstNamesTheSecond() {
        first.invite().answer();
        refer("sip:1003@c.test");
        next.header("Referred-By: <sip:1001@a.test>").invite().answer();

        assertThat(scene.reports().calls()).hasSize(2);
        assertThat(relations("a@a")).containsExactly("transferredTo n@n");
        assertThat(relations("n@n")).isEmpty();
        assertThat(scene.call("a@a").joined().relations().getFirst().atNs())
                .isEqualTo(Scene.START_NS + 5000 * Scene.MS);
    }

    @Test
    void aBlindTransferIsShownByTheStatusThatNotifyReports() {
        first.invite().answer();
        refer("sip:1003@c.test");
        next.invite().respond(486);
        first.back("NOTIFY", "message/sipfrag", "SIP/2.0 486 Busy Here\r\n");

        assertThat(relations("a@a")).containsExactly("transferredTo n@n");
    }

    @Test
    void anInviteToTheTargetByItselfIsNoTransfer() {
        first.invite().answer();
        refer("sip:1003@c.test");
        next.invite().answer();

        assertThat(relations("a@a")).as("neither Referred-By nor NOTIFY").isEmpty();
    }

    @Test
    void aReferThatIsRefusedTransfersNothing() {
        first.invite().answer();
        first.header("Refer-To: <sip:1003@c.test>").request("REFER");
        next.header("Referred-By: <sip:1001@a.test>").invite().answer();

        assertThat(relations("a@a")).isEmpty();
    }

    @Test
    void anInviteOfSomebodyElseToTheTargetIsNoTransfer() {
        first.invite().answer();
        refer("sip:1003@c.test");
        new SipLeg(scene, "x@x", "10.1.0.9:5060", TARGET)
                .to("1003")
                .header("Referred-By: <sip:1001@a.test>")
                .invite();

        assertThat(relations("a@a")).isEmpty();
    }

    @Test
    void anInviteAfterMoreThan32SecondsIsNoTransfer() {
        first.invite().answer();
        refer("sip:1003@c.test");
        scene.in(32_000);
        next.header("Referred-By: <sip:1001@a.test>").invite();

        assertThat(relations("a@a")).isEmpty();
    }

    @Test
    void anAttendedTransferReplacesTheConsultation() {
        first.invite().answer();
        scene.in(3000);
        new SipLeg(scene, "c@c", TRANSFEROR, TARGET).to("1003").invite().answer();
        refer("sip:1003@c.test?Replaces=c%40c%3Bto-tag%3Dtc%40c%3Bfrom-tag%3Dfc%40c");
        next.header("Replaces: c@c;to-tag=tc@c;from-tag=fc@c").invite().answer();

        assertThat(scene.reports().calls()).hasSize(3);
        assertThat(relations("a@a")).containsExactly("transferredTo n@n");
        assertThat(relations("c@c")).containsExactly("replacedBy n@n");
    }

    @Test
    void replacesWithOtherTagsIsOfAnotherDialog() {
        new SipLeg(scene, "c@c", TRANSFEROR, TARGET).to("1003").invite().answer();
        next.header("Replaces: c@c;to-tag=other;from-tag=fc@c").invite().answer();

        assertThat(relations("c@c")).isEmpty();
    }

    @Test
    void aCallIsPickedUpWhileItRings() {
        new SipLeg(scene, "c@c", TRANSFEROR, TARGET).to("1003").invite().respond(180);
        scene.in(2000);
        next.to("1001")
                .header("Replaces: c@c;to-tag=tc@c;from-tag=fc@c;early-only")
                .invite()
                .answer();

        assertThat(relations("c@c")).containsExactly("pickedUpBy n@n");
    }

    @Test
    void severalLegsOfADialogAreForks() {
        first.invite();
        scene.in(50);
        new SipLeg(scene, "f1@f", TRANSFEREE, TARGET).header("X-CID: a@a").invite();
        new SipLeg(scene, "f2@f", TRANSFEREE, "10.1.0.4:5060")
                .header("X-CID: a@a")
                .invite();

        assertThat(relations("a@a")).containsExactly("forkedTo f1@f", "forkedTo f2@f");
    }
}
