package io.offhook.bench.connections;

import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.ListenSettings;
import io.offhook.transport.Listener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** By event loops. */
final class EchoLoops implements EchoServer.Running {
    private static final ConnectionLimits LIMITS = ConnectionLimits.DEFAULT.withConnections(100_000, 100_000);

    private final ConnectionLoops loops;
    private final Listener listener;

    EchoLoops(int threads) throws IOException {
        loops = ConnectionLoops.start("echo", threads, LIMITS, ConnectionTimeouts.DEFAULT);
        listener = loops.listen(ListenSettings.tcp(EchoServer.anyPort()), Echo::new);
    }

    @Override
    public int port() {
        return listener.port();
    }

    /** The connections that are open. */
    int openConnections() {
        return loops.openConnections();
    }

    @Override
    public void close() {
        loops.close();
    }

    private static final class Echo implements ConnectionHandler {
        @Override
        public int received(Connection connection, byte[] octets, int offset, int length) {
            int complete = EchoFrames.allComplete(octets, offset, length);
            if (complete > 0) {
                connection.send(octets, offset, complete);
            }
            return complete;
        }

        @Override
        public void closed(Connection connection, CloseCause cause, @Nullable String detail) {}
    }
}
