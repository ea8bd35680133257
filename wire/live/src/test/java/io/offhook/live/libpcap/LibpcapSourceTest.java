package io.offhook.live.libpcap;

import static io.offhook.live.TestFrames.IPV4;
import static io.offhook.live.TestFrames.bytes;
import static io.offhook.live.TestFrames.drain;
import static io.offhook.live.TestFrames.frames;
import static io.offhook.live.TestFrames.reported;
import static io.offhook.live.TestFrames.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.filter.FilterException;
import io.offhook.live.Availability;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureRemedy;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.TestFrames;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureLoss;
import io.offhook.testkit.network.FrameSocket;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Captures by the libpcap that is installed, on one end of a veth pair, what is sent from the other. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(120)
class LibpcapSourceTest {
    private static final int SLL2_BYTES = 20;

    private Network network;

    @BeforeEach
    void makeNetwork() throws IOException {
        assumeTrue(LibpcapSource.version() != null, "libpcap0.8 is not installed");
        network = Network.pair();
    }

    @AfterEach
    void removeNetwork() throws IOException {
        if (network != null) {
            network.close();
        }
    }

    private static LibpcapOptions right() {
        return LibpcapOptions.of(Network.RIGHT);
    }

    private LibpcapSource open(LibpcapOptions options, String filter) throws Exception {
        return network.right().on(() -> LibpcapSource.open(options, filter));
    }

    @Test
    void listsWhatIsNoInterfaceOfTheKernel() throws Exception {
        List<CaptureDevice> others = network.right().on(() -> new LibpcapBackend().ownDevices());
        assertThat(others)
                .extracting(CaptureDevice::name)
                .contains("any")
                .doesNotContain("lo", Network.RIGHT)
                .doesNotHaveDuplicates();
        assertThat(named("any").availability()).isEqualTo(Availability.USABLE);
        assertThat(named("nflog").availability().isUsable()).isTrue();
        assertThat(named("usbmon4711").availability())
                .isEqualTo(Availability.without(
                        "/dev/usbmon4711 is not there", new CaptureRemedy.Command("sudo modprobe usbmon")));
    }

    private static LibpcapInterface named(String name) {
        return new LibpcapInterface(name, "", List.of(), true, false, false);
    }

    @Test
    void saysItsVersion() {
        assertThat(LibpcapSource.version()).startsWith("libpcap version ");
    }

    @Test
    void handsOverAllFramesInOrderByteForByte() throws Exception {
        List<byte[]> sent = frames(20_000, IPV4);
        try (LibpcapSource source = open(right(), "")) {
            network.send(sent);
            source.stop();

            assertThat(reported(drain(source, new FrameBatch(4096), new FrameBatch(100), new FrameBatch(1))))
                    .isEqualTo(reported(sent));

            assertThat(source.counts()).isEqualTo(new LiveCounts(20_000, 20_000, 0, 0, 0, 0));
            assertThat(source.interfaces().getFirst().linkType()).isEqualTo(LinkType.ETHERNET);
            assertThat(source.warnings()).isEmpty();
            assertThat(source.faults()).isEmpty();
        }
    }

    @Test
    void hasTheTimestampsOfTheKernelInNanoseconds() throws Exception {
        List<byte[]> sent = frames(500, IPV4);
        try (LibpcapSource source = open(right(), "");
                PacketSocketSource other =
                        network.right().on(() -> PacketSocketSource.open(PacketSocketOptions.of(Network.RIGHT), ""))) {
            network.send(sent);
            source.stop();
            other.stop();
            assertThat(times(source)).hasSize(500).isEqualTo(times(other));
        }
    }

