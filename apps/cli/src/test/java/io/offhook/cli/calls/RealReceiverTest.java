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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final int MOST_CALLS = 5;
    private static final int STARVED_PACKETS = 5; // from here on, late packets in a row may make a buffer begin anew
    private static final double FAR_MS = 1000; // likewise a packet that is so late or early
    private static final double WINDOW_MS = 10_000; // of which the fastest packet shows how clocks differ
    private static final double MOST_SKEW_MS = 8; // from 10 ms on, the buffer follows
    private static final int MOST_WINDOWS = 12; // more than the patience for the whole call
    private static final int RTP = 42; // its place in a frame
    private static final double CLOCK_MS = 1; // what the clock of the capture may gain on the other in the call

    @Test
    void agreesWithBaresipOnWhatIsLostAndWhatIsTooLate(@TempDir Path folder) throws Exception {
        assumeTrue(Network.isPossible(), "networks need root and ip");
        assumeFalse(Baresip.isMissing(), "baresip is not installed");
        assumeFalse(Program.isMissing("tcpdump", "--version"), "tcpdump is not installed");
        assumeFalse(Program.isMissing("ethtool", "--version"), "ethtool is not installed");
        Plan plan;
        Path capture;
        String receiver;
        int calls = 0;
        do {
            plan = new Plan();
            Path place = Files.createDirectory(folder.resolve("call" + ++calls));
            capture = place.resolve("call.pcap");
            receiver = call(plan, place, capture);
        } while (!plan.deviation().isEmpty() && calls < MOST_CALLS);
        assertThat(plan.deviation())
                .as("%d calls, each on a stalling machine", calls)
                .isEmpty();
        compare(plan, stream(capture, "fixed:" + BUFFER_MS), receiver);
    }

    /** Returns what the receiver printed. */
    private static String call(Plan plan, Path folder, Path capture) throws Exception {
        try (Network network = Network.routed()) {
            network.left().address("l0", "10.9.0.1/24");
            network.right().address("r0", "10.9.0.2/24");
            network.left().run("ethtool", "-K", "l0", "tx", "off");
            network.right().run("ethtool", "-K", "r0", "tx", "off");
            try (ImpairedPath _ = new ImpairedPath(network, plan::fate, plan::left)) {
                return call(plan, network, folder, capture);
            }
        }
    }

    private static String call(Plan plan, Network network, Path folder, Path capture) throws Exception {
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
            assertThat(plan.isLongEnough.await(60, TimeUnit.SECONDS)).isTrue();
            caller.command("hangup", "");
            callee.await("CALL_CLOSED");
            packets.end();
            return callee.end();
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

    private static void compare(Plan plan, Map<String, Object> stream, String receiver) {
        long lost = number(stream, "lost");
        long discarded = number(Json.asObject(stream.get("playout")), "discarded");
        long lostByReports = number(Json.asObject(stream.get("farEnd")), "cumulativeLost");
        int lostByBaresip = Baresip.number(receiver, "lost: +\\d+ +(\\d+)");
        int lateByBaresip = Baresip.number(receiver, "errors: +\\d+ +(\\d+)");
        assertThat(plan.dropped).isEqualTo(7);
        assertThat(lost).isEqualTo(plan.dropped);
        assertThat(lostByBaresip).isEqualTo(plan.dropped);
        assertThat(lostByReports).isEqualTo(plan.dropped);
        assertThat(lateByBaresip).isEqualTo(plan.overtaken());
        assertThat(discarded).isBetween(plan.surelyLate(), plan.maybeLate());
    }

    private static long number(Map<String, Object> object, String name) {
        return Long.parseLong(Json.text(object, name));
    }

    /** What happens to the packets of the caller, and when they left the path. */
    private static final class Plan {
        /** A packet that left the path, with a transit between two values. */
        private record Sent(int sequence, double leftMs, double leastTransitMs, double mostTransitMs) {}

        private final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch isLongEnough = new CountDownLatch(CALL_PACKETS);
        private int packets;
        private int dropped;

        private int fate(byte[] frame) {
            if (!isMedia(frame)) {
                return 0;
            }
            int fate = fate(packets++);
            dropped += fate == ImpairedPath.DROP ? 1 : 0;
            return fate;
        }

        /** Of the first 600 packets, 12 s: seven are dropped, three of them in a row, and some delayed. */
        private static int fate(int number) {
            if (number < 100 || number >= 600) {
                return 0;
            }
            if (number % 100 == 0 || number == 301 || number == 302) {
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
                ByteBuffer bytes = ByteBuffer.wrap(frame);
                double mediaMs = Integer.toUnsignedLong(bytes.getInt(RTP + 4)) / 8.0;
                sent.add(new Sent(
                        bytes.getShort(RTP + 2) & 0xFFFF,
                        beforeNanoTime / 1e6,
                        afterNanoTime / 1e6 - mediaMs,
                        beforeNanoTime / 1e6 - mediaMs));
                isLongEnough.countDown();
            }
        }

        /**
         * Why the delay of a fixed buffer would not be that of the first packet throughout (its resynchronizations, and
         * steps for skewed clocks); empty if it would. A machine that stalls delays packets beyond the plan.
         */
        private String deviation() {
            Sent first = sent.getFirst();
            double[] leastTransitMs = new double[MOST_WINDOWS];
            Arrays.fill(leastTransitMs, Double.MAX_VALUE);
            int lateInARow = 0;
            for (Sent packet : sent) {
                double mostMs = packet.mostTransitMs - first.leastTransitMs;
                double leastMs = packet.leastTransitMs - first.mostTransitMs;
                lateInARow = mostMs > BUFFER_MS - CLOCK_MS ? lateInARow + 1 : 0;
                if (lateInARow == STARVED_PACKETS || mostMs >= FAR_MS || leastMs <= -FAR_MS) {
                    return "packet " + packet.sequence + " is " + mostMs + " ms late, " + lateInARow + " in a row";
                }
                int window = (int) ((packet.leftMs - first.leftMs) / WINDOW_MS);
                leastTransitMs[window] = Math.min(leastTransitMs[window], packet.mostTransitMs);
            }
            for (double leastMs : leastTransitMs) {
                if (leastMs != Double.MAX_VALUE && Math.abs(leastMs - leastTransitMs[0]) > MOST_SKEW_MS) {
                    return "the fastest packets of 10 s differ by " + (leastMs - leastTransitMs[0]) + " ms";
                }
            }
            return "";
        }

        /** Packets whose transit exceeded that of the first one by more than the buffer: a fixed one, by the clock. */
        private long surelyLate() {
            double first = sent.getFirst().mostTransitMs;
            return sent.stream()
                    .filter(packet -> packet.leastTransitMs - first > BUFFER_MS + CLOCK_MS)
                    .count();
        }

        private long maybeLate() {
            double first = sent.getFirst().leastTransitMs;
            return sent.stream()
                    .filter(packet -> packet.mostTransitMs - first > BUFFER_MS - CLOCK_MS)
                    .count();
        }

        /** Packets that more than five with higher numbers overtook: a buffer that plays one packet for each that arrives. */
        private long overtaken() {
            long count = 0;
            for (int i = 0; i < sent.size(); i++) {
                short sequence = (short) sent.get(i).sequence;
                long before = sent.subList(0, i).stream()
                        .filter(other -> (short) (other.sequence - sequence) > 0)
                        .count();
                count += before > BUFFER_PACKETS ? 1 : 0;
            }
            return count;
        }
    }
}
