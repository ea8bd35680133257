package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Claims;
import io.offhook.packet.EtherType;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerCursor;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.LinkType;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.packet.fields.PacketDump;
import io.offhook.packet.fields.PacketSummary;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protocols of a program's own, in the walk and in what is made of it. */
class RegisteredProtocolsTest {
    private static final int LOCAL_EXPERIMENT = 0x88b5;
    private static final String ETHERNET = "020000000002020000000001";

    /** Two bytes: how long it is, and what follows: 4 for IPv4, 1 for Ethernet. */
    private static final class Wrapper extends Protocol {
        Wrapper() {
            super(
                    "wrapper",
                    "Wrapper",
                    HeaderLayout.of(2).number("length", 0, 8).number("inner", 1, 8));
        }

        @Override
        public Claims claims() {
            return Claims.NONE
                    .etherType(LOCAL_EXPERIMENT)
                    .ipProtocol(253)
                    .linkType(LinkType.USER2)
                    .udp(30000)
                    .tcp(30000);
        }

        @Override
        public boolean accepts(Layer layer) {
            return layer.length() > 0 && layer.u8(0) >= 2;
        }

        @Override
        public int step(LayerCursor cursor) {
            cursor.clip(cursor.u8(0));
            int inner = cursor.u8(1);
            cursor.take(2);
            return inner == 4 ? ETHER_TYPE | EtherType.IPV4 : inner == 1 ? LINK_TYPE | LinkType.ETHERNET : DONE;
        }

