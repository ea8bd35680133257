package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is true of all backends, on a veth pair: they differ by their drivers alone. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class BackendContractTest {
    private static final int FRAMES = 5_000;

    @AutoClose
    private final Network network = Network.pair();

    BackendContractTest() throws IOException {}

    private LiveSource open(String name, CaptureRequest request) throws Exception {
        CaptureBackend backend = CaptureBackend.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        Availability availability = network.right()
                .on(() -> backend.survey().apply(Objects.requireNonNull(NetworkDevice.named(Network.RIGHT))));
        assumeTrue(availability.isUsable(), () -> "missing: " + availability.missing());
        LiveSource source = network.right().on(() -> backend.open(request));
        source.start();
        return source;
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp", "pcap"})
    void handsOverWhatCameBeforeItWasStoppedAndThenEnds(String name) throws Exception {
        List<byte[]> sent = TestFrames.frames(FRAMES, TestFrames.IPV4);
        try (LiveSource source = open(name, CaptureRequest.of(Network.RIGHT))) {
            network.send(sent);
            source.stop();
            FrameBatch[] batches = {new FrameBatch(64), new FrameBatch(1), new FrameBatch(1000)};
            long next = 1;
            int turn = 0;
            List<byte[]> got = new ArrayList<>();
            while (source.next(batches[turn])) {
                FrameBatch batch = batches[turn];
                for (int i = 0; i < batch.count(); i++) {
                    assertThat(batch.number(i)).isEqualTo(next++);
                }
                got.addAll(TestFrames.bytes(batch));
                turn = (turn + 1) % batches.length;
            }
            assertThat(TestFrames.reported(got)).isEqualTo(TestFrames.reported(sent));
            assertThat(source.next(batches[0])).isFalse();
            assertThat(source.counts()).isEqualTo(new LiveCounts(FRAMES, FRAMES, 0, 0, 0, 0));
            assertThat(source.losses()).isEmpty();
            assertThat(source.faults()).isEmpty();
            assertThat(source.interfaces()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp", "pcap"})
    void isClosedOnce(String name) throws Exception {
        LiveSource source = open(name, CaptureRequest.of(Network.RIGHT));
        FrameBatch batch = new FrameBatch(8);
        network.send(TestFrames.frames(3, TestFrames.IPV4));
        do {
            assertThat(source.next(batch)).isTrue();
        } while (batch.count() == 0);
        source.release(batch);
        assertThat(batch.count()).isZero();
        source.close();
        source.close();
        source.stop();
        assertThatThrownBy(() -> source.next(batch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the source is closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp", "pcap"})
    void aFilterThatIsNoneIsRefusedAsSuch(String name) {
        assertThatThrownBy(() -> open(name, CaptureRequest.of(Network.RIGHT).withFilter("udp prot 1")))
                .isInstanceOfSatisfying(CaptureRefusedException.class, refused -> {
                    assertThat(refused.filter()).isNotNull();
                    assertThat(refused.linkType()).isEqualTo(LinkType.ETHERNET);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "xdp", "pcap"})
    void handsOverAnEmptyBatchWhereNothingComes(String name) throws Exception {
        try (LiveSource source = open(name, CaptureRequest.of(Network.RIGHT))) {
            FrameBatch batch = new FrameBatch(16);
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isZero();
        }
    }

    /** That of AF_XDP, in each of its modes, is in {@code XdpSourceTest}. */
    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "pcap"})
    void goesOnOnceTheInterfaceIsUpAgain(String name) throws Exception {
        List<byte[]> sent = TestFrames.frames(3, TestFrames.IPV4);
        try (LiveSource source = open(name, CaptureRequest.of(Network.RIGHT))) {
            FrameBatch batch = new FrameBatch(16);
            network.right().ip("link", "set", Network.RIGHT, "down");
            assertThat(source.next(batch)).isTrue();
            network.right().ip("link", "set", Network.RIGHT, "up");
            network.send(sent);
            source.stop();
            assertThat(TestFrames.reported(TestFrames.drain(source, batch))).isEqualTo(TestFrames.reported(sent));
            assertThat(source.faults()).isEmpty();
        }
    }

    /** That of AF_XDP, in each of its modes, is in {@code XdpSourceTest}. */
    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "pcap"})
    void endsWithAFaultWhenTheInterfaceDisappears(String name) throws Exception {
        try (LiveSource source = open(name, CaptureRequest.of(Network.RIGHT))) {
            network.right().ip("link", "del", Network.RIGHT);
            assertThat(TestFrames.drain(source, new FrameBatch(16))).isEmpty();
            assertThat(source.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.file()).isEqualTo(Network.RIGHT);
                assertThat(fault.message()).contains("disappeared");
            });
        }
    }
}
