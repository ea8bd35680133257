package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.proxy.Sipp.Message;
import io.offhook.cli.proxy.Sipp.Messages;
import io.offhook.packet.application.HepReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A collector beside calls of sipp through the proxy. */
@DisabledIf(value = "io.offhook.cli.proxy.Sipp#isMissing", disabledReason = "sipp is not installed")
@Timeout(180)
class MirroredCallsTest {
    private static final int UDP = 17;

    @TempDir
    Path folder;

    /** A message on its hop, with what is the same in all packets of a call. */
    private record Hop(int fromPort, int toPort, String text, String correlation) {}

    @Test
    void theCollectorSeesEachMessageOnceOnEachHopAndInEachDirection() throws Exception {
        SippScenario alice = SippScenario.caller()
                .request("INVITE")
                .again("INVITE")
                .mayReceive(100)
                .receive(180)
                // again, if the callee was faster than the repeated INVITE
                .mayReceive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .receive(200);
        SippScenario bob = SippScenario.callee()
                .receiveInvite()
                .answer(180)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
        Path key = Files.writeString(folder.resolve("key"), "secret\n");
        try (DatagramSocket collector = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RunningProxy proxy = RunningProxy.with(
                        "hep: {host: 127.0.0.1, port: %d, capture-id: 7, node-name: edge, auth-key-file: %s}\n"
                                .formatted(collector.getLocalPort(), key));
                Sipp callee = Sipp.callee(folder, bob);
                Sipp caller = Sipp.caller(folder, alice, proxy, callee.port())) {
            List<Hop> expected = hops(caller.await(), caller.port(), proxy.port());
            expected.addAll(hops(callee.await(), callee.port(), proxy.port()));
            long nowNs = System.currentTimeMillis() * 1_000_000;

            List<Hop> mirrored = new ArrayList<>();
            while (mirrored.size() < expected.size()) {
                HepReader packet = receive(collector);
                assertThat(packet.agent()).isEqualTo(7);
                assertThat(packet.authenticationKey()).isEqualTo("secret");
                assertThat(packet.nodeName()).isEqualTo("edge");
                assertThat(packet.protocol()).isEqualTo(UDP);
                assertThat(packet.source().addressText()).isEqualTo("127.0.0.1");
                assertThat(packet.destination().addressText()).isEqualTo("127.0.0.1");
                assertThat(packet.timestampNs()).isBetween(nowNs - 300_000_000_000L, nowNs + 300_000_000_000L);
                mirrored.add(hop(packet));
            }
            assertThat(mirrored).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(proxy.causes("mirror")).containsEntry("sent", (long) expected.size());
            assertThat(proxy.causes("mirror")).containsEntry("queue_full", 0L).containsEntry("send_failed", 0L);
        }
    }

    private HepReader receive(DatagramSocket collector) throws IOException {
        DatagramPacket datagram = new DatagramPacket(new byte[65_536], 65_536);
        collector.receive(datagram);
        byte[] octets = Arrays.copyOf(datagram.getData(), datagram.getLength());
        segment = MemorySegment.ofArray(octets);
        HepReader packet = new HepReader();
        assertThat(packet.read(segment, 0, octets.length)).isTrue();
        return packet;
    }

    private MemorySegment segment = MemorySegment.NULL;

    private Hop hop(HepReader packet) {
        byte[] text =
                segment.asSlice(packet.payloadOffset(), packet.payloadLength()).toArray(ValueLayout.JAVA_BYTE);
        return new Hop(
                packet.source().port(),
                packet.destination().port(),
                new String(text, StandardCharsets.ISO_8859_1),
                packet.correlationId());
    }

    /** The messages as sipp has logged them, at its end. */
    private static List<Hop> hops(Messages messages, int port, int proxyPort) {
        List<Hop> hops = new ArrayList<>();
        for (Message message : messages.all()) {
            hops.add(new Hop(
                    message.isSent() ? port : proxyPort,
                    message.isSent() ? proxyPort : port,
                    message.text(),
                    message.header("Call-ID")));
        }
        return hops;
    }
}
