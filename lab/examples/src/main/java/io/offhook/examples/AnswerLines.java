package io.offhook.examples;

import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.ListenSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Sends lines back, and their number once the peer has finished, until its input ends: {@code AnswerLines PORT}. */
public final class AnswerLines implements ConnectionHandler {
    private int lines;

    public static void main(String[] args) throws Exception {
        int loops = Runtime.getRuntime().availableProcessors();
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(args[0]));
        try (ConnectionLoops server =
                ConnectionLoops.start("lines", loops, ConnectionLimits.DEFAULT, ConnectionTimeouts.DEFAULT)) {
            System.out.println(
                    server.listen(ListenSettings.tcp(address), AnswerLines::new).local());
            while (System.in.read() >= 0) {
                // the end of the input is the sign to end
            }
            System.out.println(server.drain(10_000_000_000L) ? "all was sent" : "some peers did not read");
        }
    }

    @Override
    public int received(Connection connection, byte[] octets, int offset, int length) {
        int consumed = 0;
        for (int i = 0; i < length; i++) {
            if (octets[offset + i] == '\n') { // what follows the last line comes again, with more
                connection.send(octets, offset + consumed, i + 1 - consumed);
                consumed = i + 1;
                lines++;
            }
        }
        return consumed;
    }

    @Override
    public void peerFinished(Connection connection) { // half closed: this side may still send
        connection.send((lines + " lines\n").getBytes(StandardCharsets.US_ASCII));
        connection.closeAfterSending();
    }

    @Override
    public void closed(Connection connection, CloseCause cause, @Nullable String detail) {}
}
