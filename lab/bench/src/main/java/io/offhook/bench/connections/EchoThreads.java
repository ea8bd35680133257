package io.offhook.bench.connections;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/** By blocking sockets, a virtual thread each. */
final class EchoThreads implements EchoServer.Running {
    private static final int BACKLOG = 1024;

    private final ServerSocket listener;

    EchoThreads() throws IOException {
        listener = new ServerSocket(0, BACKLOG, EchoServer.anyPort().getAddress());
        Thread.ofVirtual().start(this::accept);
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void echo(Socket accepted) {
        try (Socket socket = accepted;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            byte[] frame = new byte[4096];
            while (true) {
                int length = in.readUnsignedShort();
                if (frame.length < EchoFrames.HEADER_BYTES + length) {
                    frame = new byte[EchoFrames.MOST_BYTES];
                }
                frame[0] = (byte) (length >>> 8);
                frame[1] = (byte) length;
                in.readFully(frame, EchoFrames.HEADER_BYTES, length);
                out.write(frame, 0, EchoFrames.HEADER_BYTES + length);
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
