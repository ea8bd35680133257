package io.offhook.live.packetsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.pcap.CaptureFault;
import io.offhook.testkit.network.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(60)
class IpSnifferTest {
    private static final String MACS = "020000000001" + "020000000002";
    /** UDP from 192.0.2.1:5060 to 192.0.2.2:5062, two bytes. */
    private static final String IPV4 =
            "4500001e" + "00000000" + "40110000" + "c0000201" + "c0000202" + "13c413c6000a0000" + "abcd";
    /** UDP from 2001:db8::1 to 2001:db8::2, one byte. */
    private static final String IPV6 = "60000000" + "00091140" + "20010db8000000000000000000000001"
            + "20010db8000000000000000000000002" + "13c413c600090000" + "ef";

    private static final byte[] IPV4_PADDED = frame(MACS + "0800" + IPV4 + "00".repeat(16));
    private static final byte[] IPV6_PADDED = frame(MACS + "86dd" + IPV6 + "55".repeat(30));
    private static final byte[] TAGGED = frame(MACS + "8100" + "0007" + "0800" + IPV4 + "00".repeat(16));
    private static final byte[] ARP = frame(MACS + "0806" + "0001080006040001" + "00".repeat(38));

    @AutoClose
    private final Network network = Network.pair();

    private static byte[] frame(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    IpSnifferTest() throws IOException {}

    /** Writes down what it is called with. */
    private static final class Log implements IpSniffer.Handler {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void packet(InetAddress source, InetAddress destination, ByteBuffer packet) {
            byte[] bytes = new byte[packet.remaining()];
            packet.get(bytes);
            lines.add(source.getHostAddress() + " " + destination.getHostAddress() + " "
                    + HexFormat.of().formatHex(bytes));
        }
    }

    @Test
    void handsOverPacketsWithoutThePaddingOfTheLink() throws Exception {
        Log log = new Log();
        IpSniffer sniffer = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT).incoming(log).start());
        network.send(List.of(IPV4_PADDED, ARP, IPV6_PADDED, TAGGED));
        sniffer.close();
        assertThat(log.lines)
                .containsExactly(
                        "192.0.2.1 192.0.2.2 " + IPV4,
                        "2001:db8:0:0:0:0:0:1 2001:db8:0:0:0:0:0:2 " + IPV6,
                        "192.0.2.1 192.0.2.2 " + IPV4);
        assertThat(sniffer.others()).isEqualTo(1);
        assertThat(sniffer.counts().delivered()).isEqualTo(4);
    }

    @Test
    void tellsWhatIsSentFromWhatIsReceived() throws Exception {
        Log sent = new Log();
        Log received = new Log();
        IpSniffer left = network.left()
                .on(() -> IpSniffer.on(Network.LEFT)
                        .incoming(received)
                        .outgoing(sent)
                        .start());
        IpSniffer right = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT).outgoing(received).start());
        network.send(List.of(IPV4_PADDED));
        left.close();
        right.close();
        assertThat(sent.lines).containsExactly("192.0.2.1 192.0.2.2 " + IPV4);
        assertThat(received.lines).isEmpty();
    }

    @Test
    void filters() throws Exception {
        Log log = new Log();
        IpSniffer sniffer = network.right()
                .on(() ->
                        IpSniffer.on(Network.RIGHT).incoming(log).filter("ip6").start());
        network.send(List.of(IPV4_PADDED, IPV6_PADDED));
        sniffer.close();
        assertThat(log.lines).singleElement().asString().endsWith(IPV6);
    }

    @Test
    void reportsThatAHandlerFailed() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        IpSniffer sniffer = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT)
                        .incoming((_, _, _) -> {
                            called.countDown();
                            throw new IllegalArgumentException("no");
                        })
                        .start());
        network.send(List.of(IPV4_PADDED));
        called.await();
        while (sniffer.isRunning()) {
            Thread.onSpinWait();
        }
        assertThat(sniffer.faults()).isEmpty();
        assertThatThrownBy(sniffer::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a packet handler failed, which ended the capture")
                .hasRootCauseMessage("no");
    }

    @Test
    void reportsThatAHandlerFailedByAnError() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        IpSniffer sniffer = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT)
                        .incoming((_, _, _) -> {
                            called.countDown();
                            throw new AssertionError("no");
                        })
                        .start());
        network.send(List.of(IPV4_PADDED));
        called.await();
        assertThatThrownBy(sniffer::close)
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no");
    }

    @Test
    void reportsThatTheInterfaceHasDisappeared() throws Exception {
        Log log = new Log();
        IpSniffer sniffer = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT).incoming(log).start());
        network.send(List.of(IPV4_PADDED));
        assertThat(sniffer.isRunning()).isTrue();
        assertThat(sniffer.faults()).isEmpty();
        network.right().ip("link", "del", Network.RIGHT);
        while (sniffer.isRunning()) {
            Thread.onSpinWait();
        }
        assertThat(sniffer.faults())
                .extracting(CaptureFault::describe)
                .containsExactly("right: the interface has disappeared");
        sniffer.close();
        assertThat(log.lines).hasSize(1);
        assertThat(sniffer.faults()).hasSize(1);
    }

    @Test
    void runsUntilItIsClosed() throws Exception {
        IpSniffer sniffer = network.right()
                .on(() -> IpSniffer.on(Network.RIGHT).incoming(new Log()).start());
        network.right().ip("link", "set", Network.RIGHT, "down");
        network.right().ip("link", "set", Network.RIGHT, "up");
        assertThat(sniffer.isRunning()).isTrue();
        sniffer.close();
        assertThat(sniffer.isRunning()).isFalse();
        assertThat(sniffer.faults()).isEmpty();
    }

    @Test
    void wantsAHandler() {
        assertThatThrownBy(() -> IpSniffer.on("lo").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no handler is set; set one with incoming or outgoing");
    }
}
