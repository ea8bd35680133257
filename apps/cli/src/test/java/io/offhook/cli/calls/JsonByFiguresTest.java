package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Pipeline;
import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReport;
import io.offhook.calls.CallReports;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.cli.Captures;
import io.offhook.library.Checkout;
import io.offhook.packet.Endpoint;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.CallFields;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamUpdate;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of calls that were made of figures of media has the same bytes as that of calls made of the packets. */
class JsonByFiguresTest {
    private static final int CALLS = 2000;

    @TempDir
    Path folder;

    /** Counts media, and passes the rest on to another one. */
    private static final class Twins implements TrafficSink {
        final CallAssembly counting = assembly();
        final CallAssembly byFigures = assembly();
        long latestNs;

        private static CallAssembly assembly() {
            return new CallAssembly(CALLS, Shards.SIP, Shards.RTP, MediaOptions.DEFAULT.withIntervals(true), null);
        }

        @Override
        public void sip(int shard, SipPacket message) {
            counting.sip(shard, message);
            byFigures.sip(shard, message);
        }

        @Override
        public void publish() {
            counting.publish();
            byFigures.publish();
        }

        @Override
        public void icmp(IcmpEvent event) {
            counting.icmp(event);
            byFigures.icmp(event);
        }

        @Override
        public void rtcp(RtcpPacket packet) {
            counting.rtcp(packet);
        }

        @Override
        public void rtp(int shard, RtpRows rows) {
            counting.rtp(shard, rows);
        }

        @Override
        public void endOfRound(long nowNs) {
            latestNs = nowNs;
        }
    }

    private static Twins run(String file) {
        Twins twins = new Twins();
        try (PacketSource source = CaptureFiles.open(List.of(file))) {
            Pipeline.of(2).traffic(twins).run(source);
        }
        twins.counting.figures(Long.MAX_VALUE, new FiguresSink() {
            @Override
            public void stream(CapturedStream stream, StreamUpdate update, @Nullable SampleFigures sample) {
                assertThat(update.figures().media().unmeasured().waiting()).isZero();
                twins.byFigures.add(stream, update.alone(), sample);
            }

            @Override
            public void conversation(Endpoint one, Endpoint other, ConversationUpdate update) {
                twins.byFigures.add(one, other, update.alone());
            }
        });
        return twins;
    }

    private static String json(CallAssembly assembly, long endNs) {
        CallReports reports = CallReports.of(assembly, endNs, true, false);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonFields json = new JsonFields(bytes, TimeForm.EPOCH)) {
            json.object().array("calls");
            for (CallReport call : reports.calls()) {
                json.object();
                CallFields.writeJson(json, call);
                json.end();
            }
            json.end().array("streams");
            for (StreamReport stream : reports.streams()) {
                json.object();
                StreamFields.writeJson(json, stream);
                json.end();
            }
            json.end().end();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String assertSameJson(String file) {
        Twins twins = run(file);
        String expected = json(twins.counting, twins.latestNs);
        assertThat(json(twins.byFigures, twins.latestNs)).isEqualTo(expected);
        return expected;
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls.pcap", "lossy.pcap"})
    void writesTheSamplesAlike(String sample) {
        String json =
                assertSameJson(Checkout.ROOT.resolve("samples").resolve(sample).toString());
        assertThat(json).contains("\"jitterMs\"", "\"problems\"", "\"intervals\"");
    }

    @Test
    void writesBadAndLongCallsAlike() {
        Traffic traffic = new Traffic(5)
                .call(call -> call.callId("bad@x")
                        .rtcp(_ -> {})
                        .media(
                                Party.CALLER,
                                shape -> shape.loss(0.1)
                                        .lossBursts(9)
                                        .jitterMs(25)
                                        .stalls(4000, 300))
                        .media(Party.CALLEE, shape -> shape.duplicates(0.02).reordering(0.03))
                        .answered()
                        .talk(25_000)
                        .dtmf("12#")
                        .hangUp(Party.CALLER))
                .call(call -> call.callId("held@x")
                        .codec(SentCodec.AMR_WB)
                        .answered()
                        .talk(12_000)
                        .hold(Party.CALLEE, CallPlan.HoldStyle.INACTIVE, 6000)
                        .talk(4000)
                        .hangUp(Party.CALLEE))
                .mediaOnly(SentCodec.PCMA, 8000);
        String json = assertSameJson(Captures.write(traffic.capture(), folder, "long.pcap"));
        assertThat(json).contains("bad@x", "held@x", "\"kind\":\"loss\"");
    }
}
