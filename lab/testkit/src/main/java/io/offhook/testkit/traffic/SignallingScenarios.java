package io.offhook.testkit.traffic;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import java.util.Map;
import java.util.function.Consumer;

/** Calls that differ in what SIP says. */
final class SignallingScenarios {
    private SignallingScenarios() {}

    static void addTo(Map<String, Consumer<CallPlan>> calls) {
        outcomes(calls);
        exchanges(calls);
        retransmissions(calls);
        writing(calls);
    }

    private static void outcomes(Map<String, Consumer<CallPlan>> calls) {
        calls.put("answered", call -> call.from("alice").to("bob").completed(CALLER, 3000));
        calls.put("hung-up-by-callee", call -> call.completed(CALLEE, 1500));
        calls.put("both-hang-up", call -> call.answered().talk(1500).bothHangUp(CALLEE));
        rejected(calls, 486, "Busy Here");
        rejected(calls, 600, "Busy Everywhere");
        rejected(calls, 603, "Decline");
        rejected(calls, 404, "Not Found");
        rejected(calls, 408, "Request Timeout");
        rejected(calls, 410, "Gone");
        rejected(calls, 480, "Temporarily Unavailable");
        rejected(calls, 302, "Moved Temporarily");
        rejected(calls, 403, "Forbidden");
        rejected(calls, 488, "Not Acceptable Here");
        rejected(calls, 500, "Server Internal Error");
        rejected(calls, 503, "Service Unavailable");
        rejected(calls, 606, "Not Acceptable");
        calls.put("cancelled", call -> call.alerted().after(2000).cancelled());
        calls.put("cancel-crosses-200", call -> call.alerted().after(2000).cancelledTooLate());
        calls.put("terminated-without-cancel", call -> call.alerted().after(800).rejected(487, "Request Terminated"));
        calls.put("ringing-at-the-end", call -> call.alerted());
        calls.put("trying-at-the-end", call -> call.invite().trying());
        calls.put("ongoing-at-the-end", call -> call.answered().talk(2500));
        calls.put("capture-starts-in-mid-call", call -> call.alreadyAnswered().endedBy(CALLER, 2000));
    }

    private static void rejected(Map<String, Consumer<CallPlan>> calls, int status, String reason) {
        calls.put("rejected-" + status, call -> call.alerted().after(700).rejected(status, reason));
    }

    private static void exchanges(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "challenged-401",
                call -> call.invite()
                        .challenged(401)
                        .trying()
                        .ringing()
                        .after(500)
                        .accepted()
                        .endedBy(CALLER, 1500));
        calls.put(
                "challenged-407-then-busy",
                call -> call.invite().challenged(407).trying().rejected(486, "Busy Here"));
        calls.put(
                "early-media",
                call -> call.invite()
                        .trying()
                        .progress()
                        .talk(CALLEE, 1500)
                        .accepted()
                        .endedBy(CALLEE, 2000));
        calls.put(
                "early-media-then-rejected",
                call -> call.invite().trying().progress().talk(CALLEE, 2000).rejected(404, "Not Found"));
        calls.put(
                "delayed-offer",
                call -> call.inviteWithoutOffer()
                        .trying()
                        .ringing()
                        .after(400)
                        .accepted()
                        .endedBy(CALLER, 1500));
        calls.put(
                "reliable-progress-and-prack",
                call -> call.invite()
                        .trying()
                        .progressReliably()
                        .talk(CALLEE, 800)
                        .accepted()
                        .endedBy(CALLER, 1500));
        calls.put(
                "update-in-early-dialog",
                call -> call.invite()
                        .trying()
                        .progressReliably()
                        .updateMedia(CALLER)
                        .talk(CALLEE, 600)
                        .accepted()
                        .endedBy(CALLER, 1200));
        calls.put(
                "forked",
                call -> call.invite()
                        .trying()
                        .ringingElsewhere()
                        .ringing()
                        .after(900)
                        .accepted()
                        .endedBy(CALLER, 1500));
        calls.put(
                "slow-set-up",
                call -> call.invite()
                        .trying()
                        .after(6500)
                        .ringing()
                        .after(300)
                        .accepted()
                        .endedBy(CALLER, 1200));
        calls.put(
                "keys-by-info",
                call -> call.proxies(1)
                        .answered()
                        .keyByInfo(CALLER, '4', 160)
                        .keyByInfo(CALLER, '#', 250)
                        .keyByInfo(CALLEE, '*', 100)
                        .endedBy(CALLER, 1500));
        calls.put(
                "quality-reported",
                call -> call.callId("reported@10.1.0.1")
                        .answered()
                        .talk(1500)
                        .qualityReport(
                                CALLEE,
                                "VQSessionReport: CallTerm\r\nCallID: reported@10.1.0.1\r\nLocalMetrics:\r\n"
                                        + "PacketLoss:NLR=1.5 JDR=0.5\r\nBurstGapLoss:BLD=4 GLD=0.5\r\n"
                                        + "Delay:RTD=40 ESD=60 IAJ=3 MAJ=9\r\nQualityEst:RLQ=88 MOSLQ=4.1 MOSCQ=4.0\r\n"
                                        + "RemoteMetrics:\r\nPacketLoss:NLR=2\r\n")
                        .endedBy(CALLER, 500));
        calls.put("proxies", call -> call.proxies(2).completed(CALLEE, 1500));
        calls.put(
                "proxy-with-media-relay",
                call -> call.proxies(1)
                        .relayed()
                        .answered()
                        .talk(1500)
                        .dtmf("42")
                        .hangUp(CALLER));
        calls.put("proxy-and-busy", call -> call.proxies(1).alerted().rejected(486, "Busy Here"));
    }

    private static void retransmissions(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "invite-retransmitted",
                call -> call.invite()
                        .retransmitted(2)
                        .trying()
                        .ringing()
                        .after(300)
                        .accepted()
                        .endedBy(CALLER, 1500));
        calls.put(
                "ok-retransmitted",
                call -> call.alerted()
                        .after(300)
                        .answer()
                        .retransmitted(2)
                        .ack()
                        .endedBy(CALLER, 1500));
        calls.put("bye-retransmitted", call -> call.answered().talk(1500).hangUpRetransmitted(CALLEE, 3));
        calls.put(
                "no-ack",
                call -> call.alerted()
                        .after(300)
                        .answer()
                        .talk(CALLEE, 200)
                        .retransmitted(5)
                        .hangUp(CALLEE));
    }

    private static void writing(Map<String, Consumer<CallPlan>> calls) {
        calls.put(
                "compact-headers", call -> call.style(SipMessage.Style.COMPACT).completed(CALLER, 1000));
        calls.put(
                "folded-headers",
                call -> call.style(SipMessage.Style.FOLDED)
                        .invite()
                        .challenged(407)
                        .trying()
                        .accepted()
                        .endedBy(CALLER, 1000));
        calls.put(
                "odd-headers",
                call -> call.style(SipMessage.Style.ODD).proxies(1).completed(CALLER, 1000));
        calls.put(
                "utf-8-names",
                call -> call.named("Zoë Müller ☎").from("zoë").to("jürgen").completed(CALLER, 1000));
        calls.put("multipart-body", call -> call.multipart().completed(CALLER, 1000));
        calls.put(
                "content-length-missing",
                call -> call.contentLength(CallPlan.ContentLength.MISSING).completed(CALLER, 1000));
        calls.put(
                "content-length-too-long",
                call -> call.contentLength(CallPlan.ContentLength.TOO_LONG).completed(CALLER, 1000));
    }
}
