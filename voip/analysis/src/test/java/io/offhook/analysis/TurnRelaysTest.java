package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Media that a client sends and gets by its TURN server is media of the address that its SDP announces. */
class TurnRelaysTest {
    private static final Endpoint RELAYED = Endpoint.ofIpv4(0xc0000263, 49_170);
    private static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a010203, 51_000);
    private static final Endpoint SERVER = Endpoint.ofIpv4(0xc0000264, 3478);
    private static final int CHANNEL = 0x4001;
    private static final byte[] TRANSACTION = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    /** The caller's media goes by way of a relay, as its SDP says. */
    private static final List<Frame> PLAIN = new Traffic(7)
            .call(call -> call.mediaAt(Party.CALLER, RELAYED)
                    .media(Party.CALLEE, shape -> shape.loss(0.05))
                    .rtcp(shape -> shape.intervalMs(1000))
                    .completed(Party.CALLER, 4000))
            .capture()
            .frames();

    private static byte[] channelData(int channel, byte[] data, boolean padded) {
        Octets octets = new Octets().u16(channel).u16(data.length).bytes(data);
        return padded ? octets.padTo(4).toArray() : octets.toArray();
    }

    private static Octets address(Endpoint endpoint) {
        return new Octets()
                .u8(0)
                .u8(1)
                .u16(endpoint.port() ^ 0x2112)
                .u32((endpoint.low() ^ 0x2112a442L) & 0xffff_ffffL);
    }

    private static byte[] stun(int type, Octets attributes) {
        return new Octets()
                .u16(type)
                .u16(attributes.length())
                .u32(0x2112a442L)
                .bytes(TRANSACTION)
                .bytes(attributes.toArray())
                .toArray();
    }

    private static Octets attribute(Octets to, int type, byte[] value) {
        return to.u16(type).u16(value.length).bytes(value).padTo(4);
    }

    private static byte[] indication(int type, Endpoint peer, byte[] data) {
        return stun(
                type, attribute(attribute(new Octets(), 0x0012, address(peer).toArray()), 0x0013, data));
    }

    private static byte[] allocated() {
        return stun(0x0103, attribute(new Octets(), 0x0016, address(RELAYED).toArray()));
    }

    private static byte[] bind(int channel, Endpoint peer) {
        Octets attributes =
                attribute(new Octets(), 0x000c, new Octets().u16(channel).u16(0).toArray());
        return stun(0x0009, attribute(attributes, 0x0012, address(peer).toArray()));
    }

    /** How a datagram between relay and peer looks between client and relay. */
    private interface Wrap {
        void wrap(Rewrapped.Datagram datagram, boolean isSent, Rewrapped to);
    }

    private static final Wrap CHANNELS = new Wrap() {
        private final List<Integer> bound = new ArrayList<>();

        @Override
        public void wrap(Rewrapped.Datagram datagram, boolean isSent, Rewrapped to) {
            Endpoint peer = isSent ? datagram.destination() : datagram.source();
            int channel = CHANNEL + peer.port() % 2; // RTCP has one of its own
            long at = datagram.timestampNs();
            if (!bound.contains(channel)) {
                bound.add(channel);
                to.udp(at - 2000, SERVER, CLIENT, allocated());
                to.udp(at - 1000, CLIENT, SERVER, bind(channel, peer));
            }
            byte[] data = channelData(channel, datagram.payload(), isSent);
            to.udp(at, isSent ? CLIENT : SERVER, isSent ? SERVER : CLIENT, data);
        }
    };

    private static final Wrap INDICATIONS = (datagram, isSent, to) -> {
        Endpoint peer = isSent ? datagram.destination() : datagram.source();
        byte[] message = indication(isSent ? 0x0016 : 0x0017, peer, datagram.payload());
        to.udp(datagram.timestampNs() - 10, SERVER, CLIENT, allocated());
        to.udp(datagram.timestampNs(), isSent ? CLIENT : SERVER, isSent ? SERVER : CLIENT, message);
    };

    private static List<Frame> relayed(Wrap wrap, boolean isOutsideToo) {
        return Rewrapped.of(PLAIN, (datagram, to) -> {
            boolean isSent = isRelay(datagram.source());
            if (!datagram.isMedia() || !isSent && !isRelay(datagram.destination())) {
                to.udp(datagram);
                return;
            }
            if (isOutsideToo && !isSent) {
                to.udp(datagram); // comes in to the relay first
            }
            wrap.wrap(datagram, isSent, to);
            if (isOutsideToo && isSent) {
                to.udp(datagram);
            }
        });
    }

    private static boolean isRelay(Endpoint endpoint) {
        return endpoint.low() == RELAYED.low();
    }

    private static AnalysisResult analysed(List<Frame> frames) {
        return Analysis.run(
                new MemorySource(frames, 100), AnalysisOptions.defaults().withLanes(2));
    }

    private static List<String> streams(AnalysisResult result) {
        assertThat(result.calls()).hasSize(1);
        return result.calls().getFirst().streams().stream()
                .map(TurnRelaysTest::line)
                .toList();
    }

    private static String line(StreamReport stream) {
        var statistics = stream.statistics();
        return stream.source() + " > " + stream.destination() + " distinct " + statistics.distinct() + " lost "
                + statistics.lost() + " duplicates " + (statistics.duplicates() - statistics.mirrored()) + " jitter "
                + statistics.meanJitterMs();
    }

    @Test
    void channelDataIsMediaOfTheRelayedAddress() {
        AnalysisResult result = analysed(relayed(CHANNELS, false));
        assertThat(streams(analysed(PLAIN))).hasSize(2);
        assertThat(streams(result)).isEqualTo(streams(analysed(PLAIN)));
        assertThat(result.capture().rtcpPackets())
                .isEqualTo(analysed(PLAIN).capture().rtcpPackets())
                .isPositive();
    }

    @Test
    void indicationsAreMediaOfTheRelayedAddress() {
        assertThat(streams(analysed(relayed(INDICATIONS, false)))).isEqualTo(streams(analysed(PLAIN)));
    }

    @Test
    void channelsAreReadFromTcpStreams() {
        for (int segmentBytes : new int[] {50, 1400}) {
            boolean[] isBound = {false};
            List<Frame> frames = Rewrapped.of(PLAIN, (datagram, to) -> {
                boolean isSent = isRelay(datagram.source());
                if (!datagram.isMedia() || !isSent && !isRelay(datagram.destination())) {
                    to.udp(datagram);
                    return;
                }
                Endpoint peer = isSent ? datagram.destination() : datagram.source();
                int channel = CHANNEL + peer.port() % 2;
                long at = datagram.timestampNs();
                if (!isBound[0]) {
                    isBound[0] = true;
                    to.tcp(at - 2000, SERVER, CLIENT, allocated(), 1400);
                    to.tcp(at - 1000, CLIENT, SERVER, bind(CHANNEL, peer.withPort(peer.port() & ~1)), 1400);
                    to.tcp(at - 1000, CLIENT, SERVER, bind(CHANNEL + 1, peer.withPort(peer.port() | 1)), 1400);
                }
                byte[] data = channelData(channel, datagram.payload(), true);
                to.tcp(at, isSent ? CLIENT : SERVER, isSent ? SERVER : CLIENT, data, segmentBytes);
            });
            assertThat(streams(analysed(frames))).isEqualTo(streams(analysed(PLAIN)));
        }
    }

    @Test
    void mediaOnBothSidesOfTheRelayCountsOnce() {
        for (Wrap wrap : List.of(CHANNELS, INDICATIONS)) {
            assertThat(streams(analysed(relayed(wrap, true)))).isEqualTo(streams(analysed(PLAIN)));
        }
    }

    @Test
    void withoutTheAllocationTheClientStandsForItsRelayedAddress() {
        List<Frame> plain = new Traffic(8)
                .call(call -> call.mediaAt(Party.CALLER, CLIENT).completed(Party.CALLER, 2000))
                .capture()
                .frames();
        List<Frame> frames = Rewrapped.of(plain, (datagram, to) -> {
            if (datagram.isRtp() && datagram.source().equals(CLIENT)) {
                to.udp(datagram.timestampNs(), CLIENT, SERVER, channelData(CHANNEL, datagram.payload(), false));
            } else if (!datagram.isMedia()) {
                to.udp(datagram);
            }
        });
        AnalysisResult result = analysed(frames);
        assertThat(result.calls().getFirst().streams()).singleElement().satisfies(stream -> {
            assertThat(stream.source()).isEqualTo(CLIENT);
            assertThat(stream.destination()).isEqualTo(SERVER);
        });
    }

    @Test
    void whatIsNoMediaIsCounted() {
        List<Frame> frames = Rewrapped.of(PLAIN, (datagram, to) -> {
            if (!datagram.isMedia()) {
                to.udp(datagram);
            } else {
                to.udp(datagram.timestampNs(), CLIENT, SERVER, channelData(CHANNEL, new byte[20], false));
            }
        });
        assertThat(analysed(frames).capture().counters())
                .extracting(CaptureReport.Counter::name)
                .contains("udpUnknown");
    }

    @Test
    void clientsAndChannelsAreBounded() {
        try (Arena arena = Arena.ofConfined()) {
            CarriedStage stage = new CarriedStage(arena, new Failures());
            BatchEvents out = new BatchEvents();
            List<CarriedStage.Packet> packets = new ArrayList<>();
            for (int i = 0; i < TurnRelays.MOST_CHANNELS + 3; i++) {
                packets.add(packet(arena, CLIENT, bind(0x4000 + i, RELAYED), i));
            }
            for (int i = 0; i < TurnRelays.MOST_CLIENTS + 1; i++) {
                packets.add(packet(arena, Endpoint.ofIpv4(i, 1), bind(0x4000, RELAYED), 1000 + i));
            }
            stage.accept(packets, 0, Long.MAX_VALUE, out);
            assertThat(stage.relays().refusedChannels().count()).isEqualTo(3);
            assertThat(stage.relays().evicted().count()).isEqualTo(2);
        }
    }

    private static CarriedStage.Packet packet(Arena arena, Endpoint source, byte[] bytes, int number) {
        var segment = arena.allocate(bytes.length).copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
        return new CarriedStage.Packet(
                CarriedStage.Packet.Kind.TURN,
                segment,
                0,
                bytes.length,
                bytes.length,
                new io.offhook.calls.event.PacketContext(number, number, source, SERVER));
    }

    @Test
    void anyBytesAndAnyLengthAreRead() {
        try (Arena arena = Arena.ofConfined()) {
            Failures failures = new Failures();
            CarriedStage stage = new CarriedStage(arena, failures);
            BatchEvents out = new BatchEvents();
            byte[] rtp = Frames.rtp(1, 40);
            for (byte[] whole : List.of(
                    channelData(CHANNEL, rtp, true),
                    indication(0x16, RELAYED, rtp),
                    allocated(),
                    bind(CHANNEL, RELAYED))) {
                for (int length = 4; length <= whole.length; length++) {
                    byte[] cut = java.util.Arrays.copyOf(whole, length);
                    stage.accept(List.of(packet(arena, CLIENT, cut, length)), 0, Long.MAX_VALUE, out);
                    for (int at = 0; at < length; at++) {
                        byte[] changed = cut.clone();
                        changed[at] ^= (byte) 0xff;
                        stage.accept(List.of(packet(arena, CLIENT, changed, length)), 0, Long.MAX_VALUE, out);
                    }
                }
            }
            assertThat(failures.first()).isNull();
            assertThat(failures.of(Failures.Kind.PACKET).count()).isZero();
        }
    }
}
