package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.ReuseportProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Datagrams of one source port, which the kernel's own hash would deliver to one lane. */
@EnabledOnOs(OS.LINUX)
class LaneSelectorTest {
    private static final int LANES = 5;
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final String REQUEST = "INVITE sip:bob@example.com SIP/2.0\r\n"
            + "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK776asdhds\r\nMax-Forwards: 70\r\n";

    private DatagramSockets sockets;
    private DatagramLane sender;
    private InetSocketAddress address;

    @BeforeEach
    void open() throws IOException {
        sockets = open(LANES, LOOPBACK, true);
        assumeTrue(sockets.selectionFault().isEmpty(), sockets.selectionFault());
        address = sockets.lanes().getFirst().localAddress(0);
        sender = DatagramLane.open(
                List.of(DatagramListener.at(new InetSocketAddress(LOOPBACK, 0))), DatagramOptions.standard());
    }

    private static DatagramSockets open(int lanes, InetAddress address, boolean selectsLanes) throws IOException {
        return DatagramSockets.open(
                lanes,
                List.of(DatagramListener.at(new InetSocketAddress(address, 0))),
                new DatagramOptions(DatagramOptions.Backend.NATIVE, 4, 4_000, 0, selectsLanes));
    }

    @AfterEach
    void close() {
        sockets.close();
        if (sender != null) {
            sender.close();
        }
    }

    /** The lane that receives a datagram. */
    private int lane(String text) {
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        sender.send(0, octets, 0, octets.length, DatagramAddress.of(address));
        assertThat(sender.flush()).isEqualTo(1);
        int lane = -1;
        for (int i = 0; i < sockets.lanes().size(); i++) {
            int[] count = {0};
            sockets.lanes().get(i).receive((socket, received, length, from, to) -> {
                assertThat(new String(received, 0, length, StandardCharsets.ISO_8859_1))
                        .isEqualTo(text);
                count[0]++;
            });
            if (count[0] > 0) {
                assertThat(lane).isEqualTo(-1);
                lane = i;
            }
        }
        return lane;
    }

    private static int expected(String callId) {
        byte[] octets = ("--" + callId + "--").getBytes(StandardCharsets.ISO_8859_1);
        return CallIdLane.of(octets, 2, octets.length - 2, LANES);
    }

    /** The lane of the kernel's hash of the addresses: it depends on nothing in the datagram. */
    private int otherwise() {
        return lane("not a message of SIP at all");
    }

    /** Call-IDs of any length and form, until each lane had some. */
    @Test
    void aRequestGoesToTheLaneOfItsCallId() {
        Random random = new Random(17);
        int[] counts = new int[LANES];
        String[] names = {"Call-ID: ", "i:", "CALL-ID:\t ", "call-id  :   ", "I : ", "cAlL-iD\t: "};
        for (int i = 0; i < 600; i++) {
            StringBuilder callId = new StringBuilder();
            int length = 1 + random.nextInt(150);
            for (int c = 0; c < length; c++) {
                callId.append((char) (c == 0 ? 'a' + random.nextInt(26) : 0x21 + random.nextInt(0xde)));
            }
            String headers = "X: " + "x".repeat(random.nextInt(900)) + "\r\n";
            String text = REQUEST + headers + names[i % names.length] + callId + "\r\nCSeq: 1 INVITE\r\n\r\n";
            int lane = lane(text);
            assertThat(lane).as(text).isEqualTo(expected(callId.toString()));
            counts[lane]++;
        }
        assertThat(counts).as("calls a lane").doesNotContain(0);
    }

    /** What a busy neighbour sends as sipp does: numbers in a row. */
    @Test
    void callsInARowSpreadOverAllLanes() {
        int[] counts = new int[LANES];
        for (int i = 1; i <= 1_000; i++) {
            counts[expected(i + "-4711@127.0.0.1")]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(150, 250);
        }
    }

    @Test
    void findsTheCallIdWhereverItsLineBegins() {
        for (int i = 0; i < 40; i++) {
            String text = REQUEST + "X: " + "x".repeat(i) + "\r\nCall-ID: there@" + i + "\r\n\r\n";
            assertThat(lane(text)).as(text).isEqualTo(expected("there@" + i));
            // the last line, without its end
            text = REQUEST + "X: " + "x".repeat(i) + "\r\ni: cut@" + i;
            assertThat(lane(text)).as(text).isEqualTo(expected("cut@" + i));
        }
    }

    @Test
    void leavesTheChoiceToTheKernelWithoutACallId() {
        int otherwise = otherwise();
        String far = REQUEST + "X: " + "x".repeat(2_100) + "\r\nCall-ID: ";
        String body = REQUEST + "Content-Length: 20\r\n\r\nCall-ID: ";
        String folded = REQUEST + "Call-ID:\r\n ";
        String other = REQUEST + "Call-IDs: a\r\nIn-Reply-To: b\r\nX: Call-ID: c\r\nX-Call-ID: ";
        String blanks = REQUEST + "Call-ID: " + " ".repeat(20);
        for (String start : List.of(far, body, folded, other, blanks, "\r\n\r\n" + " ".repeat(30), "")) {
            for (int i = 0; i < 20; i++) {
                assertThat(lane(start + i)).as(start).isEqualTo(otherwise);
            }
        }
    }

