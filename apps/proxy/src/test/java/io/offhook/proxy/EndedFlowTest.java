package io.offhook.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A phone that registered over a connection, and is gone. */
@Timeout(60)
class EndedFlowTest {
    private static final String YAML = """
            listeners:
              - {name: udp, transport: udp, address: 127.0.0.1, port: 0}
              - {name: tcp, transport: tcp, address: 127.0.0.1, port: 0}
            lanes: 2
            open: true
            shutdown-grace: 0s
            domains: [localhost]
            """;

    private static String register(int cseq, String contact) {
        return "REGISTER sip:localhost SIP/2.0\r\nVia: SIP/2.0/TCP 10.0.0.7:5060;branch=z9hG4bK" + cseq + "\r\n"
                + "Max-Forwards: 70\r\nFrom: <sip:bob@localhost>;tag=r\r\nTo: <sip:bob@localhost>\r\nCall-ID: reg\r\nCSeq: "
                + cseq + " REGISTER\r\nContact: " + contact + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static void send(Socket socket, String message) throws IOException {
        socket.getOutputStream().write(message.getBytes(UTF_8));
    }

    /** Reads to the end of a message without body. */
    private static String receive(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int octet = socket.getInputStream().read();
            assertThat(octet).as("after %s", text).isNotNegative();
            text.append((char) octet);
        }
        return text.toString();
    }

    @Test
    void isNotTriedAnyMore() throws IOException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (Phone alice = new Phone();
                Proxy proxy = Proxy.open(ProxyConfig.reader().read(YAML, "test.yaml"), failures::add)) {
            int port = proxy.addresses().get(1).getPort();
            try (Socket bob = new Socket(InetAddress.getLoopbackAddress(), port)) {
                send(bob, register(1, "<sip:bob@10.0.0.7:5060;transport=tcp>"));
                assertThat(receive(bob)).startsWith("SIP/2.0 200");
                alice.send(proxy, alice.invite("sip:bob@localhost", "rings"));
                assertThat(receive(bob)).startsWith("INVITE sip:bob@10.0.0.7:5060;transport=tcp SIP/2.0");
            }
            // until the proxy has seen the end of the connection, calls are sent over it
            String answer;
            int attempt = 0;
            do {
                alice.send(proxy, alice.invite("sip:bob@localhost", "gone" + attempt++));
                answer = alice.receive("SIP/2.0 4");
            } while (!answer.startsWith("SIP/2.0 480"));
            assertThat(answer).startsWith("SIP/2.0 480 Not Registered");
        }
        assertThat(failures).isEmpty();
    }
}
