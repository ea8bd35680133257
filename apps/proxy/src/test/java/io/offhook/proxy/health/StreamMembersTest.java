package io.offhook.proxy.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.Proxy;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.statistics.MemberFigure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member that is reached by TCP, between real sockets. */
@Timeout(60)
class StreamMembersTest {
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private static ProxyConfig config(int memberPort) {
        return ProxyConfig.reader().read("""
                listeners:
                  - {name: udp, address: 127.0.0.1, port: 0}
                  - {name: tcp, transport: tcp, address: 127.0.0.1, port: 0}
                groups:
                  carrier:
                    members: [{uri: "sip:127.0.0.1:%d;transport=tcp"}]
                    health: {options: true, interval: 1s, timeout: 900ms, down-after: 1}
                """.formatted(memberPort), "tcp.yaml");
    }

    private static MemberFigure member(Proxy proxy) {
        return proxy.statistics().groups().getFirst().members().getFirst();
    }

    private static MemberFigure.Options options(Proxy proxy) {
        return Objects.requireNonNull(member(proxy).options());
    }

    private static String answer(BufferedReader in) throws IOException {
        StringBuilder out = new StringBuilder("SIP/2.0 405 Not Here\r\n");
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            if (line.matches("(Via|From|Call-ID|CSeq): .*")) {
                out.append(line).append("\r\n");
            } else if (line.startsWith("To: ")) {
                out.append(line).append(";tag=1\r\n");
            } else {
                assertThat(line).matches("(OPTIONS|Max-Forwards:|Contact:|Accept:|Content-Length:) .*");
            }
        }
        assertThat(out.toString()).contains("Via: SIP/2.0/TCP 127.0.0.1:");
        return out + "Content-Length: 0\r\n\r\n";
    }

    @Test
    void isAskedOverAConnectionAndFoundToBeGone() throws Exception {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        try (Proxy proxy = Proxy.open(config(server.getLocalPort()), failures::add)) {
            try (server;
                    Socket connection = server.accept()) {
                BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
                connection.getOutputStream().write(answer(in).getBytes(UTF_8));
                while (options(proxy).lastStatus() != 405) {
                    Thread.sleep(10); // it is asked once a second
                }
                assertThat(member(proxy).state()).isEqualTo("usable");
                connection.getOutputStream().write(answer(in).getBytes(UTF_8));
            }
            while (!member(proxy).state().equals("down")) {
                Thread.sleep(10); // it is asked once a second
            }
            assertThat(options(proxy).lastStatus()).isZero();
        }
        assertThat(failures).isEmpty();
    }
}