    private static List<Long> times(LiveSource source) {
        List<Long> times = new ArrayList<>();
        FrameBatch batch = new FrameBatch(100);
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                times.add(batch.timestampNs(i));
            }
        }
        return times;
    }

    @Test
    void countsAndPlacesWhatALateConsumerCosts() throws Exception {
        List<byte[]> sent = frames(20_000, IPV4);
        try (LibpcapSource source = open(right().withBuffer(256 << 10).withSnapLength(2_000), "")) {
            network.send(sent);
            source.stop();
            List<byte[]> got = drain(source, new FrameBatch(4096));

            LiveCounts counts = source.counts();
            assertThat(counts.ringDrops()).isPositive();
            assertThat(counts.received()).isEqualTo(sent.size());
            assertThat(counts.delivered() + counts.filtered() + counts.ringDrops() + counts.kernelDrops())
                    .isEqualTo(counts.received());
            assertThat(got).hasSize((int) counts.delivered());
            assertThat(source.losses().stream().mapToLong(CaptureLoss::packets).sum())
                    .isEqualTo(counts.ringDrops() + counts.kernelDrops());
        }
    }

    @Test
    void capturesOnAnyWithTheInterfaceOfEachFrame() throws Exception {
        network.right().ip("link", "set", "lo", "up");
        List<byte[]> sent = frames(100, IPV4);
        try (LibpcapSource source = open(LibpcapOptions.of("any"), "ip")) {
            assertThat(source.interfaces().getFirst().linkType()).isEqualTo(LinkType.LINUX_SLL2);
            network.send(sent);
            network.right().on(() -> FrameSocket.send(Network.RIGHT, sent.subList(0, 1)));
            source.stop();
            FrameBatch batch = new FrameBatch(200);
            List<byte[]> got = new ArrayList<>();
            List<FrameDirection> directions = new ArrayList<>();
            while (source.next(batch)) {
                got.addAll(bytes(batch));
                for (int i = 0; i < batch.count(); i++) {
                    directions.add(batch.direction(i));
                }
            }
            assertThat(got).hasSize(101);
            assertThat(directions.subList(0, 100)).containsOnly(FrameDirection.INCOMING);
            assertThat(directions.getLast()).isEqualTo(FrameDirection.OUTGOING);
            for (int i = 0; i < 100; i++) {
                byte[] frame = sent.get(i);
                byte[] cooked = got.get(i);
                assertThat(Arrays.copyOfRange(cooked, SLL2_BYTES, cooked.length))
                        .isEqualTo(Arrays.copyOfRange(frame, 14, frame.length));
                assertThat(cooked[0]).isEqualTo((byte) 8);
            }
        }
    }

    @Test
    void filtersAsIfTheVlanTagWereInTheFrame() throws Exception {
        byte[] five = frames(1, 0x8100).getFirst();
        five[14] = 0;
        five[15] = 5;
        five[16] = 8;
        five[17] = 0;
        byte[] six = five.clone();
        six[15] = 6;
        byte[] plain = frames(1, IPV4).getFirst();
        List<byte[]> sent = List.of(five, six, plain);
        assertThat(filtered("vlan 5", sent)).isEqualTo(reported(List.of(five)));
        assertThat(filtered("not vlan 5", sent)).isEqualTo(reported(List.of(six, plain)));
        assertThat(filtered("ip", sent)).isEqualTo(reported(List.of(plain)));
        assertThat(filtered("not ip", sent)).isEqualTo(reported(List.of(five, six)));
    }

    private List<String> filtered(String expression, List<byte[]> sent) throws Exception {
        try (LibpcapSource source = open(right(), expression)) {
            network.send(sent);
            source.stop();
            List<byte[]> got = drain(source, new FrameBatch(16));
            LiveCounts counts = source.counts();
            assertThat(counts.delivered() + counts.filtered()).isEqualTo(counts.received());
            return reported(got);
        }
    }

    @Test
    void capturesAsMuchOfAFrameAsAskedFor() throws Exception {
        byte[] sent = frames(1, IPV4).getFirst();
        try (LibpcapSource source = open(right().withSnapLength(50), "")) {
            network.send(List.of(sent));
            FrameBatch batch = new FrameBatch(16);
            until(() -> batch.count() > 0, source, batch);
            assertThat(batch.capturedLength(0)).isEqualTo(50);
            assertThat(batch.wireLength(0)).isEqualTo(sent.length);
        }
    }

    @Test
    void endsThoughPacketsKeepComing() throws Exception {
        try (LibpcapSource source = open(right(), "")) {
            network.send(frames(100, IPV4));
            source.stop();
            FrameBatch batch = new FrameBatch(16);
            List<byte[]> got = new ArrayList<>();
            while (source.next(batch)) {
                got.addAll(bytes(batch));
                network.send(frames(16, IPV4));
            }
            assertThat(reported(got).subList(0, 100)).isEqualTo(reported(frames(100, IPV4)));
            assertThat(got.size()).isLessThan(300);
        }
    }

    @Test
    void saysWhatLibpcapSays() throws Exception {
        assertThatThrownBy(() -> open(LibpcapOptions.of("nowhere"), ""))
                .isInstanceOf(LibpcapException.class)
                .hasMessageStartingWith("nowhere: ")
                .hasMessageContaining("No such device");
        assertThatThrownBy(() -> open(right().withMonitor(true), ""))
                .isInstanceOf(LibpcapException.class)
                .hasMessageStartingWith("right has no monitor mode");
        network.right().ip("link", "set", Network.RIGHT, "down");
        assertThatThrownBy(() -> open(right(), ""))
                .isInstanceOf(LibpcapException.class)
                .hasMessageContaining("not up");
        assertThatThrownBy(() -> open(LibpcapOptions.of("any"), "udp[")).isInstanceOf(FilterException.class);
    }

    @Test
    void listsInterfacesWithTheirAddresses() throws Exception {
        network.right().ip("address", "add", "192.0.2.7/24", "dev", Network.RIGHT);
        List<LibpcapInterface> all = network.right().on(LibpcapInterface::all);
        assertThat(all)
                .filteredOn(one -> one.name().equals(Network.RIGHT))
                .singleElement()
                .isEqualTo(new LibpcapInterface(Network.RIGHT, "", List.of("192.0.2.7"), true, false, false));
        assertThat(all).anySatisfy(one -> {
            assertThat(one.name()).isEqualTo("any");
            assertThat(one.description()).isNotEmpty();
        });
        assertThat(all).anySatisfy(one -> assertThat(one.isLoopback()).isTrue());
    }

    @Test
    void allocatesNothingPerFrame() throws Exception {
        try (LibpcapSource source = open(right(), "ip")) {
            // what is published every 10 ms, the clock set right every second
            assertThat(TestFrames.allocatedByReading(source, network::send)).isLessThan(4_000);
        }
    }
}
