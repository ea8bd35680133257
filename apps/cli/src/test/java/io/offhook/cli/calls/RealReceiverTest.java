package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.testkit.network.ImpairedPath;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call of two baresips over a path that delays and drops packets on purpose, captured at the receiver: what Offhook
 * reports beside what the receiver counted. docs/CONFORMANCE.md, "Real receivers", has the figures.
 */
class RealReceiverTest {
    private static final int CALL_PACKETS = 1000;
    private static final int BUFFER_MS = 100; // baresip's: 5 packets of 20 ms
    private static final int BUFFER_PACKETS = 5;
    private static final double CLOCK_MS = 1; // what the clock of the capture may gain on the other in the call

    /** A packet that left the path, with a transit between two values. */
    private record Sent(int sequence, double leastTransitMs, double mostTransitMs) {}

    private final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch isLongEnough = new CountDownLatch(CALL_PACKETS);
    private int packets;
    private int dropped;

    @Test
    void agreesWithBaresipOnWhatIsLostAndWhatIsTooLate(@TempDir Path folder) throws Exception {
        assumeTrue(Network.isPossible(), "networks need root and ip");
        assumeFalse(Baresip.isMissing(), "baresip is not installed");
        assumeFalse(Program.isMissing("tcpdump", "--version"), "tcpdump is not installed");
        assumeFalse(Program.isMissing("ethtool", "--version"), "ethtool is not installed");
        Path capture = folder.resolve("call.pcap");
        String receiver;
        try (Network network = Network.routed()) {
            network.left().address("l0", "10.9.0.1/24");
            network.right().address("r0", "10.9.0.2/24");
            network.left().run("ethtool", "-K", "l0", "tx", "off");
            network.right().run("ethtool", "-K", "r0", "tx", "off");
            try (ImpairedPath _ = new ImpairedPath(network, this::fate, this::left)) {
                receiver = call(network, folder, capture);
            }
        }
        compare(stream(capture, "fixed:" + BUFFER_MS), receiver);
    }

    private String call(Network network, Path folder, Path capture) throws Exception {
        try (TrafficCapture packets = new TrafficCapture(network, network.right(), "r0", capture, "10.9.0.1");
                Baresip callee = new Baresip(
                        network,
                        network.right(),
                        folder.resolve("callee"),
                        new Baresip.Setup(
                                "<sip:bob@10.9.0.2>;regint=0;answermode=auto", "10.9.0.2:5060", 20_000, 4444));
                Baresip caller = new Baresip(
                        network,
                        network.left(),
                        folder.resolve("caller"),
                        new Baresip.Setup("<sip:alice@10.9.0.1>;regint=0", "10.9.0.1:5060", 30_000, 4444))) {
            caller.command("dial", "sip:bob@10.9.0.2");
            caller.await("CALL_ESTABLISHED");
            callee.await("CALL_ESTABLISHED");
            assertThat(isLongEnough.await(60, TimeUnit.SECONDS)).isTrue();
            caller.command("hangup", "");
            callee.await("CALL_CLOSED");
            packets.end();
            return callee.end();
        }
    }

    /** Of the first 600 packets of the caller, 12 s: seven are dropped, three of them in a row, and some delayed. */
    private int fate(byte[] frame) {
        if (!isMedia(frame)) {
            return 0;
        }
        int number = packets++;
        if (number < 100 || number >= 600) {
            return 0;
        }
        if (number % 100 == 0 || number == 301 || number == 302) {
            dropped++;
            return ImpairedPath.DROP;
        }
        return switch (number % 50) {
            case 10 -> 250; // more than any of the two waits
            case 25 -> 60; // less than both
            case 40 -> 112; // more than 100 ms, but less than the sixth packet after it
            default -> 0;
        };
    }

    private void left(byte[] frame, long afterNanoTime, long beforeNanoTime) {
        if (isMedia(frame)) {
            ByteBuffer rtp = ByteBuffer.wrap(frame, 42, frame.length - 42).slice();
            double mediaMs = Integer.toUnsignedLong(rtp.getInt(4)) / 8.0;
            sent.add(new Sent(rtp.getShort(2) & 0xFFFF, afterNanoTime / 1e6 - mediaMs, beforeNanoTime / 1e6 - mediaMs));
            isLongEnough.countDown();
        }
    }

    /** RTP to the callee: UDP over IPv4 without options, to an even port of its range. */
    private static boolean isMedia(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        if (frame.length < 54 || bytes.getShort(12) != 0x0800 || frame[14] != 0x45 || frame[23] != 17) {
            return false;
        }
        int port = bytes.getShort(36) & 0xFFFF;
        return port >= 20_000 && port <= 20_100 && port % 2 == 0;
    }

    private static Map<String, Object> stream(Path capture, String buffer) {
        String json = Offhook.run("calls", "--format", "json", "--jitter-buffer", buffer, capture.toString())
                .out();
        Map<String, Object> call = Json.objects(Json.object(json).get("calls")).getFirst();
        assertThat(call).containsEntry("outcome", "answered");
        return Json.objects(call.get("streams")).stream()
                .filter(each -> Json.text(each, "direction").equals("from caller"))
                .findFirst()
                .orElseThrow();
    }

    private void compare(Map<String, Object> stream, String receiver) {
        long lost = number(stream, "lost");
        long discarded = number(Json.asObject(stream.get("playout")), "discarded");
        long lostByReports = number(Json.asObject(stream.get("farEnd")), "cumulativeLost");
        int lostByBaresip = Baresip.number(receiver, "lost: +\\d+ +(\\d+)");
        int lateByBaresip = Baresip.number(receiver, "errors: +\\d+ +(\\d+)");
        long surelyLate = surelyLate();
        long maybeLate = maybeLate();
        assertThat(dropped).isEqualTo(7);
        assertThat(lost).isEqualTo(dropped);
        assertThat(lostByBaresip).isEqualTo(dropped);
        assertThat(lostByReports).isEqualTo(dropped);
        assertThat(lateByBaresip).isEqualTo(overtaken());
        assertThat(discarded).isBetween(surelyLate, maybeLate);
    }

    private static long number(Map<String, Object> object, String name) {
        return Long.parseLong(Json.text(object, name));
    }

    /** Packets whose transit exceeded that of the first one by more than the buffer: a fixed one, by the clock. */
    private long surelyLate() {
        double first = sent.getFirst().mostTransitMs();
        return sent.stream()
                .filter(packet -> packet.leastTransitMs() - first > BUFFER_MS + CLOCK_MS)
                .count();
    }

    private long maybeLate() {
        double first = sent.getFirst().leastTransitMs();
        return sent.stream()
                .filter(packet -> packet.mostTransitMs() - first > BUFFER_MS - CLOCK_MS)
                .count();
    }

    /** Packets that more than five with higher numbers overtook: a buffer that plays one packet for each that arrives. */
    private long overtaken() {
        long count = 0;
        for (int i = 0; i < sent.size(); i++) {
            short sequence = (short) sent.get(i).sequence();
            long before = sent.subList(0, i).stream()
                    .filter(other -> (short) (other.sequence() - sequence) > 0)
                    .count();
            count += before > BUFFER_PACKETS ? 1 : 0;
        }
        return count;
    }
}
