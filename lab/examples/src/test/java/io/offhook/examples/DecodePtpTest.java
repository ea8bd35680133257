package io.offhook.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.Protocol;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.packet.fields.PacketDump;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.Protocols;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A protocol that Offhook does not know: registered by hand, and found as a service. */
class DecodePtpTest {
    /** A sync of domain 3 with sequence number 258, behind it two bytes that pad the frame. */
    private static final String SYNC = "0002002c" + "03000200" + "000000000000000000000000" + "00112233fffe4455"
            + "00010102" + "0000" + "00000000000000000000" + "ffff";

    private static final String ETHERNET = "011b19000000" + "001122334455" + "88f7";

    private static MemorySegment segment(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    private static PacketWalker walk(Protocols protocols, String hex) {
        PacketWalker walker = new PacketWalker(protocols);
        MemorySegment frame = segment(hex);
        int length = (int) frame.byteSize();
        walker.walk(frame, 0, length, length, LinkType.ETHERNET);
        return walker;
    }

    @Test
    void isALayerOfTheWalk() {
        PacketWalker walker = walk(Protocols.builtIn().with(DecodePtp.PtpProtocol::new), ETHERNET + SYNC);

        assertThat(walker.layerType(1)).isEqualTo(LayerType.REGISTERED);
        assertThat(walker.protocol(1)).isInstanceOf(DecodePtp.PtpProtocol.class);
        assertThat(walker.layerHeaderLength(1)).isEqualTo(34);
        assertThat(walker.layerLength(1)).isEqualTo(44);
    }

    @Test
    void isFoundAsAService() {
        PacketWalker walker = walk(Protocols.installed(), ETHERNET + SYNC);

        assertThat(walker.protocol(1)).extracting(Protocol::label).isEqualTo("ptp");
    }

    @Test
    void isALineAndFieldsOfThePacket() {
        PacketWalker walker = walk(Protocols.installed(), ETHERNET + SYNC);
        PacketSummary summary = new PacketSummary(new ApplicationRecognizer());
        summary.describe(walker, LinkType.ETHERNET);
        Names names = new Names();
        new PacketDump().describe(walker, summary, names);

        assertThat(summary.protocol()).isEqualTo("PTP");
        assertThat(summary.info()).hasToString("sync domain 3 sequence 258");
        assertThat(names.all)
                .containsSubsequence(
                        "[ethernet]",
                        "[ptp]",
                        "messageType 0",
                        "version 2",
                        "messageLength 44",
                        "domain 3",
                        "clockIdentity 8",
                        "portNumber 1",
                        "sequenceId 258",
                        "[payload]");
    }

    @Test
    void isBehindUdpWhereItsVersionIs() {
        String ip = "0180c200000e" + "001122334455" + "0800" + "450000480000000001110000" + "c0000201" + "e0000181"
                + "013f013f00340000";
        PacketWalker walker = walk(Protocols.installed(), ip + SYNC);
        assertThat(walker.protocol(walker.transport() + 1))
                .extracting(Protocol::label)
                .isEqualTo("ptp");

        PacketWalker other = walk(Protocols.installed(), ip + SYNC.replaceFirst("0002", "0001"));
        assertThat(other.has(LayerType.REGISTERED)).isFalse();
    }

    private static final class Names implements FieldVisitor {
        final List<String> all = new ArrayList<>();

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {
            all.add("[" + label + "]");
        }

        @Override
        public void number(String name, long value) {
            all.add(name + " " + value);
        }

        @Override
        public void flag(String name, boolean value) {
            all.add(name + " " + value);
        }

        @Override
        public void text(String name, String value) {
            all.add(name + " " + value);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            all.add(name + " " + length);
        }
    }
}
