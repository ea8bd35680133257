package io.offhook.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.ListenSettings;
import io.offhook.transport.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A WebSocket server on loopback that writes down what happens, and sends messages back if asked to. */
final class SocketServer implements AutoCloseable {
    private static final int MOST_SECONDS = 20;

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final ConnectionLoops loops;
    private final Listener listener;
    private final AtomicLong ahead = new AtomicLong();

    /** Writes down what happens. */
    final class Handler implements WebSocketHandler {
        private final boolean isEcho;

        Handler(boolean isEcho) {
            this.isEcho = isEcho;
        }

        @Override
        public void opened(WebSocket socket) {
            events.add("opened " + socket.path() + " " + socket.origin());
        }

        @Override
        public void message(WebSocket socket, byte[] octets, int offset, int length, boolean isText) {
            if (isEcho) {
                socket.send(octets, offset, length, isText);
            } else {
                String text = new String(octets, offset, length, StandardCharsets.UTF_8);
                events.add((isText ? "text " : "binary ") + text);
                if (text.equals("close")) {
                    socket.close(WebSocket.POLICY_VIOLATION);
                } else if (text.equals("ping")) {
                    socket.ping();
                }
            }
        }

        @Override
        public void pong(WebSocket socket) {
            events.add("pong");
        }

        @Override
        public void closed(WebSocket socket, CloseCause cause, int code, @Nullable String detail) {
            events.add("closed " + cause + " " + code + " " + detail);
        }
    }

    SocketServer(WebSocketSettings settings, boolean isEcho) throws IOException {
        loops = ConnectionLoops.start(
                "test", 1, ConnectionLimits.DEFAULT, ConnectionTimeouts.DEFAULT, () -> System.nanoTime() + ahead.get());
        InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        listener = loops.listen(ListenSettings.tcp(any), () -> WebSockets.server(settings, new Handler(isEcho)));
    }

    int port() {
        return listener.port();
    }

    void advance(long ns) {
        ahead.addAndGet(ns);
        loops.wakeUp();
    }

    Socket client() throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port());
        socket.setSoTimeout(MOST_SECONDS * 1000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    String event() throws InterruptedException {
        String event = events.poll(MOST_SECONDS, TimeUnit.SECONDS);
        return event == null ? "nothing happened" : event;
    }

    void expect(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertThat(event()).isEqualTo(one);
        }
    }

    @Override
    public void close() {
        loops.close();
    }
}
