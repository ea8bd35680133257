package io.offhook.packet.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class LayerFieldsTest {
    private final PacketWalker walker = new PacketWalker();

    @Test
    void reportsTheFieldsOfEveryLayer() {
        assertThat(describe("vlanUdp6", Integer.MAX_VALUE))
                .isEqualTo("ethernet@0 destination=02:00:00:00:00:02 source=02:00:00:00:00:01 type=33024\n"
                        + "vlan@14 priority=5 dropEligible=false id=100 type=34525\n"
                        + "ipv6@18 dscp=46 ecn=0 flowLabel=74565 payloadLength=20 nextHeader=17 hopLimit=63"
                        + " source=2001:db8::1 destination=2001:db8::2\n"
                        + "udp@58 sourcePort=5060 destinationPort=5062 length=20 checksum=60119\n"
                        + "payload@66 length=12 data=68656c6c6f20776f726c6421\n");
    }

    @Test
    void reportsTcpOptions() {
        assertThat(describe("tcpSyn", Integer.MAX_VALUE))
                .contains("maximumSegmentSize=1460 sackPermitted=true timestampValue=1 timestampEchoReply=2"
                        + " windowScale=7")
                .contains("flags=2 ")
                .contains("headerLength=40 ");
        assertThat(describe("tcpSack", Integer.MAX_VALUE)).contains("sack=10-20 30-40");
    }

    @Test
    void reportsWhatHasNoFixedPlace() {
        assertThat(describe("greOptions", Integer.MAX_VALUE)).contains("checksum=4660 key=42 sequenceNumber=7");
        assertThat(describe("pptp", Integer.MAX_VALUE))
                .contains("acknowledgmentNumber=4")
                .contains("ppp@50 protocol=33");
        assertThat(describe("gtpu", Integer.MAX_VALUE)).contains("teid=17").contains("nextExtension=133");
        assertThat(describe("snap", Integer.MAX_VALUE)).contains("length=48").contains("organisation=0 type=2048");
        assertThat(describe("arp", Integer.MAX_VALUE))
                .contains("senderProtocol=192.0.2.1")
                .contains("targetProtocol=192.0.2.9");
        assertThat(describe("nullBig", Integer.MAX_VALUE)).contains("null@0 family=30");
        assertThat(describe("ipv4Options", Integer.MAX_VALUE)).contains("options=94040000");
        assertThat(describe("icmpEcho", Integer.MAX_VALUE)).contains("identifier=1 sequenceNumber=2");
    }

    @Test
    void reportsWhatIsThereOfAHeaderThatIsCutOff() {
        assertThat(describe("udp", 14 + 20 + 5)).endsWith("udp@34! sourcePort=5060 destinationPort=5062\n");
        assertThat(describe("tcpSyn", 14 + 20 + 12)).endsWith("tcp@34! sourcePort=40000 destinationPort=5060\n");
        assertThat(describe("tcpSyn", 14 + 20 + 24))
                .contains("tcp@34! headerLength=24 sourcePort=40000")
                .endsWith("maximumSegmentSize=1460\n");
        assertThat(describe("udp", 14 + 10))
                .contains("ipv4@14! dscp=0 ecn=0 totalLength=40")
                .endsWith("protocol=17\n");
        assertThat(describe("udp", 6)).isEqualTo("ethernet@0! destination=02:00:00:00:00:02\n");
        assertThat(describe("udp", 0)).isEmpty();
    }

    @Test
    void reportsNoAddressesOfWhatIsNoIpHeader() {
        byte[] bytes = GoldenFrame.of("udp").bytes();
        bytes[14] = 0x35;
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.ETHERNET);

        assertThat(describe()).endsWith("ipv4@14!\n").doesNotContain("192.0.2.1");
    }

    @Test
    void printsAMappedAddressAsIpv6() {
        byte[] bytes = GoldenFrame.of("raw6").bytes();
        for (int i = 8; i < 18; i++) {
            bytes[i] = 0;
        }
        bytes[18] = (byte) 0xff;
        bytes[19] = (byte) 0xff;
        walker.walk(GoldenFrame.segment(bytes), 0, bytes.length, bytes.length, LinkType.RAW);

        assertThat(describe()).contains("source=::ffff:0:1");
    }

    private String describe(String name, int captured) {
        GoldenFrame frame = GoldenFrame.of(name);
        walker.walk(frame.segment(), 0, Math.min(captured, frame.length()), frame.length(), frame.linkType());
        return describe();
    }

    private String describe() {
        Lines lines = new Lines();
        new LayerFields().describe(walker, lines);
        return lines.text.isEmpty() ? "" : lines.text.append('\n').substring(1);
    }

    private static final class Lines implements FieldVisitor {
        final StringBuilder text = new StringBuilder();

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {
            text.append('\n').append(label).append('@').append(position).append(isCut ? "!" : "");
        }

        @Override
        public void number(String name, long value) {
            text.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void flag(String name, boolean value) {
            text.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void text(String name, String value) {
            text.append(' ').append(name).append('=').append(value);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            text.append(' ').append(name).append('=');
            for (int i = 0; i < length; i++) {
                text.append(String.format("%02x", NetworkOrder.u8(segment, offset + i)));
            }
        }
    }
}
