package io.offhook.analysis.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.Pipeline;
import io.offhook.calls.CallReport;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept where media is not: all of the signalling, and of RTP the headers. */
class KeptHeadersTest {
    private static final Path SAMPLE = Path.of("../../samples/calls.pcap");

    /** Ethernet, IPv4, UDP, RTP without CSRCs and extension. */
    private static final int HEADERS = 14 + 20 + 8 + 12;

    @TempDir
    private Path folder;

    private void keep(List<String> inputs) throws Exception {
        KeptPackets kept = KeptPackets.open(new KeepSettings(folder, 64L << 20));
        try (kept;
                PacketSource source = KeptSample.open(SAMPLE)) {
            Pipeline pipeline = Pipeline.of(2);
            kept.addHeadersTo(pipeline, false, inputs);
            pipeline.run(source);
        }
    }

    private KeptPackets kept() throws Exception {
        return KeptPackets.open(new KeepSettings(folder, 64L << 20));
    }

    @Test
    void rtpIsCutBehindItsHeaderAndSipIsWhole() throws Exception {
        keep(List.of());
        KeptSample sample = KeptSample.of(SAMPLE);
        long rtp = 0;
        long whole = 0;
        FrameBatch batch = new FrameBatch(100);
        try (KeptPackets kept = kept()) {
            for (CallReport call : sample.calls()) {
                try (PacketSource source = kept.read(sample.wanted(call))) {
                    while (source.next(batch)) {
                        for (int i = 0; i < batch.count(); i++) {
                            boolean isRtp = (batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + 42) & 0xc0)
                                    == 0x80;
                            if (isRtp && batch.capturedLength(i) < batch.wireLength(i)) {
                                assertThat(batch.capturedLength(i)).isEqualTo(HEADERS);
                                rtp++;
                            } else {
                                assertThat(batch.capturedLength(i)).isEqualTo(batch.wireLength(i));
                                whole++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(rtp).isGreaterThan(4000);
        assertThat(whole).isBetween(60L, 400L); // SIP, RTCP
    }

    @Test
    void theStreamsHaveTheSameCountsAsBefore() throws Exception {
        keep(List.of());
        KeptSample sample = KeptSample.of(SAMPLE);
        try (KeptPackets kept = kept()) {
            for (CallReport call : sample.calls()) {
                try (PacketSource source = kept.read(sample.wanted(call))) {
                    List<CallReport> found =
                            Analysis.run(source, AnalysisOptions.defaults().withLanes(2)).calls().stream()
                                    .filter(any -> any.hasCallId(call.callId()))
                                    .toList();
                    assertThat(found).hasSize(1);
                    assertThat(figures(found.getFirst())).isEqualTo(figures(call));
                }
            }
        }
    }

    private static Map<String, List<Long>> figures(CallReport call) {
        Map<String, List<Long>> figures = new TreeMap<>();
        call.streams()
                .forEach(stream -> figures.put(
                        stream.source() + " " + stream.destination() + " " + stream.ssrc(),
                        List.of(
                                stream.statistics().distinct(),
                                stream.statistics().lost(),
                                stream.statistics().packets())));
        return figures;
    }

    @Test
    void aPacketIsOfTheInputThatCapturedItAfterAnotherStart() throws Exception {
        keep(List.of("eth0"));
        KeptSample sample = KeptSample.of(SAMPLE);
        List<String> names = new ArrayList<>();
        try (KeptPackets kept = kept();
                PacketSource source = kept.read(sample.wanted(sample.calls().getFirst()))) {
            for (CaptureInterface one : source.interfaces()) {
                names.add(String.valueOf(one.name()));
            }
        }
        assertThat(names).containsExactly("eth0");
    }
}