    /** Nothing of an earlier datagram is taken for a part of this one. */
    @Test
    void looksAtNothingBehindTheEnd() {
        int otherwise = otherwise();
        for (int i = 0; i < 20; i++) {
            String text = REQUEST + "Call-ID: whole@" + i + "\r\n\r\n";
            assertThat(lane(text)).isEqualTo(expected("whole@" + i));
            assertThat(lane(REQUEST)).isEqualTo(otherwise);
            assertThat(lane(REQUEST + "Call-ID")).isEqualTo(otherwise);
            assertThat(lane(REQUEST + "Call-ID: ")).isEqualTo(otherwise);
            String response = "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKoh";
            assertThat(lane(response + "0" + i % LANES)).isEqualTo(i % LANES);
            assertThat(lane(response + "0")).isEqualTo(otherwise);
            assertThat(lane(response)).isEqualTo(otherwise);
        }
    }

    @Test
    void aResponseGoesToTheLaneInItsBranch() {
        for (int i = 0; i < LANES; i++) {
            for (int before = 0; before < 40; before++) {
                String text = "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP " + "h".repeat(before) + ";branch=z9hG4bKoh0" + i
                        + "abc\r\nVia: SIP/2.0/UDP b;branch=z9hG4bKoh0" + (i + 1) % LANES
                        + "\r\nCall-ID: of another lane\r\n\r\n";
                assertThat(lane(text)).isEqualTo(i);
            }
        }
    }

    @Test
    void aResponseWithoutALaneIsLeftToTheKernel() {
        int otherwise = otherwise();
        for (String branch : List.of(
                "z9hG4bKoh0" + LANES,
                "z9hG4bKohff",
                "z9hG4bKohFF",
                "z9hG4bKoh0g",
                "z9hG4bKoh:0",
                "z9hG4bK00",
                "",
                "0")) {
            for (int i = 0; i < 10; i++) {
                String text = "SIP/2.0 180 Ringing\r\nVia: SIP/2.0/UDP h;branch=" + branch
                        + "\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKoh01\r\nCall-ID: " + i + "\r\n\r\n";
                assertThat(lane(text)).as(text).isEqualTo(otherwise);
            }
        }
        String far = "SIP/2.0 180 Ringing\r\nX: " + "x".repeat(520) + ";branch=z9hG4bKoh0";
        for (int i = 0; i < LANES; i++) {
            assertThat(lane(far + i)).isEqualTo(otherwise);
        }
    }

    @Test
    void hexadecimalDigitsNameUpTo256Lanes() throws IOException {
        sockets.close();
        sockets = open(256, LOOPBACK, true);
        address = sockets.lanes().getFirst().localAddress(0);
        for (int i = 0; i < 256; i += 5) {
            String start = "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKoh";
            assertThat(lane(start + String.format("%02x", i))).isEqualTo(i);
            assertThat(lane(start + String.format("%02X", i))).isEqualTo(i);
        }
    }

    @Test
    void selectsOverIpv6AsWell() throws IOException {
        close();
        InetAddress loopback = InetAddress.ofLiteral("::1");
        sockets = open(LANES, loopback, true);
        sender = DatagramLane.open(
                List.of(DatagramListener.at(new InetSocketAddress(loopback, 0))), DatagramOptions.standard());
        address = sockets.lanes().getFirst().localAddress(0);
        for (int i = 0; i < 20; i++) {
            assertThat(lane(REQUEST + "Call-ID: six" + i + "\r\n\r\n")).isEqualTo(expected("six" + i));
            assertThat(lane("SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKoh0" + i % LANES))
                    .isEqualTo(i % LANES);
        }
    }

    @Test
    void theKernelChoosesWhereItIsNotToLookIntoDatagrams() throws IOException {
        sockets.close();
        sockets = open(LANES, LOOPBACK, false);
        address = sockets.lanes().getFirst().localAddress(0);
        int otherwise = otherwise();
        for (int i = 0; i < 20; i++) {
            assertThat(lane(REQUEST + "Call-ID: " + i + "\r\n\r\n")).isEqualTo(otherwise);
        }
    }

    @Test
    void aProgramIsNotAttachedToASocketThatSharesNothing() throws IOException {
        try (DatagramSockets one = open(1, LOOPBACK, true);
                ReuseportProgram program = LaneSelector.load(1)) {
            assertThat(one.selectionFault()).isEmpty();
            NativeDatagramLane lane = (NativeDatagramLane) one.lanes().getFirst();
            assertThatThrownBy(() -> lane.attach(program)).isInstanceOf(LinuxException.class);
        }
    }
}
