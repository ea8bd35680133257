package io.offhook.bench.connections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All servers of the benchmark do the same. */
@Timeout(60)
class EchoServerTest {
    @ParameterizedTest
    @ValueSource(strings = {"loops", "channels", "threads"})
    void sendsFramesBackWhateverTheirPieces(String kind) throws Exception {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int payload : new int[] {0, 1, 500, 65_535, 3}) {
            frames.writeBytes(EchoFrames.frame(payload));
        }
        byte[] sent = frames.toByteArray();
        try (EchoServer.Running server = EchoServer.start(kind, 2);
                Socket client = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
            client.setTcpNoDelay(true);
            client.getOutputStream().write(sent, 0, 1);
            client.getOutputStream().write(sent, 1, 3);
            client.getOutputStream().write(sent, 4, 1_000);
            assertThat(client.getInputStream().readNBytes(5 + 502)).isEqualTo(Arrays.copyOf(sent, 507));
            client.getOutputStream().write(sent, 1_004, sent.length - 1_004);
            assertThat(client.getInputStream().readNBytes(sent.length - 507))
                    .isEqualTo(Arrays.copyOfRange(sent, 507, sent.length));
        }
    }
}
