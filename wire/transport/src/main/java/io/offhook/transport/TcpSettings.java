package io.offhook.transport;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;

/**
 * Options of a TCP socket.
 *
 * @param noDelay whether small segments are sent at once (TCP_NODELAY)
 * @param keepAlive whether the kernel probes idle connections (SO_KEEPALIVE)
 * @param receiveBufferBytes the receive buffer to ask for (SO_RCVBUF); 0 leaves it to the kernel, which then adapts it.
 *     {@link Connection#receiveBufferBytes} reports what was given
 * @param sendBufferBytes the send buffer to ask for (SO_SNDBUF); 0 leaves it to the kernel
 */
public record TcpSettings(boolean noDelay, boolean keepAlive, int receiveBufferBytes, int sendBufferBytes) {
    /** No delay, no keep-alive, buffers left to the kernel. */
    public static final TcpSettings DEFAULT = new TcpSettings(true, false, 0, 0);

    /** Checks the sizes. */
    public TcpSettings {
        if (receiveBufferBytes < 0 || sendBufferBytes < 0) {
            throw new IllegalArgumentException("buffers of " + receiveBufferBytes + " and " + sendBufferBytes
                    + " bytes; a size is 0, which leaves it to the kernel, or more");
        }
    }

    void applyTo(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, noDelay);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, keepAlive);
        applyReceiveBuffer(channel);
        if (sendBufferBytes > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferBytes);
        }
    }

    /** Also of a listener, from which accepted sockets inherit it: after the handshake it is too late for the window's scale. */
    void applyReceiveBuffer(NetworkChannel channel) throws IOException {
        if (receiveBufferBytes > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
        }
    }
}
