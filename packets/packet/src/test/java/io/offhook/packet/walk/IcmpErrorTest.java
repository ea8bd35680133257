package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class IcmpErrorTest {
    private final IcmpError error = new IcmpError();

    @Test
    void findsThePacketThatAnErrorQuotes() {
        PacketWalker walker = GoldenFrame.of("icmpUnreachable").walk();
        assertThat(error.find(walker)).isTrue();
        assertThat(error.type()).isEqualTo(IcmpView.DESTINATION_UNREACHABLE);
        assertThat(error.code()).isEqualTo(3);
        assertThat(error.length()).isEqualTo(28);
        assertThat(error.wireLength()).isEqualTo(28);

        PacketWalker quoted = new PacketWalker();
        quoted.walk(error.segment(), error.offset(), error.length(), error.wireLength(), LinkType.RAW);
        assertThat(PacketWalkerTest.layers(quoted)).containsExactly("ipv4", "udp");
        assertThat(quoted.sourcePort()).isEqualTo(5060);
        assertThat(quoted.destinationPort()).isEqualTo(5062);
        assertThat(quoted.payloadWireLength()).as("what the quoted packet had").isEqualTo(12);
        assertThat(quoted.isSnapped()).isTrue();
    }

    @Test
    void findsItInIcmpv6Too() {
        GoldenFrame six = GoldenFrame.of("raw6");
        String inner = "60000000 0014 11 40" + "20010db8000000000000000000000001".repeat(2) + "13c413c600140000";
        String hex =
                "60000000 0038 3a 40" + "20010db8000000000000000000000002".repeat(2) + "02 00 0000 00000500" + inner;
        MemorySegment segment = GoldenFrame.segment(hex);
        int length = (int) segment.byteSize();
        PacketWalker walker = new PacketWalker();
        walker.walk(segment, 0, length, length, LinkType.RAW);

        assertThat(error.find(walker)).isTrue();
        assertThat(error.type()).isEqualTo(Icmpv6View.PACKET_TOO_BIG);
        assertThat(error.offset()).isEqualTo(48);
        assertThat(error.length()).isEqualTo(48);
        walker.walk(six.segment(), 0, six.length(), six.length(), LinkType.RAW);
        assertThat(error.find(walker)).as("UDP quotes nothing").isFalse();
    }

    @Test
    void reportsHowMuchOfAQuoteWasSnapped() {
        GoldenFrame frame = GoldenFrame.of("icmpUnreachable");
        PacketWalker walker = new PacketWalker();
        walker.walk(frame.segment(), 0, frame.length() - 10, frame.length(), LinkType.ETHERNET);

        assertThat(error.find(walker)).isTrue();
        assertThat(error.length()).isEqualTo(18);
        assertThat(error.wireLength()).isEqualTo(28);
    }

    @Test
    void takesAnEchoForNoError() {
        assertThat(error.find(GoldenFrame.of("icmpEcho").walk())).isFalse();
        assertThat(error.find(GoldenFrame.of("icmpv6Echo").walk())).isFalse();
        assertThat(error.find(GoldenFrame.of("arp").walk())).isFalse();
    }

    @Test
    void needsAByteToQuote() {
        GoldenFrame frame = GoldenFrame.of("icmpUnreachable");
        PacketWalker walker = new PacketWalker();
        walker.walk(frame.segment(), 0, 14 + 20 + 8, frame.length(), LinkType.ETHERNET);

        assertThat(walker.transport()).isEqualTo(2);
        assertThat(error.find(walker)).isFalse();
    }
}
