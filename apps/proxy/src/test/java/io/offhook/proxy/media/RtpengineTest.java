package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipMessageView;
import io.offhook.testkit.peers.Rtpengine;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls by a real rtpengine on the loopback interface: RTP of both sides arrives through it. */
@Timeout(60)
class RtpengineTest {
    @TempDir
    private Path folder;

    private RelayEngine engine;
    private DatagramSocket caller;
    private DatagramSocket callee;
    private final MediaSessionRules rules = new MediaSessionRules();

    @BeforeEach
    void start() throws Exception {
        assumeFalse(Rtpengine.isMissing(), "rtpengine is not installed");
        engine = RelayEngine.start(folder);
        caller = socket();
        callee = socket();
    }

    private static DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setSoTimeout(10_000);
        return socket;
    }

    @AfterEach
    void end() throws Exception {
        if (engine != null) {
            engine.close();
        }
        if (caller != null && callee != null) {
            caller.close();
            callee.close();
        }
    }

    private MediaReply send(MediaRequest request) throws Exception {
        return engine.send(request);
    }

    private static String sdp(DatagramSocket socket) {
        return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio "
                + socket.getLocalPort() + " RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\na=sendrecv\r\n";
    }

    private static SipMessageView message(String startLine, String cseq, String from, String to, String body) {
        String text = startLine + "\r\nFrom: <sip:x@a>;tag=" + from + "\r\nTo: <sip:y@b>"
                + (to.isEmpty() ? "" : ";tag=" + to) + "\r\nCall-ID: relayed@a\r\nCSeq: " + cseq + "\r\n"
                + "Content-Type: application/sdp\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        SipMessageView view = new SipMessageView();
        view.wrap(octets, 0, octets.length);
        return view;
    }

    /** What the rules ask for, done: the port at the relay that the session description names instead. */
    private int relayed(SipMessageView message, String branch) throws Exception {
        MediaRequest request = Objects.requireNonNull(rules.onMessage(message, branch));
        MediaReply reply = send(request);
        assertThat(reply.isOk()).as(reply.reason()).isTrue();
        SessionDescription sdp = SessionDescription.parse(reply.sdpOctets(), 0, reply.sdpOctets().length);
        int port = Objects.requireNonNull(sdp.firstMedia("audio")).port();
        assertThat(port).isNotIn(caller.getLocalPort(), callee.getLocalPort(), 0);
        return port;
    }

    /** RTP from one side to the port that it was given arrives at the other side, from the port that that was given. */
    private static void assertArrives(DatagramSocket from, int toPort, DatagramSocket at, int fromPort, int ssrc)
            throws IOException {
        byte[] packet = new byte[172];
        packet[0] = (byte) 0x80;
        packet[11] = (byte) ssrc;
        DatagramPacket received = new DatagramPacket(new byte[500], 500);
        at.setSoTimeout(200);
        for (int i = 0; i < 50; i++) {
            packet[3] = (byte) i;
            from.send(new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), toPort));
            try {
                at.receive(received);
                assertThat(received.getLength()).isEqualTo(packet.length);
                assertThat(received.getData()[11]).isEqualTo((byte) ssrc);
                assertThat(received.getPort()).isEqualTo(fromPort);
                return;
            } catch (SocketTimeoutException _) {
                // the next one
            }
        }
        throw new AssertionError("of 50 packets to port " + toPort + " none arrived");
    }

    private void assertGone() throws Exception {
        assertThat(engine.knows("relayed@a")).isFalse();
    }

    @Test
    void relaysACallUntilItsBye() throws Exception {
        int forCallee = relayed(message("INVITE sip:y@b SIP/2.0", "1 INVITE", "a", "", sdp(caller)), "");
        int forCaller = relayed(message("SIP/2.0 200 OK", "1 INVITE", "a", "b", sdp(callee)), "");

        assertArrives(caller, forCaller, callee, forCallee, 1);
        assertArrives(callee, forCallee, caller, forCaller, 2);
        assertThat(send(MediaRequest.query("relayed@a")).isOk()).isTrue();
        assertThat(engine.client().calls()).isEqualTo(1);

        assertThat(relayed(message("INVITE sip:x@a SIP/2.0", "1 INVITE", "b", "a", sdp(callee)), ""))
                .as("a re-INVITE of the callee keeps the ports")
                .isEqualTo(forCaller);
        assertThat(relayed(message("SIP/2.0 200 OK", "1 INVITE", "b", "a", sdp(caller)), ""))
                .isEqualTo(forCallee);
        assertArrives(caller, forCaller, callee, forCallee, 3);

        MediaRequest bye = rules.onMessage(message("BYE sip:x@a SIP/2.0", "2 BYE", "b", "a", ""), "");
        assertThat(send(Objects.requireNonNull(bye)).isOk()).isTrue();
        assertGone();
    }

    @Test
    void relaysACallWhoseOfferIsInTheResponse() throws Exception {
        rules.onMessage(message("INVITE sip:y@b SIP/2.0", "1 INVITE", "a", "", ""), "");
        int forCaller = relayed(message("SIP/2.0 200 OK", "1 INVITE", "a", "b", sdp(callee)), "");
        int forCallee = relayed(message("ACK sip:y@b SIP/2.0", "1 ACK", "a", "b", sdp(caller)), "");

        assertArrives(caller, forCaller, callee, forCallee, 1);
        assertArrives(callee, forCallee, caller, forCaller, 2);

        MediaRequest bye = rules.onMessage(message("BYE sip:y@b SIP/2.0", "2 BYE", "a", "b", ""), "");
        assertThat(send(Objects.requireNonNull(bye)).isOk()).isTrue();
        assertGone();
    }

    @Test
    void freesTheMediaOfACallThatFails() throws Exception {
        relayed(message("INVITE sip:y@b SIP/2.0", "1 INVITE", "a", "", sdp(caller)), "");
        MediaRequest busy = rules.onMessage(message("SIP/2.0 486 Busy Here", "1 INVITE", "a", "b", ""), "");
        assertThat(send(Objects.requireNonNull(busy)).isOk()).isTrue();
        assertGone();
    }

    @Test
    void relaysTheBranchThatAnswers() throws Exception {
        SipMessageView invite = message("INVITE sip:y@b SIP/2.0", "1 INVITE", "a", "", sdp(caller));
        try (DatagramSocket other = socket()) {
            int one = relayed(invite, "z9hG4bK1");
            int two = relayed(invite, "z9hG4bK2");
            assertThat(two).as("a port of its own").isNotEqualTo(one);
            relayed(message("SIP/2.0 183 X", "1 INVITE", "a", "b1", sdp(other)), "z9hG4bK1");
            MediaRequest failed = Objects.requireNonNull(rules.branchFailed("z9hG4bK1"));
            assertThat(send(failed).isOk()).isTrue();
            int forCaller = relayed(message("SIP/2.0 200 OK", "1 INVITE", "a", "b2", sdp(callee)), "z9hG4bK2");

            assertArrives(caller, forCaller, callee, two, 1);
            assertArrives(callee, two, caller, forCaller, 2);
        }
        MediaRequest bye = rules.onMessage(message("BYE sip:y@b SIP/2.0", "2 BYE", "a", "b2", ""), "");
        assertThat(send(Objects.requireNonNull(bye)).isOk()).isTrue();
        assertGone();
    }

    @Test
    void reportsWhyTheEngineRefuses() throws Exception {
        MediaReply reply = send(new MediaRequest(MediaCommand.OFFER, "bad", "f", "", "", false, "not a description"));

        assertThat(reply.status()).isEqualTo(MediaReply.Status.ERROR);
        assertThat(reply.reason()).isNotEmpty();
        assertThat(send(new MediaRequest(MediaCommand.ANSWER, "none", "f", "t", "", true, sdp(caller)))
                        .status())
                .isEqualTo(MediaReply.Status.ERROR);
    }
}
