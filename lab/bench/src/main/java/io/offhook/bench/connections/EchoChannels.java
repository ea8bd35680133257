package io.offhook.bench.connections;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** By NIO.2: asynchronous channels with completion handlers, in a group of threads. */
final class EchoChannels implements EchoServer.Running {
    private static final int BACKLOG = 1024;

    private final AsynchronousChannelGroup group;
    private final AsynchronousServerSocketChannel listener;

    EchoChannels(int threads) throws IOException {
        group = AsynchronousChannelGroup.withFixedThreadPool(threads, Executors.defaultThreadFactory());
        listener = AsynchronousServerSocketChannel.open(group).bind(EchoServer.anyPort(), BACKLOG);
        listener.accept(null, new Accepted());
    }

    @Override
    public int port() {
        try {
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new IllegalStateException("the listener is closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        group.shutdownNow();
    }

    private final class Accepted implements CompletionHandler<AsynchronousSocketChannel, @Nullable Void> {
        @Override
        public void completed(AsynchronousSocketChannel channel, @Nullable Void nothing) {
            listener.accept(null, this);
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            } catch (IOException e) {
                // it has gone
            }
            new Echo(channel).read();
        }

        @Override
        public void failed(Throwable e, @Nullable Void nothing) {
            // closed
        }
    }

    /** Reads, writes what is complete, and so on; one of both at a time. */
    private static final class Echo implements CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final byte[] octets = new byte[EchoFrames.MOST_BYTES];
        private final ByteBuffer buffer = ByteBuffer.wrap(octets);
        private int received;
        private int complete;

        Echo(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            buffer.limit(octets.length).position(received);
            channel.read(buffer, true, this);
        }

        @Override
        public void completed(Integer count, Boolean isRead) {
            if (count < 0) {
                close();
                return;
            }
            if (isRead) {
                received += count;
                complete = EchoFrames.allComplete(octets, 0, received);
                buffer.limit(complete).position(0);
            }
            if (buffer.hasRemaining()) {
                channel.write(buffer, false, this);
                return;
            }
            received -= complete;
            System.arraycopy(octets, complete, octets, 0, received);
            complete = 0;
            read();
        }

        @Override
        public void failed(Throwable e, Boolean isRead) {
            close();
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // it is gone either way
            }
        }
    }
}
