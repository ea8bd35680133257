package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VoiceQualityReportTest {
    private static SipMessageView message(String method, String type, String body) {
        String text = method + " sip:collector@example.org SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bK1\r\n"
                + "From: <sip:a@b>;tag=1\r\nTo: <sip:c@d>\r\nCall-ID: report@a\r\nCSeq: 1 " + method
                + "\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        return Native.view(text);
    }

    private static VoiceQualityReport report(SipMessageView message) {
        return Objects.requireNonNull(VoiceQualityReport.of(message));
    }

    /** After the example of RFC 6035, 4.7.1. */
    @Test
    void readsWhatBothSidesReceived() {
        VoiceQualityReport report = report(message("PUBLISH", "application/vq-rtcpxr", """
                VQSessionReport: CallTerm\r
                CallID: 6dg37f1890463\r
                LocalID: Alice <sip:alice@example.org>\r
                LocalAddr: IP=10.10.1.100 PORT=5000 SSRC=1a3b5c7d\r
                LocalMetrics:\r
                JitterBuffer:JBA=3 JBR=2 JBN=40 JBM=80 JBX=120\r
                PacketLoss:NLR=5.0 JDR=2.0\r
                BurstGapLoss:BLD=0 BD=0 GLD=2.0 GD=500 GMIN=16\r
                Delay:RTD=200 ESD=140 SOWD=150 IAJ=2 MAJ=10\r
                QualityEst:RLQ=90 RCQ=127 MOSLQ=4.2 MOSCQ=4.3 QoEEstAlg=P.564\r
                RemoteMetrics:\r
                PacketLoss:NLR=7.5\r
                QualityEst:MOSLQ=3.3\r
                """));
        assertThat(report.callId()).isEqualTo("6dg37f1890463");
        assertThat(report.kind()).isEqualTo(VoiceQualityReport.Kind.SESSION);
        assertThat(report.local()).isEqualTo(new VoiceQualityReport.Metrics(5, 2, 0, 2, 200, 140, 2, 10, 90, 4.2, 4.3));
        VoiceQualityReport.Metrics remote = Objects.requireNonNull(report.remote());
        assertThat(remote.lossPercent()).isEqualTo(7.5);
        assertThat(remote.mosLq()).isEqualTo(3.3);
        assertThat(remote.roundTripMs()).isNaN();
    }

    @Test
    void takesValuesBeyondTheirRangeForUnknown() {
        VoiceQualityReport report = report(message(
                "NOTIFY",
                "Application/VQ-RTCPXR; x=y",
                "VQIntervalReport\r\nCallID:a\r\nQ:RLQ=127 NLR=x MOSLQ=-1\r\n"));
        assertThat(report.remote()).isNull();
        assertThat(report.local().rLq()).isNaN();
        assertThat(report.local().lossPercent()).isNaN();
        assertThat(report.local().mosLq()).isNaN();
    }

    @ParameterizedTest
    @CsvSource({
        "PUBLISH, application/sdp, 'CallID: a'",
        "INVITE, application/vq-rtcpxr, 'CallID: a'",
        "PUBLISH, application/vq-rtcpxr, 'VQSessionReport: CallTerm'",
        "PUBLISH, application/vq-rtcpxr, ''"
    })
    void isNoneWithoutItsTypeItsMethodOrItsCall(String method, String type, String body) {
        assertThat(VoiceQualityReport.of(message(method, type, body))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "application/dtmf-relay, 'Signal=5|Duration=160', 5, 160",
        "application/dtmf-relay, 'Signal= *|Duration= 100', *, 100",
        "application/dtmf-relay, 'signal=11', #, -1",
        "application/dtmf-relay; charset=x, 'Signal=d|Duration=1000000', D, -1",
        "application/dtmf, 7, 7, -1",
        "APPLICATION/DTMF, '16', !, -1"
    })
    void readsKeysInInfo(String type, String body, char key, int durationMs) {
        assertThat(InfoKey.of(message("INFO", type, body.replace("|", "\r\n"))))
                .isEqualTo(new InfoKey(key, durationMs));
    }

    @ParameterizedTest
    @CsvSource({
        "INFO, application/dtmf-relay, 'Signal=17'",
        "INFO, application/dtmf-relay, 'Duration=160'",
        "INFO, application/dtmf, 12345",
        "INFO, application/media_control+xml, 5",
        "MESSAGE, application/dtmf, 5"
    })
    void readsNoKeysElsewhere(String method, String type, String body) {
        assertThat(InfoKey.of(message(method, type, body))).isNull();
    }
}
