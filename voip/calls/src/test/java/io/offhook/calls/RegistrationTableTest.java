package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.SipPacket;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.JoinOptions;
import io.offhook.calls.registration.KeptText;
import io.offhook.calls.registration.Registration;
import io.offhook.calls.registration.RegistrationTable;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrationTableTest {
    private static final Endpoint PHONE = Addresses.v4("10.1.0.1:5060");
    private static final Endpoint REGISTRAR = Addresses.v4("10.1.0.9:5060");

    private final Scene scene = new Scene();

    private static String headers(String callId, String user, int cseq) {
        return "From: <sip:" + user + "@a.test>;tag=f\r\nTo: <sip:" + user + "@a.test>\r\nCall-ID: " + callId
                + "\r\nCSeq: " + cseq + " REGISTER\r\n";
    }

    private void register(String callId, String user, int cseq, String more) {
        scene.sip(PHONE, REGISTRAR, "REGISTER sip:a.test SIP/2.0\r\n" + headers(callId, user, cseq) + more + "\r\n");
    }

    private void respond(String callId, String user, int cseq, int status, String more) {
        scene.sip(REGISTRAR, PHONE, "SIP/2.0 " + status + " Text\r\n" + headers(callId, user, cseq) + more + "\r\n");
    }

    private Registration only() {
        assertThat(scene.reports().registrations()).hasSize(1);
        return scene.reports().registrations().getFirst();
    }

    @Test
    void followsAChallengeToTheEnd() {
        register("r@test", "alice", 1, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 3600\r\nUser-Agent: Phone 7\r\n");
        scene.in(10);
        respond("r@test", "alice", 1, 401, "");
        scene.in(10);
        register("r@test", "alice", 2, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 3600\r\n");
        respond("r@test", "alice", 2, 100, "");
        assertThat(only().finalStatus()).isZero();
        assertThat(only().challenged()).isTrue();
        scene.in(10);
        respond("r@test", "alice", 2, 200, "Expires: 600\r\n");
        assertThat(only())
                .isEqualTo(new Registration(
                        new Registration.Origin(
                                "r@test", "sip:alice@a.test", "alice", PHONE, REGISTRAR, 1, Scene.START_NS),
                        "sip:alice@10.1.0.1",
                        "Phone 7",
                        new Registration.Standing(Scene.START_NS + 30 * Scene.MS, 2, 600, 200, true),
                        Scene.START_NS + 30 * Scene.MS + 600 * Scene.SECOND,
                        CallReport.NEVER,
                        new Registration.Exchange(
                                false,
                                false,
                                false,
                                0,
                                CallReport.NEVER,
                                Scene.START_NS + 30 * Scene.MS,
                                CallReport.NEVER,
                                Double.NaN)));
        assertThat(scene.reports().calls()).isEmpty();
    }

    @Test
    void isUnansweredWhereNobodyAnswersTheRequestWithCredentials() {
        register("r@test", "alice", 1, "");
        respond("r@test", "alice", 1, 401, "");
        assertThat(only().finalStatus()).isEqualTo(401);
        register("r@test", "alice", 2, "");
        assertThat(only().finalStatus()).isZero();
        assertThat(only().challenged()).isTrue();
        // once more, as seen behind a proxy, and late
        respond("r@test", "alice", 1, 401, "Server: late\r\n");
        assertThat(only().finalStatus()).isZero();
    }

    @Test
    void keepsTheChallengeOfARequestThatAProxyPassesOn() {
        register("r@test", "alice", 1, "");
        respond("r@test", "alice", 1, 401, "");
        register("r@test", "alice", 1, "Via: SIP/2.0/UDP proxy\r\n");
        assertThat(only().finalStatus()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // asked for | granted | is
                "Contact: <sip:a@h>;expires=60 | Contact: <sip:a@h>;expires=30 | 30",
                "Contact: <sip:a@h>;expires=60 | Contact: <sip:a@h> | 60",
                "Contact: <sip:a@h>\\Expires: 90 | Contact: <sip:a@h>;EXPIRES=45\\Expires: 90 | 45",
                "Contact: <sip:a@h>;expires=60 | Contact: <sip:b@h>;expires=999, <sip:a@h>;expires=50 | 50",
                "Contact: <sip:a@h>;expires=60 | m: <sip:b@h>;expires=999\\m: <sip:a@h>;expires=50 | 50",
                "Contact: <sip:a@h>;expires=60 | Contact: <sip:a@nat.test>;expires=20 | 20",
                "Contact: <sip:a@h>;expires=0 | Contact: <sip:b@h>;expires=999 | 0",
                "Contact: <sip:a@h>;expires=0 | Expires: 3600 | 0",
                "Contact: *\\Expires: 0 | Server: x | 0",
                "Contact: <sip:old@h>;expires=0, <sip:a@h>;expires=60 | Contact: <sip:a@h>;expires=55 | 55",
                "Contact: <sip:a@h>;expires=soon\\Expires: 70 | Server: x | 70",
                "Contact: <sip:a@h>;expires=99999999999 | Server: x | -1",
                "Contact: <sip:a@h>;expires=60 | Server: x | 60"
            })
    void readsExpiryOfTheContactBeforeThatOfTheMessage(String asked, String granted, long seconds) {
        register("r@test", "alice", 1, asked.replace("\\", "\r\n") + "\r\n");
        respond("r@test", "alice", 1, 200, granted.replace("\\", "\r\n") + "\r\n");
        assertThat(only().expiresSeconds()).isEqualTo(seconds);
    }

    @Test
    void keepsTheContactThatIsRemovedWithAllOthers() {
        register("r@test", "alice", 1, "Contact: <sip:old@h>;expires=0, <sip:a@h>;expires=60\r\n");
        assertThat(only().contact()).isEqualTo("sip:a@h");
        register("r@test", "alice", 2, "Contact: *\r\nExpires: 0\r\n");
        assertThat(only().contact()).isEqualTo("sip:a@h");
        assertThat(only().expiresSeconds()).isZero();
    }

    @Test
    void doesNotCountRetransmissions() {
        register("r@test", "alice", 1, "");
        scene.in(500);
        register("r@test", "alice", 1, "");
        assertThat(only().requests()).isEqualTo(1);
        assertThat(only().finalStatus()).isZero();
        assertThat(only().challenged()).isFalse();
        assertThat(only().expiresSeconds()).isEqualTo(-1);
        assertThat(only().contact()).isNull();
    }

    @Test
    void knowsWhoRegistersByTheResponseAlone() {
        respond("r@test", "alice", 1, 403, "");
        assertThat(only().client()).isEqualTo(PHONE);
        assertThat(only().registrar()).isEqualTo(REGISTRAR);
        assertThat(only().requests()).isZero();
        assertThat(only().finalStatus()).isEqualTo(403);
    }

    @Test
    void keepsAddressesOfOneCallIdApart() {
        register("r@test", "alice", 1, "");
        register("r@test", "bob", 2, "");
        register("s@test", "alice", 1, "");
        assertThat(scene.reports().registrations())
                .extracting(Registration::user)
                .containsExactly("alice", "bob", "alice");
    }

    @Test
    void letsTheOldestGoWhenThereIsNoRoom() {
        RegistrationTable table = new RegistrationTable(2);
        CallTable calls = new CallTable(
                new JoinHeaders(JoinOptions.DEFAULT), (message, packet, copy) -> table.accept(message, packet), 8, 8);
        for (String user : new String[] {"a", "b", "a", "c"}) {
            String text = "REGISTER sip:a.test SIP/2.0\r\n" + headers("r@test", user, 1) + "\r\n";
            calls.accept(Scene.packet(text, Scene.START_NS, 1, PHONE, REGISTRAR, 1));
        }
        assertThat(table.registrations()).extracting(Registration::user).containsExactly("b", "c");
        assertThat(table.evicted().count()).isEqualTo(1);
    }

    @Test
    void keepsNoMoreTextThanItHasRoomFor() {
        RegistrationTable table = new RegistrationTable(2);
        String agent = "a".repeat(9000);
        for (String id : List.of("x", "y", "z")) {
            String text = "REGISTER sip:a.test SIP/2.0\r\n" + headers(id.repeat(400), "alice", 1) + "User-Agent: "
                    + agent + "\r\nContact: <sip:alice@10.1.0.1>\r\n\r\n";
            SipPacket packet = Scene.packet(text, 1, 7, PHONE, REGISTRAR, 1);
            SipMessageView view = new SipMessageView();
            view.wrap(packet.segment(), 0, packet.length());
            table.accept(view, packet);
        }
        assertThat(table.registrations()).hasSize(1);
        assertThat(table.registrations().getFirst().callId()).isEqualTo("z".repeat(400));
        assertThat(table.registrations().getFirst().userAgent()).hasSize(KeptText.LIMIT);
        assertThat(table.evicted().count()).isEqualTo(2);
    }

    @Test
    void hasExpiredWhereNobodyAnswersItsRefreshes() {
        register("r@test", "alice", 1, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        respond("r@test", "alice", 1, 200, "Contact: <sip:alice@10.1.0.1>;expires=60\r\n");
        scene.in(50_000);
        assertThat(isExpired()).isFalse();
        register("r@test", "alice", 2, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 3600\r\n");
        scene.in(9000);
        assertThat(isExpired()).isFalse();
        scene.in(2000);
        assertThat(isExpired()).isTrue();
        respond("r@test", "alice", 2, 200, "Contact: <sip:alice@10.1.0.1>;expires=60\r\n");
        assertThat(isExpired()).isFalse();
    }

    /** The client may have gone, or refresh it by another way. */
    @Test
    void hasNotExpiredWhereNobodyRefreshesIt() {
        register("r@test", "alice", 1, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        respond("r@test", "alice", 1, 200, "Expires: 60\r\n");
        scene.in(500_000);
        assertThat(isExpired()).isFalse();
    }

    private boolean isExpired() {
        return only().isExpired(scene.nowNs());
    }

    private static final String CREDENTIALS = "Authorization: Digest username=\"alice\", response=\"0123\"\r\n";

    private List<String> problems() {
        return RegistrationProblems.of(only(), scene.nowNs()).stream()
                .map(problem ->
                        problem.problemClass().label() + " " + problem.kind().label())
                .toList();
    }

    private void challenged() {
        register("r@test", "alice", 1, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        scene.in(10);
        respond("r@test", "alice", 1, 401, "WWW-Authenticate: Digest nonce=\"1\"\r\n");
        scene.in(10);
    }

    @ParameterizedTest
    @CsvSource({"401, true", "403, true", "503, true", "200, false", "302, false"})
    void isServiceWhereCredentialsAreRefused(int status, boolean isBad) {
        challenged();
        register("r@test", "alice", 2, CREDENTIALS);
        respond("r@test", "alice", 2, status, "");

        if (isBad) {
            assertThat(problems()).containsExactly("service rejected");
            assertThat(RegistrationProblems.of(only(), scene.nowNs()).getFirst().status())
                    .isEqualTo(status);
            assertThat(only().isRejected()).isTrue();
        } else {
            assertThat(problems()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"403, note rejected", "503, service rejected"})
    void aRefusalWithoutCredentialsIsServiceOnlyWhereTheServerFails(int status, String problem) {
        register("r@test", "alice", 1, "");
        respond("r@test", "alice", 1, status, "");

        assertThat(problems()).containsExactly(problem);
    }

    @Test
    void aChallengeIsANoteOnceNothingFollowedFor32Seconds() {
        challenged();
        scene.in(31_980);
        assertThat(problems()).isEmpty();
        scene.in(20);
        assertThat(problems()).containsExactly("note challenged");
        assertThat(only().isRejected()).isFalse();
    }

    @Test
    void anEmptyResponseOrAnOldNonceAreNoRefusedCredentials() {
        register("r@test", "alice", 1, "Authorization: Digest username=\"a@ims\", nonce=\"\", response=\"\"\r\n");
        respond("r@test", "alice", 1, 401, "WWW-Authenticate: Digest nonce=\"1\"\r\n");
        assertThat(problems()).isEmpty();
        assertThat(only().isRejected()).isFalse();
        register("r@test", "alice", 2, CREDENTIALS);
        respond("r@test", "alice", 2, 401, "WWW-Authenticate: Digest nonce=\"2\", stale = TRUE\r\n");
        assertThat(problems()).isEmpty();
        assertThat(only().isRejected()).isFalse();
    }

    @Test
    void anIntervalThatIsAskedForAgainIsNoRefusal() {
        register("r@test", "alice", 1, "Expires: 10\r\n");
        respond("r@test", "alice", 1, 423, "Min-Expires: 60\r\n");
        assertThat(only().isRejected()).isTrue();
        register("r@test", "alice", 2, "Expires: 60\r\n");
        assertThat(problems()).isEmpty();
        respond("r@test", "alice", 2, 200, "");
        assertThat(problems()).isEmpty();
    }

    @Test
    void noResponseIsServiceIfTheRequestWasSentAgain() {
        register("r@test", "alice", 1, "");
        scene.in(31_999);
        assertThat(problems()).isEmpty();
        scene.in(1);
        assertThat(problems()).as("the response may not have been captured").containsExactly("note noResponse");
        register("r@test", "alice", 1, "");
        assertThat(problems()).containsExactly("service noResponse");
        assertThat(RegistrationProblems.of(only(), scene.nowNs()).getFirst().count())
                .isEqualTo(2);
        assertThat(RegistrationProblems.of(only(), scene.nowNs()).getFirst().seconds())
                .isEqualTo(32);
    }

    @Test
    void newAttemptsDoNotHideThatNobodyAnswers() {
        for (int cseq = 1; cseq < 4; cseq++) {
            register("r@test", "alice", cseq, "");
            scene.in(20_000);
        }
        assertThat(problems()).containsExactly("service noResponse");
        respond("r@test", "alice", 3, 200, "");
        assertThat(problems()).isEmpty();
    }

    @Test
    void aBindingThatRanOutBeforeItWasRefreshedIsANote() {
        register("r@test", "alice", 1, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        respond("r@test", "alice", 1, 200, "Expires: 60\r\n");
        scene.in(60_900);
        register("r@test", "alice", 2, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        respond("r@test", "alice", 2, 200, "Expires: 60\r\n");
        assertThat(problems()).as("refreshed in the moment when it ran out").isEmpty();
        scene.in(75_000);
        register("r@test", "alice", 3, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        respond("r@test", "alice", 3, 200, "Expires: 60\r\n");
        assertThat(problems()).containsExactly("note expired");
        assertThat(RegistrationProblems.of(only(), scene.nowNs()).getFirst().seconds())
                .isEqualTo(15);
        scene.in(50_000);
        register("r@test", "alice", 4, "Contact: <sip:alice@10.1.0.1>\r\nExpires: 60\r\n");
        scene.in(40_000);
        assertThat(problems()).containsExactly("note noResponse", "note expired");
    }
}
