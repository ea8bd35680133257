package io.offhook.transport;

import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A socket that accepts connections for {@link ConnectionLoops}. */
public final class Listener implements AutoCloseable {
    private final ListenSettings settings;
    private final Supplier<? extends ConnectionHandler> handlers;
    private final ServerSocketChannel channel;
    private final Endpoint local;

    Listener(ListenSettings settings, Supplier<? extends ConnectionHandler> handlers, ServerSocketChannel channel)
            throws IOException {
        this.settings = settings;
        this.handlers = handlers;
        this.channel = channel;
        this.local = Endpoint.of((InetSocketAddress) channel.getLocalAddress());
    }

    ListenSettings settings() {
        return settings;
    }

    Supplier<? extends ConnectionHandler> handlers() {
        return handlers;
    }

    @Nullable
    SocketChannel accept() throws IOException {
        return channel.accept();
    }

    /** The address and port that it is bound to. */
    public Endpoint local() {
        return local;
    }

    /** The port that it is bound to. */
    public int port() {
        return local.port();
    }

    /** The receive buffer that the kernel gave, in bytes; 0 if it is closed. */
    public int receiveBufferBytes() {
        try {
            return channel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Stops accepting; connections that were accepted stay. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the listener on " + local, e);
        }
    }
}
