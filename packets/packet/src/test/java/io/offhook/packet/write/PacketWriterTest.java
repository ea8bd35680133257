package io.offhook.packet.write;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.checksum.InternetChecksum.Verdict;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketWriterTest {
    private final MemorySegment segment = Arena.ofAuto().allocate(70_000);
    private final PacketWriter writer = new PacketWriter();
    private final PacketWalker walker = new PacketWalker();

    static List<WrittenSample> samples() {
        return WrittenSample.all();
    }

    static Stream<String> golden() {
        return WrittenSample.golden().keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void writesWhatTheWalkerFindsWithRightLengthsAndChecksums(WrittenSample sample) {
        walk(sample.bytes(), sample.linkType());

        assertThat(layers()).isEqualTo(sample.layers());
        assertThat(walker.stop()).isIn(PacketWalker.Stop.COMPLETE, PacketWalker.Stop.UNSUPPORTED);
        assertThat(walker.isSnapped()).isFalse();
        int checked = 0;
        for (int i = 0; i < walker.layerCount(); i++) {
            long end = walker.layerOffset(i) + walker.layerLength(i);
            assertThat(end).as("end of %s", walker.layerType(i)).isEqualTo(sample.bytes().length);
            Verdict verdict = InternetChecksum.of(walker, i);
            assertThat(verdict).as(walker.layerType(i).toString()).isNotIn(Verdict.WRONG, Verdict.PARTIAL);
            checked += verdict == Verdict.CORRECT ? 1 : 0;
        }
        boolean hasChecksum = walker.network() >= 0 && walker.indexOf(LayerType.ESP) < 0;
        assertThat(checked).isGreaterThanOrEqualTo(hasChecksum ? 1 : 0);
    }

    /** The frames of {@code frames.tsv} were made by another writer. */
    @ParameterizedTest
    @MethodSource("golden")
    void writesTheBytesOfTheGoldenFrame(String name) {
        int length = requireNonNull(WrittenSample.golden().get(name))
                .apply(writer.begin(segment, 0))
                .finish();

        assertThat(HexFormat.of().formatHex(bytes(length)))
                .isEqualTo(HexFormat.of().formatHex(GoldenFrame.of(name).bytes()));
    }

    private byte[] bytes(int length) {
        return segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private void walk(byte[] bytes, int linkType) {
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, linkType);
    }

    private String layers() {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < walker.layerCount(); i++) {
            labels.add(walker.layerType(i).label());
        }
        return String.join(",", labels);
    }

    /** Layers in any order that has a number for it, in and over each other. */
    @Test
    void writesAnyStackOfLayersSoThatItIsFoundAgain() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<String> wanted = new ArrayList<>(List.of("ethernet"));
            writer.begin(segment, random.nextInt(64)).ethernet(1, 2);
            long from = writer.lastHeaderOffset();
            for (int tunnels = random.nextInt(4); tunnels > 0; tunnels--) {
                tunnel(random, wanted);
            }
            network(random, wanted);
            writer.udp(5060, 50_001).zeros(random.nextInt(50)).u8(1);
            wanted.addAll(List.of("udp", "payload"));
            int length = writer.finish();

            walker.walk(segment, from, length, length, LinkType.ETHERNET);
            assertThat(layers()).as("seed %d", seed).isEqualTo(String.join(",", wanted));
            for (int i = 0; i < walker.layerCount(); i++) {
                assertThat(InternetChecksum.of(walker, i))
                        .as("seed %d: %s of %s", seed, walker.layerType(i), wanted)
                        .isNotEqualTo(Verdict.WRONG);
            }
            assertThat(InternetChecksum.transport(walker)).as("seed %d", seed).isEqualTo(Verdict.CORRECT);
        }
    }

    private void network(Random random, List<String> wanted) {
        if (random.nextBoolean()) {
            writer.ipv4(random.nextInt(1 << 30), 7);
            wanted.add("ipv4");
            if (random.nextInt(3) == 0) {
                writer.ipv4Options(new byte[1 + random.nextInt(40)]);
            }
            return;
        }
        writer.ipv6(random.nextLong(), 2, 3, random.nextLong());
        wanted.add("ipv6");
        if (random.nextInt(3) == 0) {
            writer.hopByHop(padded(random.nextInt(20)));
            wanted.add("ipv6.hopByHop");
        }
        if (random.nextInt(3) == 0) {
            byte[] addresses = new byte[4 + 32];
            random.nextBytes(addresses);
            writer.routing(random.nextBoolean() ? 0 : 4, random.nextInt(2), addresses);
            wanted.add("ipv6.routing");
        }
        if (random.nextInt(3) == 0) {
            writer.destinationOptions(padded(random.nextInt(20)));
            wanted.add("ipv6.destinationOptions");
        }
    }

    private static byte[] padded(int length) {
        return new byte[length]; // Pad1 each
    }

    private void tunnel(Random random, List<String> wanted) {
        switch (random.nextInt(7)) {
            case 0 -> network(random, wanted);
            case 1 -> {
                network(random, wanted);
                writer.gre(random.nextBoolean() ? GreView.CHECKSUM : 0, 0, 0);
                wanted.add("gre");
            }
            case 2 -> {
                network(random, wanted);
                writer.udp(50_000, PacketWriter.VXLAN_PORT).vxlan(5).ethernet(3, 4);
                wanted.addAll(List.of("udp", "vxlan", "ethernet"));
            }
            case 3 -> {
                network(random, wanted);
                writer.udp(50_000, PacketWriter.GENEVE_PORT)
                        .geneve(5, new byte[0])
                        .ethernet(3, 4)
                        .vlan(5);
                wanted.addAll(List.of("udp", "geneve", "ethernet", "vlan"));
            }
            case 4 -> {
                network(random, wanted);
                writer.udp(50_000, PacketWriter.GTP_U_PORT).gtpU(5, 3);
                wanted.addAll(List.of("udp", "gtpu"));
            }
            case 5 -> {
                network(random, wanted);
                writer.gre(GreView.KEY | GreView.SEQUENCE, 1, 2).ethernet(3, 4);
                wanted.addAll(List.of("gre", "ethernet"));
            }
            default -> {
                network(random, wanted);
                writer.udp(50_000, PacketWriter.VXLAN_GPE_PORT).vxlanGpe(5);
                wanted.addAll(List.of("udp", "vxlan"));
            }
        }
    }

    @Test
    void sumsUpTheLastDestinationOfARoutingHeaderWithSegmentsLeft() {
        byte[] addresses = new byte[36];
        addresses[4 + 15] = 1;
        addresses[4 + 31] = 2;
        for (int type : new int[] {0, 4}) {
            int length = writer.begin(segment, 0)
                    .ipv6(1, 1, 5, 5)
                    .routing(type, 1, addresses)
                    .udp(1, 2)
                    .text("abc")
                    .finish();
            int last = type == 0 ? 2 : 1;
            int pseudo = InternetChecksum.sum(
                    GoldenFrame.segment("0000000000000001 0000000000000001"), 0, 16, last + 17 + 11);
            assertThat(InternetChecksum.sum(segment, length - 11, 11, pseudo)).isEqualTo(0xffff);
        }
    }

    @Test
    void givesTheLastLayerTheLengthAndTheChecksumThatOneWants() {
        int length = writer.begin(segment, 0)
                .ipv4(1, 2)
                .length(99)
                .udp(3, 4)
                .checksum(0x1234)
                .length(77)
                .text("abc")
                .finish();

        assertThat(length).isEqualTo(31);
        assertThat(NetworkOrder.u16(segment, 2)).isEqualTo(99);
        assertThat(InternetChecksum.ipv4Header(segment, 0, 20)).isEqualTo(Verdict.CORRECT);
        assertThat(NetworkOrder.u16(segment, 24)).isEqualTo(77);
        assertThat(NetworkOrder.u16(segment, 26)).isEqualTo(0x1234);

        writer.begin(segment, 0)
                .ipv4(1, 2)
                .checksum(5)
                .sctp(1, 2, 3)
                .checksum(0xffff_ffffL)
                .finish();
        assertThat(NetworkOrder.u16(segment, 10)).isEqualTo(5);
        assertThat(NetworkOrder.u32(segment, 28)).isEqualTo(0xffff_ffffL);
    }

    @Test
    void sendsAUdpChecksumOfZeroAsOnes() {
        for (int value = 0; value < 0x10000; value++) {
            writer.begin(segment, 0).ipv4(1, 2).udp(3, 4).u16(value).finish();
            int sum = InternetChecksum.fold(1L + 2 + 17 + 10 + 3 + 4 + 10 + value);
            int wanted = ~sum & 0xffff;
            assertThat(NetworkOrder.u16(segment, 26)).isEqualTo(wanted == 0 ? 0xffff : wanted);
        }
    }

    @Test
    void padsTheFrameAndNotThePacket() {
        int length = writer.begin(segment.fill((byte) 0x55), 0)
                .ethernet(1, 2)
                .ipv4(1, 2)
                .udp(3, 4)
                .text("hi")
                .finish(60);

        assertThat(length).isEqualTo(60);
        assertThat(NetworkOrder.u16(segment, 16)).isEqualTo(30);
        walker.walk(segment, 0, length, length, LinkType.ETHERNET);
        assertThat(walker.payloadLength()).isEqualTo(2);
        assertThat(InternetChecksum.transport(walker)).isEqualTo(Verdict.CORRECT);
        assertThat(NetworkOrder.u8(segment, 44)).isZero();
        assertThat(NetworkOrder.u8(segment, 60)).as("behind it").isEqualTo(0x55);
    }

    @Test
    void writesTextAsUtf8() {
        String text = "aé€\uD83D\uDCDE\u07FF\u0800\uFFFF z";
        int length = writer.begin(segment, 0).text(text).finish();
        assertThat(new String(bytes(length), StandardCharsets.UTF_8)).isEqualTo(text);

        length = writer.begin(segment, 0).text("\uD83D x \uDCDE\uD83D").finish();
        assertThat(new String(bytes(length), StandardCharsets.UTF_8)).isEqualTo("? x ??");
    }

    @Test
    void takesItsPayloadFromAnywhere() {
        MemorySegment from = GoldenFrame.segment("00 11 22 33 44 55");
        CompositeBuffer composite = new CompositeBuffer(2);
        composite.append(from, 4, 2);
        composite.append(from, 0, 2);
        int length = writer.begin(segment, 5, 100)
                .payload(from, 1, 2)
                .payload(composite, 1, 3)
                .payload(new byte[] {9})
                .zeros(1)
                .u8(1)
                .u16(2)
                .u32(3)
                .bits64(4)
                .finish();

        assertThat(HexFormat.of().formatHex(segment.asSlice(5, length).toArray(ValueLayout.JAVA_BYTE)))
                .isEqualTo("1122" + "550011" + "09" + "00" + "01" + "0002" + "00000003" + "0000000000000004");
    }

    @Test
    void picksTheVersionOfTheAddresses() {
        writer.begin(segment, 0)
                .ip(Endpoint.ofIpv4(0x01020304, 5), Endpoint.ofIpv4(-1, 6))
                .finish();
        assertThat(NetworkOrder.bits64(segment, 12)).isEqualTo(0x01020304_ffffffffL);
        writer.begin(segment, 0)
                .ip(new Endpoint(1, 2, 3), new Endpoint(4, 5, 6))
                .finish();
        assertThat(NetworkOrder.bits64(segment, 32)).isEqualTo(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.ip(Endpoint.ofIpv4(1, 2), new Endpoint(1, 2, 3)))
                .withMessageContaining("differ in version");
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0, 25).ipv4(1, 2).udp(3, 4))
                .withMessage("udp of 8 bytes does not fit: 20 of 25 are in use");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0, 25).zeros(26))
                .withMessage("payload of 26 bytes does not fit: 0 of 25 are in use");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0, 25).zeros(25).finish(26));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> writer.begin(segment, 69_999, 2));
        writer.begin(segment, 0).ipv4(1, 2).udp(3, 4).zeros(65_508);
        assertThatIllegalArgumentException()
                .isThrownBy(writer::finish)
                .withMessage("udp.length 65516 is not in 0 to 65535".replace("udp.length 65516", "ipv4.length 65536"));
        writer.begin(segment, 0).ieee8023(1, 2).zeros(1501);
        assertThatIllegalArgumentException()
                .isThrownBy(writer::finish)
                .withMessage("ieee8023.length 1501 is not in 0 to 1500");
    }

    @Test
    void refusesWhatCannotFollow() {
        assertThatIllegalStateException().isThrownBy(() -> writer.udp(1, 2)).withMessage("udp: begin a packet first");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0).ethernet(1, 2).udp(1, 2))
                .withMessage("ethernet has no number for udp above it");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0).udp(1, 2).options())
                .withMessage("options must follow tcp");
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> writer.begin(segment, 0).tcp(1, 2, 3, 4, 0).u8(1).options())
                .withMessageContaining("something else follows");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0).length(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0).tcp(1, 2, 3, 4, 0).length(1))
                .withMessage("tcp has no length field");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.begin(segment, 0).ethernet(1, 2).checksum(1))
                .withMessage("ethernet has no checksum field");
        assertThatIllegalStateException().isThrownBy(() -> {
            TcpOptionWriter options =
                    writer.begin(segment, 0).tcp(1, 2, 3, 4, 0).options();
            options.end().text("x");
            options.noOperation();
        });
        assertThatIllegalStateException().isThrownBy(() -> {
            writer.begin(segment, 0);
            for (int i = 0; i <= PacketWriter.MAX_LAYERS; i++) {
                writer.mpls(1, 0, 1);
            }
        });
        writer.begin(segment, 0).ipv4(1, 2).finish();
        assertThatIllegalStateException().isThrownBy(writer::finish);
        assertThatIllegalStateException().isThrownBy(() -> writer.text("x"));
    }

    @Test
    void refusesWhatAFieldCannotHold() {
        writer.begin(segment, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.udp(65_536, 1))
                .withMessage("sourcePort 65536 is not in 0 to 65535");
        assertThatIllegalArgumentException().isThrownBy(() -> writer.ethernet(1L << 48, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.vlan(4096));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.mpls(1 << 20, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.ipv4(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.gre(GreView.ROUTING, 0, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.gre(0, 5, 0))
                .withMessage("key 5 is not in 0 to 0");
        assertThatIllegalArgumentException().isThrownBy(() -> writer.geneve(1, new byte[3]));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.routing(0, 0, new byte[5]));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.u8(256));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.ipv4(1, 2).ipv4Options(new byte[41]))
                .withMessage("ipv4Options.length 41 is not in 0 to 40");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.tcp(1, 2, 3, 4, 0)
                        .options()
                        .timestamps(1, 2)
                        .timestamps(1, 2)
                        .timestamps(1, 2)
                        .timestamps(1, 2)
                        .noOperation())
                .withMessage("options.length 41 is not in 0 to 40");
    }

    @Test
    void allocatesNothing() {
        byte[] options = new byte[6];
        byte[] payload = new byte[160];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long sum = 0;
        for (int round = 0; round < 20_000; round++) {
            sum += write(options, payload, round);
        }
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 2_000; round++) {
                sum += write(options, payload, round);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(sum).isNotZero();
        assertThat(least).isLessThan(1_000);
    }

    private int write(byte[] options, byte[] payload, int round) {
        int length = writer.begin(segment, 0)
                .ethernet(1, 2)
                .vlan(100, tag -> tag.priority(3))
                .ipv4(1, round, ip -> ip.ttl(3))
                .udp(50_000, PacketWriter.VXLAN_PORT)
                .vxlan(3)
                .ethernet(3, 4)
                .ipv6(1, 2, 3, round)
                .hopByHop(options)
                .tcp(1, 2, round, 4, TcpView.ACK)
                .options()
                .timestamps(round, 2)
                .sack(3, 4)
                .end()
                .text("INVITE ")
                .payload(payload)
                .finish();
        return length
                + writer.begin(segment, 0)
                        .ipv4(1, 2)
                        .sctp(1, 2, 3)
                        .sctpData(4, 5, 6, 7)
                        .payload(payload)
                        .finish();
    }

    /** Golden bytes of RFC 2385, RFC 5925, RFC 7413, RFC 5482 and RFC 8684; read again by TcpOptions. */
    @Test
    void writesTcpOptionsThatOthersSeldomHave() {
        MemorySegment segment = Arena.ofAuto().allocate(200);
        PacketWriter writer = new PacketWriter();
        assertThat(optionsOf(writer, segment, options -> options.md5Signature(new byte[16])))
                .isEqualTo("1312" + "00".repeat(16) + "0000");
        assertThat(optionsOf(writer, segment, options -> options.authentication(1, 255, new byte[] {9, 8})))
                .isEqualTo("1d06" + "01ff" + "0908" + "0000");
        assertThat(optionsOf(writer, segment, options -> options.fastOpen(new byte[0])))
                .isEqualTo("22020000");
        assertThat(optionsOf(writer, segment, options -> options.fastOpen(new byte[] {1, 2, 3, 4})))
                .isEqualTo("2206" + "01020304" + "0000");
        assertThat(optionsOf(writer, segment, options -> options.userTimeout(32_767)))
                .isEqualTo("1c047fff");
        assertThat(optionsOf(writer, segment, options -> options.userTimeout(36_000)))
                .isEqualTo("1c048258");
        assertThat(optionsOf(writer, segment, options -> options.multipath(0, 1, new byte[] {(byte) 0x81})))
                .isEqualTo("1e040181");
        TcpOptions read = new TcpOptions();
        read.wrap(GoldenFrame.segment("1c048258"), 0, 4);
        assertThat(read.next()).isTrue();
        assertThat(read.userTimeoutSeconds()).isEqualTo(36_000);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> optionsOf(writer, segment, options -> options.md5Signature(new byte[15])))
                .withMessage("md5Digest.length 15 is not in 16 to 16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optionsOf(writer, segment, options -> options.fastOpen(new byte[5])));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optionsOf(writer, segment, options -> options.userTimeout(32_768)))
                .withMessage("userTimeoutSeconds 32768 is not a multiple of 60");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optionsOf(writer, segment, options -> options.authentication(0, 0, new byte[37])));
    }

    private static String optionsOf(
            PacketWriter writer, MemorySegment segment, java.util.function.UnaryOperator<TcpOptionWriter> options) {
        int length = options.apply(
                        writer.begin(segment, 0).tcp(1, 2, 3, 4, TcpView.SYN).options())
                .end()
                .finish();
        return HexFormat.of().formatHex(segment.asSlice(20, length - 20L).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void saysWhichLayersThereAreSoFar() {
        MemorySegment segment = Arena.ofAuto().allocate(200);
        PacketWriter writer =
                new PacketWriter().begin(segment, 0).ethernet(1, 2).ipv4(3, 4).udp(5, 6);
        assertThat(writer).hasToString("packet of 42 bytes so far: ethernet ipv4 udp");
    }
}
