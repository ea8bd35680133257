package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.calls.CallReport;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Key presses inside SRTP, read while a capture goes on: of captures that libsrtp wrote. */
class EventKeysTest {
    private static final String FOLDER = "src/test/resources/decrypt/";

    private static final CallWatcher NOBODY = new CallWatcher() {
        @Override
        public long nowNs() {
            return Long.MIN_VALUE;
        }

        @Override
        public void look(AnalysisResult standing, List<CallReport> changed) {
            // asked at the end only
        }
    };

    /** The keys of each encrypted stream, "closed" where they were not read. */
    private static List<String> digits(String file) {
        List<String> digits = new ArrayList<>();
        try (EventKeys events = new EventKeys(null);
                PacketSource source = CaptureFiles.open(List.of(FOLDER + file))) {
            AnalysisResult result =
                    Analysis.watchWith(source, AnalysisOptions.defaults().withLanes(2), NOBODY, events::addTo);
            for (CallReport call : result.calls()) {
                events.in(call)
                        .streams()
                        .forEach(stream -> digits.add(stream.digits() == null ? "closed" : stream.digits()));
            }
            assertThat(events.passedBy()).isZero();
        }
        return digits;
    }

    @Test
    void areReadWithTheKeysThatSdpShows() {
        assertThat(digits("dtmf.pcap")).contains("12#");
    }

    @Test
    void stayClosedWithoutAKey() {
        assertThat(digits("dtls.pcap")).isNotEmpty().containsOnly("closed");
    }
}