        private static final int ETHER_TYPE = LayerCursor.ETHER_TYPE;
        private static final int LINK_TYPE = LayerCursor.LINK_TYPE;
        private static final int DONE = LayerCursor.DONE;

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text("wraps ").number(layer.length() - 2);
            return true;
        }
    }

    /** Reads wrappers. */
    private static final class WrapperView implements LayerView {
        int inner = -1;

        @Override
        public boolean reads(LayerType type) {
            return type == LayerType.REGISTERED;
        }

        @Override
        public boolean readsProtocol(Protocol protocol) {
            return protocol instanceof Wrapper;
        }

        @Override
        public WrapStatus wrap(MemorySegment segment, long offset, int length) {
            if (length < 2) {
                return WrapStatus.TRUNCATED;
            }
            inner = segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, offset + 1);
            return WrapStatus.OK;
        }
    }

    private final PacketWalker walker = new PacketWalker(Protocols.builtIn().with(Wrapper::new));

    private PacketWalker.Stop walk(PacketWalker walker, String hex, int linkType) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, linkType);
    }

    private static String layers(PacketWalker walker) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < walker.layerCount(); i++) {
            Protocol own = walker.protocol(i);
            text.append(own == null ? walker.layerType(i).label() : own.label()).append(' ');
        }
        return text.append(walker.stop()).toString();
    }

    private static String dump(PacketWalker walker, int linkType) {
        PacketSummary summary = new PacketSummary(new ApplicationRecognizer());
        summary.describe(walker, linkType);
        Text text = new Text();
        new PacketDump().describe(walker, summary, text);
        return summary.protocol() + ": " + summary.info() + text.to;
    }

    @Test
    void takesAnEtherTypeThatNobodyKnows() {
        String frame = ETHERNET + "88b5" + "0500aabbcc" + "0000";
        assertThat(walk(walker, frame, LinkType.ETHERNET)).isEqualTo(PacketWalker.Stop.COMPLETE);
        assertThat(layers(walker)).isEqualTo("ethernet wrapper payload COMPLETE");
        assertThat(walker.layerLength(1)).isEqualTo(5);
        assertThat(dump(walker, LinkType.ETHERNET))
                .isEqualTo("Wrapper: wraps 3 ethernet destination=02:00:00:00:00:02 source=02:00:00:00:00:01 type=34997"
                        + " wrapper length=5 inner=0 payload length=3 data=3");
    }

    @Test
    void isNotThereWhereNothingIsRegistered() {
        PacketWalker plain = new PacketWalker(Protocols.builtIn());
        assertThat(walk(plain, ETHERNET + "88b5" + "0500aabbcc", LinkType.ETHERNET))
                .isEqualTo(PacketWalker.Stop.UNSUPPORTED);
        assertThat(plain.has(LayerType.REGISTERED)).isFalse();
        assertThat(plain.protocol(0)).isNull();
    }

    @Test
    void leadsOnToBuiltInProtocols() {
        walk(walker, "1201" + ETHERNET + "88b5" + "0200", LinkType.USER2);
        assertThat(layers(walker)).isEqualTo("wrapper ethernet wrapper COMPLETE");
    }

    @Test
    void takesThePayloadOfItsPorts() {
        // Ethernet, IPv4, UDP from 30000 to 40000, 4 bytes
        String udp = ETHERNET + "0800" + "45000020000000004011" + "0000" + "c0000201" + "c0000202" + "75309c40000c0000"
                + "0400ffff";
        walk(walker, udp, LinkType.ETHERNET);
        assertThat(layers(walker)).isEqualTo("ethernet ipv4 udp wrapper payload COMPLETE");
        assertThat(walker.payloadLength()).isEqualTo(4);
        assertThat(walker.transport()).isEqualTo(2);

        String other = udp.replace("0400ffff", "0000ffff"); // which it does not accept
        walk(walker, other, LinkType.ETHERNET);
        assertThat(layers(walker)).isEqualTo("ethernet ipv4 udp payload COMPLETE");
    }

    @Test
    void listsWhatIsCutOff() {
        walk(walker, ETHERNET + "88b5" + "05", LinkType.ETHERNET);
        assertThat(layers(walker)).isEqualTo("ethernet wrapper TRUNCATED");
        assertThat(walker.needed()).isEqualTo(2);
        assertThat(walker.stopProtocol()).isInstanceOf(Wrapper.class);
        assertThat(dump(walker, LinkType.ETHERNET)).startsWith("Wrapper: wraps -1 [wrapper cut]");
    }

    @Test
    void stopsAtItWhereAsked() {
        LayerSet wanted = LayerSet.of(LayerType.REGISTERED);
        byte[] frame = HexFormat.of().parseHex(ETHERNET + "88b5" + "1001" + ETHERNET + "0806");
        assertThat(walker.walk(GoldenFrame.segment(frame), 0, frame.length, frame.length, LinkType.ETHERNET, wanted))
                .isEqualTo(PacketWalker.Stop.REACHED);
        assertThat(layers(walker)).isEqualTo("ethernet wrapper REACHED");
    }

    @Test
    void itsViewIsPutOnIt() {
        walk(walker, ETHERNET + "88b5" + "0507aabbcc", LinkType.ETHERNET);
        WrapperView view = new WrapperView();
        assertThat(walker.find(view)).isTrue();
        assertThat(view.inner).isEqualTo(7);
        int[] reported = {0};
        LayerHandlers handlers = new LayerHandlers().on(view, (wrapper, walked, layer) -> reported[0]++);
        assertThat(handlers.dispatch(walker)).isEqualTo(1);
        assertThat(reported[0]).isEqualTo(1);
    }

    /** Whatever a protocol says, the walk stays in bounds, ends, and lists at most what it may. */
    @Test
    void survivesProtocolsThatLie() {
        long seed = 20_261_123;
        Random random = new Random(seed);
        WalkInvariants invariants = new WalkInvariants();
        LyingProtocol[] made = new LyingProtocol[1];
        PacketWalker lied = new PacketWalker(Protocols.builtIn().with(() -> made[0] = new LyingProtocol(seed)));
        GoldenFrame[] frames = GoldenFrame.all().toArray(GoldenFrame[]::new);
        for (int round = 0; round < 60_000; round++) {
            GoldenFrame frame = frames[random.nextInt(frames.length)];
            byte[] bytes = Arrays.copyOf(frame.bytes(), random.nextInt(frame.length() + 1));
            for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int wire = bytes.length + random.nextInt(3) * 700;
            int linkType = random.nextInt(8) == 0 ? random.nextInt(300) : frame.linkType();
            MemorySegment segment = GoldenFrame.segment(bytes);
            try {
                lied.walk(segment, 0, bytes.length, wire, linkType);
                invariants.check(lied, segment, bytes.length, wire);
                lied.walk(segment, 0, bytes.length, wire, linkType, LayerSet.of(LayerType.REGISTERED, LayerType.GRE));
                invariants.check(lied, segment, bytes.length, wire);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", round " + round + ", "
                                + HexFormat.of().formatHex(bytes),
                        e);
            }
        }
        assertThat(made[0].steps).isGreaterThan(1000);
    }

    private static final class Text implements FieldVisitor {
        final StringBuilder to = new StringBuilder();

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {
            to.append(' ').append(label);
        }

        @Override
        public void number(String name, long value) {
            to.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void flag(String name, boolean value) {
            to.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void text(String name, String value) {
            to.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            to.append(' ').append(name).append('=').append(length);
        }
    }
}
