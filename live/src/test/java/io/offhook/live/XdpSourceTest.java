package io.offhook.live;

import static io.offhook.live.TestFrames.IPV4;
import static io.offhook.live.TestFrames.bytes;
import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.told;
import static io.offhook.live.TestFrames.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.LinuxException;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureLoss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Captures on one end of a veth pair what is sent from the other. */
@EnabledIf(value = "io.offhook.live.TestNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class XdpSourceTest {
    private TestNetwork network;

    @BeforeEach
    void makeNetwork() throws IOException {
        network = new TestNetwork();
    }

    @AfterEach
    void removeNetwork() throws IOException {
        network.close();
    }

    private static XdpOptions right() {
        return XdpOptions.of(TestNetwork.RIGHT);
    }

    private XdpSource open(XdpOptions options, String filter) throws Exception {
        return network.onRight(() -> XdpSource.open(options, filter));
    }

    /** What comes until the source has had so many, whatever became of them, and then to its end. */
    private static List<byte[]> all(XdpSource source, int sent, FrameBatch... batches) {
        List<byte[]> got = new ArrayList<>(until(() -> source.counts().received() >= sent, source, batches));
        source.stop();
        got.addAll(drain(source, batches));
        return got;
    }

    @ParameterizedTest
    @EnumSource
    void handsOverAllFramesInOrderByteForByte(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(10_000, IPV4);
        try (XdpSource source = open(right().withMode(mode), "")) {
            assertThat(source.description())
                    .startsWith((mode == XdpMode.GENERIC ? "generic" : "native") + " mode, copied, 1 queue");
            network.send(sent);

            List<byte[]> got =
                    all(source, sent.size(), new FrameBatch(4096), new FrameBatch(100), new FrameBatch(1));

            assertThat(told(got)).isEqualTo(told(sent));
            LiveCounts counts = source.counts();
            assertThat(counts).isEqualTo(new LiveCounts(10_000, 10_000, 0, 0, 0, counts.freezes()));
            assertThat(source.losses()).isEmpty();
            assertThat(source.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "GENERIC"})
    void countsAndPlacesWhatALateConsumerCosts(XdpMode mode) throws Exception {
        List<byte[]> sent = frames(5_000, IPV4);
        try (XdpSource source = open(right().withMode(mode).withChunks(128), "")) {
            network.send(sent);
            List<byte[]> got = all(source, sent.size(), new FrameBatch(4096));

            LiveCounts counts = source.counts();
            assertThat(counts.received()).isEqualTo(sent.size());
            assertThat(counts.ringDrops()).isPositive();
            assertThat(counts.delivered() + counts.filtered() + counts.ringDrops() + counts.kernelDrops())
                    .isEqualTo(counts.received());
            assertThat(got).hasSize((int) counts.delivered());
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(counts.ringDrops() + counts.kernelDrops());
        }
    }
}
