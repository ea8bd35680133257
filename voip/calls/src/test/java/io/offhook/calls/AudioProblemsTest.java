package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.join.JoinOptions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Audio that starts late, pauses or stops, and what is none of that: docs/CALL-QUALITY.md, section 4. */
class AudioProblemsTest {
    private static final String OFFER = Sdp.audio("10.1.0.1", 4000);
    private static final String ANSWER = Sdp.audio("10.1.0.2", 5000);
    private static final Flow FORTH = Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 0xa);
    private static final Flow BACK = Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 0xb);

    private final Scene scene = new Scene();
    private final Dialog dialog = new Dialog(scene);

    private List<String> problems() {
        return Found.in(scene.call("one@test"));
    }

    private Problem problem() {
        assertThat(scene.call("one@test").problems()).hasSize(1);
        return scene.call("one@test").problems().getFirst();
    }

    private AudioCause cause() {
        if (problem().cause() instanceof Problem.Cause.Audio audio) {
            return audio.cause();
        }
        throw new AssertionError("no cause: " + problem());
    }

    @Test
    void reportsThatAudioStoppedLongBeforeTheEnd() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.talk(55_000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service callee 55.0");
        assertThat(cause()).isEqualTo(AudioCause.STOPPED);
        assertThat(problem().atNs()).isEqualTo(Scene.START_NS + (300 + 4980) * Scene.MS);
    }

    @Test
    void reportsThatAudioStoppedBeforeTheCaptureEnds() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.talk(6000, FORTH);
        assertThat(problems()).containsExactly("audioStopped service callee 6.0");
    }

    @Test
    void saysNothingOfAudioThatStopsThreeSecondsBeforeTheBye() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.talk(3000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void tellsBothSidesThatStopTogetherAsOne() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.in(30_000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service both 30.0");
    }

    @Test
    void theTimeForWhichAudioIsDueBeforeItsLackIsAProblemCanBeSet() {
        assertThat(problemsOfThreeSecondsWithout(2)).containsExactly("oneWayAudio service callee");
        assertThat(problemsOfThreeSecondsWithout(4)).isEmpty();
    }

    private static List<String> problemsOfThreeSecondsWithout(double dueSeconds) {
        ProblemLimits usual = ProblemLimits.DEFAULT;
        ProblemLimits limits = new ProblemLimits(
                usual.lossPercent(),
                usual.latePercent(),
                usual.mos(),
                usual.jitterMs(),
                usual.signalling(),
                new ProblemLimits.Audio(
                        dueSeconds,
                        usual.audio().lateSeconds(),
                        usual.audio().gapSeconds(),
                        usual.audio().stoppedSeconds()),
                usual.relay());
        Scene scene = new Scene(
                new CallAssembly(1000, 1, 1, MediaOptions.DEFAULT, limits, JoinOptions.DEFAULT, (_, _, _) -> {}));
        Dialog dialog = new Dialog(scene);
        dialog.answered(OFFER, ANSWER);
        scene.talk(3000, FORTH);
        dialog.bye(Side.CALLER);
        return Found.in(scene.call("one@test"));
    }

    @Test
    void reportsThatAudioBeganLate() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH);
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStartedLate service callee 4.1");
    }

    @Test
    void takesAudioThatBeganTwoSecondsLateForANote() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(3200, FORTH);
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStartedLate note callee 2.3");
    }

    @Test
    void saysNothingOfEarlyMediaThatGoesOnAfterAWhile() {
        dialog.invite(OFFER).response(Side.CALLEE, 183, 1, "INVITE", ANSWER);
        scene.talk(3000, BACK);
        dialog.response(Side.CALLEE, 200, 1, "INVITE", ANSWER).ack();
        scene.in(400);
        scene.pause(BACK, 20).talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void reportsAGapWithItsTimeAndWhetherPacketsWereLostInIt() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        scene.skip(BACK, 300).talk(6000, FORTH);
        scene.talk(4000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        List<Problem> found = scene.call("one@test").problems();
        assertThat(found).extracting(Problem::kind).contains(Problem.Kind.AUDIO_GAP);
        Problem gap = found.stream()
                .filter(problem -> problem.kind() == Problem.Kind.AUDIO_GAP)
                .findFirst()
                .orElseThrow();
        assertThat(gap.cause()).isEqualTo(new Problem.Cause.Audio(AudioCause.LOST));
        assertThat(gap.problemClass()).isEqualTo(ProblemClass.SERVICE);
        assertThat(gap.count()).isEqualTo(300);
        assertThat(gap.seconds()).isEqualTo(6.02);
    }

    @Test
    void takesAPauseInWhichNumbersAndClockGoOnForSuppressedSilence() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        scene.pause(BACK, 200).talk(4000, FORTH);
        scene.talk(4000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void countsPausesBeyondThoseThatAreKept() {
        dialog.answered(OFFER, ANSWER);
        for (int i = 0; i < 260; i++) {
            scene.talk(20, BACK);
            scene.in(3000);
        }
        assertThat(scene.reports().counters())
                .hasEntrySatisfying(
                        "audioPausesDropped", count -> assertThat(count.count()).isEqualTo(3));
    }

    @Test
    void takesAPauseWithTheClockStandingForANote() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        scene.talk(20_000, FORTH);
        scene.talk(4000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioGap note callee 20.0");
        assertThat(cause()).isEqualTo(AudioCause.SUPPRESSED);
    }

    /** No timestamp knows of the hour. */
    @Test
    void takesAPauseOfAllStreamsForTheClockOfTheCaptureThatWasSet() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH, BACK);
        scene.in(3_600_000);
        mediaElsewhere(); // another call that begins just then explains nothing
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
        assertThat(clockSteps()).isEqualTo(1);
    }

    @Test
    void takesAPauseWithNumbersThatAreMissingForTheClockToo() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH, BACK);
        scene.skip(FORTH, 150).skip(BACK, 150).in(3_600_000 + 150 * 20);
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(clockSteps()).isEqualTo(1);
    }

    @Test
    void takesAPauseInWhichAnyPacketCameForNoStepOfTheClock() {
        dialog.answered(OFFER, ANSWER);
        Flow other = Flow.of("10.3.0.1:4000", "10.3.0.2:5000", 0xe);
        scene.talk(10_000, FORTH, BACK, other);
        scene.talk(10_000, other);
        scene.talk(10_000, FORTH, BACK, other);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactlyInAnyOrder("audioGap note caller 10.0", "audioGap note callee 10.0");
        assertThat(clockSteps()).isZero();
    }

    @Test
    void takesAPauseOfWhatOneHostSendsForNoStepOfTheClock() {
        dialog.answered(OFFER, ANSWER);
        Flow other = Flow.of("10.1.0.2:5002", "10.3.0.2:5000", 0xe);
        scene.talk(2000, FORTH, BACK, other);
        scene.talk(10_000, BACK, other).in(10_000);
        scene.talk(10_000, BACK, other);
        dialog.bye(Side.CALLER);
        assertThat(clockSteps()).isZero();
        assertThat(problems()).contains("audioGap note callee 10.0");
    }

    @Test
    void takesAnOutageForNoStepOfTheClock() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH, BACK);
        scene.skip(FORTH, 500).skip(BACK, 500).in(10_000);
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(clockSteps()).isZero();
        assertThat(problems()).contains("audioGap service caller 10.0", "audioGap service callee 10.0");
    }

    @Test
    void takesAHoldOfBothSidesForNoStepOfTheClock() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH, BACK);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio("10.1.0.1", 4000, "a=inactive"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 5000, "a=inactive"));
        scene.in(20_000);
        dialog.request(Side.CALLER, "INVITE", 3, true, OFFER).response(Side.CALLEE, 200, 3, "INVITE", ANSWER);
        scene.talk(10_000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(clockSteps()).isZero();
        assertThat(problems()).isEmpty();
    }

    private long clockSteps() {
        return Objects.requireNonNull(scene.reports().counters().get("clockSteps"))
                .count();
    }

    /** The same, but RTCP shows that nothing was sent. */
    @Test
    void knowsAMutedSideByItsSenderReports() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH);
            senderReport(0xb, 200);
        }
        scene.skip(BACK, 1000).talk(4000, FORTH, BACK);
        dialog.bye(Side.CALLER);
        assertThat(scene.call("one@test").problems())
                .filteredOn(problem ->
                        problem.kind() == Problem.Kind.AUDIO_STOPPED || problem.kind() == Problem.Kind.AUDIO_GAP)
                .extracting(Problem::cause)
                .containsExactly(new Problem.Cause.Audio(AudioCause.LOST));
    }

    @Test
    void takesASideThatReportsToHaveSentNothingForMuted() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH);
            senderReport(0xb, 200);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped note callee 20.0");
        assertThat(cause()).isEqualTo(AudioCause.SILENT);
    }

    @Test
    void knowsPacketsThatWereLostBeforeTheCaptureByTheReportsOfTheirSender() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH);
            senderReport(0xb, 200 + 250 * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service callee 20.0");
        assertThat(cause()).isEqualTo(AudioCause.LOST_BEFORE_CAPTURE);
    }

    @Test
    void blamesTheCaptureWhereTheReceiverReportsThatItGotThePackets() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(4000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH);
            receiverReport(0xa, 0xb, 200 + 250 * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("captureLoss note callee 20.0");
    }

    @Test
    void blamesTheCaptureWhereTheStreamsOfThreeCallsEndAtOnce() {
        dialog.answered(OFFER, ANSWER);
        Flow[] flows = new Flow[6];
        flows[0] = FORTH;
        flows[1] = BACK;
        for (int i = 1; i < 3; i++) {
            String a = "10.2." + i + ".1";
            String b = "10.2." + i + ".2";
            new Dialog(scene, "call" + i, Addresses.v4(a + ":5060"), Addresses.v4(b + ":5060"))
                    .answered(Sdp.audio(a, 4000), Sdp.audio(b, 5000));
            flows[2 * i] = Flow.of(a + ":4000", b + ":5000", 10 + i);
            flows[2 * i + 1] = Flow.of(b + ":5000", a + ":4000", 20 + i);
        }
        scene.talk(5000, flows);
        scene.in(20_000);
        dialog.bye(Side.CALLER);
        assertThat(scene.call("one@test").problems())
                .isNotEmpty()
                .allMatch(problem -> problem.kind() == Problem.Kind.CAPTURE_LOSS);
    }

    @Test
    void saysNothingOfATransferredCall() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        dialog.accepted(Side.CALLEE, "REFER", 3, "", "");
        scene.talk(10_000, BACK);
        dialog.bye(Side.CALLEE);
        assertThat(problems()).isEmpty();
    }

    @Test
    void takesMusicFromAnotherSourceForAudioOfTheSide() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.talk(20_000, FORTH, Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 0xc));
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfAPauseOnHoldAndReportsSilenceAfterItsEnd() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(10_000, FORTH, BACK);
        dialog.request(Side.CALLER, "INVITE", 2, true, Sdp.audio("10.1.0.1", 4000, "a=sendonly"))
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 5000, "a=recvonly"));
        scene.talk(5000, FORTH);
        dialog.request(Side.CALLER, "INVITE", 3, true, OFFER).response(Side.CALLEE, 200, 3, "INVITE", ANSWER);
        scene.talk(8000, FORTH);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service callee 7.0");
    }

    @Test
    void takesAnEmptyKeepAliveForNoAudio() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(9000, FORTH, BACK.empty());
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("oneWayAudio service callee");
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void saysNothingOfTheAudioOfASideOfWhichNothingWasCaptured(Side captured) {
        if (captured == Side.CALLER) {
            dialog.invite(OFFER).ack();
        } else {
            dialog.response(Side.CALLEE, 180, 1, "INVITE", "").response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        }
        scene.talk(9000, captured == Side.CALLER ? FORTH : BACK);
        dialog.request(captured, "BYE", 7, true, "");
        assertThat(problems()).containsExactly("oneDirection note");
    }

    @Test
    void missesTheAudioOfTheSideThatWasCaptured() {
        dialog.response(Side.CALLEE, 180, 1, "INVITE", "").response(Side.CALLEE, 200, 1, "INVITE", ANSWER);
        scene.talk(5000, BACK);
        scene.in(9000);
        dialog.request(Side.CALLEE, "BYE", 7, true, "");
        assertThat(problems()).containsExactly("audioStopped service callee 9.0", "oneDirection note");
    }

    /** RFC 3264, 6: a stream that the answer refuses has port 0. */
    @Test
    void saysNothingOfAudioThatTheAnswerRefused() {
        mediaElsewhere();
        dialog.answered(OFFER, Sdp.audio("10.1.0.2", 0));
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysNothingOfAudioFromWhenOneSideRefusedIt() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        dialog.request(Side.CALLER, "INVITE", 2, true, OFFER)
                .response(Side.CALLEE, 200, 2, "INVITE", Sdp.audio("10.1.0.2", 0));
        scene.in(20_000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    /** Offered as SRTP and as RTP, which was accepted. */
    @Test
    void missesAudioOfWhichOneOfTwoLinesWasRefused() {
        mediaElsewhere();
        dialog.answered(
                OFFER.replace("m=audio", "m=audio 4002 RTP/SAVP 0\r\nm=audio"),
                ANSWER.replace("m=audio", "m=audio 0 RTP/SAVP 0\r\nm=audio"));
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("noAudio service");
    }

    /** Of the packets of a muted endpoint, nothing is left but the tag; an offer may list suites with tags of both lengths. */
    @ParameterizedTest
    @CsvSource({
        "80, 80, 10, true",
        "80, 80, 11, false",
        "80 32, 32, 4, true",
        "80 32, 32, 5, false",
        "80 32, 80, 10, true",
        "'', '', 10, true",
        "'', '', 11, false"
    })
    void takesAnSrtpPayloadNoLongerThanItsTagForNoAudio(String offered, String answered, int octets, boolean isEmpty) {
        dialog.answered(encrypted("10.1.0.1", 4000, offered), encrypted("10.1.0.2", 5000, answered));
        scene.talk(9000, FORTH, BACK.length(octets));
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEqualTo(isEmpty ? List.of("oneWayAudio service callee") : List.of());
    }

    @Test
    void knowsWhenSrtpStopsToCarryAnythingButItsTags() {
        dialog.answered(encrypted("10.1.0.1", 4000, "80 32"), encrypted("10.1.0.2", 5000, "80"));
        scene.talk(5000, FORTH, BACK);
        scene.talk(20_000, FORTH, BACK.length(10).ahead(250));
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service callee 20.0");
        assertThat(problem().atNs()).isEqualTo(Scene.START_NS + (300 + 4980) * Scene.MS);
    }

    /** The sides may yet agree on a shorter tag, with which such packets carry silence descriptors. */
    @Test
    void takesEarlySrtpForAudioWhileTheLengthOfItsTagIsOpen() {
        dialog.request(Side.CALLER, "INVITE", 1, false, encrypted("10.1.0.1", 4000, "80 32"));
        scene.talk(3000, BACK.length(10));
        dialog.response(Side.CALLEE, 200, 1, "INVITE", encrypted("10.1.0.2", 5000, "32"))
                .ack();
        scene.talk(9000, FORTH, BACK.length(164).ahead(150));
        dialog.bye(Side.CALLER);
        StreamReport back = scene.call("one@test").streams().getFirst();
        assertThat(back.statistics().firstAudioNs()).isEqualTo(back.statistics().firstNs());
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"80, 17", "32, 11"})
    void knowsTheSilenceDescriptorsOfEncryptedSpeech(String suite, int octets) {
        String amr = "a=rtpmap:97 AMR/8000\r\n";
        dialog.answered(
                encrypted("10.1.0.1", 4000, suite).replace("SAVP 0", "SAVP 97") + amr,
                encrypted("10.1.0.2", 5000, suite).replace("SAVP 0", "SAVP 97") + amr);
        Flow back = BACK.payloadType(97).length(42);
        scene.talk(5000, FORTH.payloadType(97), back);
        scene.talk(20, back.length(octets).ahead(250));
        scene.talk(20_000, FORTH.payloadType(97));
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void takesNoKeepAliveInAPauseForALostPacket() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        scene.talk(8000, FORTH, BACK.empty().ahead(250));
        scene.talk(5000, FORTH, BACK.ahead(650));
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    @Test
    void saysThatASideSentNothingIfItsReportsCountNoMoreThanItsKeepAlives() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH, BACK.empty().ahead(250));
            senderReport(0xb, 500 + 250 * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped note callee 20.0");
        assertThat(cause()).isEqualTo(AudioCause.SILENT);
    }

    @Test
    void doesNotBlameTheCaptureForKeepAlivesThatTheReceiverCounts() {
        dialog.answered(OFFER, ANSWER);
        scene.talk(5000, FORTH, BACK);
        for (int i = 0; i < 4; i++) {
            scene.talk(5000, FORTH, BACK.empty().ahead(250));
            receiverReport(0xa, 0xb, 500 + 250 * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly("audioStopped service callee 20.0");
        assertThat(cause()).isEqualTo(AudioCause.STOPPED);
    }

    private static String encrypted(String address, int port, String suites) {
        StringBuilder text = new StringBuilder(Sdp.of(address, "m=audio " + port + " RTP/SAVP 0"));
        for (String suite : suites.isEmpty() ? new String[0] : suites.split(" ", -1)) {
            text.append("a=crypto:1 AES_CM_128_HMAC_SHA1_" + suite
                    + " inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n");
        }
        return text.append(suites.isEmpty() ? "a=fingerprint:sha-256 AA:BB\r\na=setup:actpass\r\n" : "")
                .toString();
    }

    @Test
    void saysNothingOfAudioWhereSdpNamesAHost() {
        mediaElsewhere();
        dialog.answered(Sdp.audio("phone.example.org", 4000), ANSWER);
        scene.in(9000);
        dialog.bye(Side.CALLER);
        assertThat(problems()).isEmpty();
    }

    /** As where routing is asymmetric: RTP was captured one way, RTCP and SIP both ways. */
    @ParameterizedTest
    @CsvSource({
        "0xc, 250, captureLoss note callee 25.2",
        "0xc, 1, oneWayAudio service callee",
        "0xb, 250, oneWayAudio service callee"
    })
    void blamesTheCaptureForAudioThatTheReceiverReportsToHave(String subject, int packetsEach, String expected) {
        dialog.answered(OFFER, ANSWER);
        scene.talk(100, BACK.empty());
        for (int i = 0; i < 5; i++) {
            scene.talk(5000, FORTH);
            receiverReport(0xa, Integer.decode(subject), 200 + packetsEach * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactly(expected);
    }

    /** As where a switch takes RTP past the place of capture, once the first packets have passed it. */
    @ParameterizedTest
    @CsvSource({
        "250, 250, 0, captureLoss note both 25.2",
        "250, 250, 40, captureLoss note both 25.2",
        "250, 0, 0, captureLoss note caller 25.2; oneWayAudio service callee",
        "0, 250, 0, captureLoss note callee 25.2; oneWayAudio service caller",
        "0, 0, 0, noAudio service",
        "0, 0, 40, noAudio service"
    })
    void blamesTheCaptureForTheAudioOfBothSidesThatTheyReportToHave(int forth, int back, int ms, String expected) {
        mediaElsewhere();
        dialog.answered(OFFER, ANSWER);
        scene.talk(ms, FORTH, BACK).in(100 - ms);
        for (int i = 0; i < 5; i++) {
            scene.in(5000);
            receiverReport(0xa, 0xb, 200 + back * i);
            report("10.1.0.2:5001", "10.1.0.1:4001", 0xb, 0xa, 200 + forth * i);
        }
        dialog.bye(Side.CALLER);
        assertThat(problems()).containsExactlyInAnyOrder(expected.split("; ", -1));
    }

    /** The capture has media, if of another call. */
    private void mediaElsewhere() {
        new Dialog(scene, "other@test", Addresses.v4("10.3.0.1:5060"), Addresses.v4("10.3.0.2:5060"))
                .answered(Sdp.audio("10.3.0.1", 4000), Sdp.audio("10.3.0.2", 5000));
        scene.talk(100, Flow.of("10.3.0.1:4000", "10.3.0.2:5000", 0xe));
    }

    private void senderReport(int ssrc, int packets) {
        String report = String.format("80c80006%08x0000000000000000%08x%08x%08x", ssrc, packets * 160, packets, 160);
        scene.rtcp(Addresses.v4("10.1.0.2:5001"), Addresses.v4("10.1.0.1:4001"), report);
    }

    private void receiverReport(int reporter, int ssrc, int highest) {
        report("10.1.0.1:4001", "10.1.0.2:5001", reporter, ssrc, highest);
    }

    private void report(String source, String destination, int reporter, int ssrc, int highest) {
        String report = String.format(
                "81c90007%08x%08x00000000%08x00000000%08x%08x",
                reporter, ssrc, highest, (int) (scene.nowNs() >> 20), 0);
        scene.rtcp(Addresses.v4(source), Addresses.v4(destination), report);
    }
}
