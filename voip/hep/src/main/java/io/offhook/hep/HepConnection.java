package io.offhook.hep;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The way to a collector while it is open. Sending blocks; closing, by any thread, ends that. */
abstract sealed class HepConnection implements AutoCloseable {
    private static final int CONNECT_MS = 5000;

    /** Sends a packet. */
    abstract void send(byte[] octets, int offset, int length) throws IOException;

    @Override
    public abstract void close();

    /**
     * Connects. Blocks.
     *
     * @param opening is given the socket before it connects: closing it, by any thread, ends that
     */
    static HepConnection open(HepTarget target, @Nullable SSLContext tls, Consumer<Socket> opening) throws IOException {
        InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException(target.host());
        }
        return switch (target.transport()) {
            case UDP -> new Datagrams(address);
            case TCP -> new Stream(connected(address, opening));
            case TLS -> new Stream(secured(connected(address, opening), target, tls));
        };
    }

    private static Socket connected(InetSocketAddress address, Consumer<Socket> opening) throws IOException {
        Socket socket = new Socket();
        opening.accept(socket);
        try {
            socket.connect(address, CONNECT_MS);
            socket.setKeepAlive(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket secured(Socket socket, HepTarget target, @Nullable SSLContext tls) throws IOException {
        try {
            SSLContext context = tls == null ? SSLContext.getDefault() : tls;
            SSLSocket secured =
                    (SSLSocket) context.getSocketFactory().createSocket(socket, target.host(), target.port(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the rule by which names are compared
            secured.setSSLParameters(parameters);
            secured.setSoTimeout(CONNECT_MS);
            secured.startHandshake();
            return secured;
        } catch (IOException e) {
            socket.close();
            throw e;
        } catch (NoSuchAlgorithmException e) {
            socket.close();
            throw new IOException("this Java has no TLS", e);
        }
    }

    static final class Datagrams extends HepConnection {
        private static final byte[] NONE = {};

        private final DatagramSocket socket;
        private final DatagramPacket packet = new DatagramPacket(NONE, 0);

        private Datagrams(InetSocketAddress address) throws IOException {
            socket = new DatagramSocket();
            socket.connect(address);
        }

        @Override
        void send(byte[] octets, int offset, int length) throws IOException {
            packet.setData(octets, offset, length);
            socket.send(packet);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    static final class Stream extends HepConnection {
        private final Socket socket;
        private final OutputStream out;

        private Stream(Socket socket) throws IOException {
            this.socket = socket;
            out = socket.getOutputStream();
        }

        @Override
        void send(byte[] octets, int offset, int length) throws IOException {
            out.write(octets, offset, length);
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }
}
