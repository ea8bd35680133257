package io.offhook.monitor;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The socket on which a HotSpot JVM takes commands, those of jcmd(1). The JDK's {@code com.sun.tools.attach} has the JVM open it; it
 * gives no access to commands, though, so that they are sent here: version 1 of the protocol, which all JVMs from 9 on understand
 * ({@code attachListener_posix.cpp} of OpenJDK).
 */
final class AttachSocket {
    private static final String VERSION = "1";
    private static final int ARGUMENTS = 3;
    private static final int MOST_BYTES = 64 << 20;
    private static final int BUFFER_BYTES = 64 << 10;
    /** A dump is of use now or never; other commands, such as the start of Flight Recorder, take their time on a busy machine. */
    private static final long DUMP_NS = 3_000_000_000L;

    private static final long COMMAND_NS = 120_000_000_000L;

    private final UnixDomainSocketAddress address;

    private AttachSocket(UnixDomainSocketAddress address) {
        this.address = address;
    }

    /**
     * Has a JVM open its socket.
     *
     * @throws IOException if it does not; the message says why
     */
    static AttachSocket of(long pid) throws IOException {
        if (pid == ProcessHandle.current().pid()) {
            throw new IOException("a JVM does not attach to itself");
        }
        try {
            VirtualMachine.attach(Long.toString(pid)).detach();
        } catch (AttachNotSupportedException | RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
        Path root = Path.of("/proc", Long.toString(pid), "root", "tmp");
        for (Path socket :
                List.of(root.resolve(".java_pid" + innermost(pid)), Path.of("/tmp", ".java_pid" + innermost(pid)))) {
            if (Files.exists(socket)) {
                return new AttachSocket(UnixDomainSocketAddress.of(socket));
            }
        }
        throw new IOException("the JVM has opened no socket in " + root);
    }

    /** The number that a process has in its own namespace, proc(5). */
    private static String innermost(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("NSpid:")) {
                return line.substring(line.lastIndexOf('\t') + 1);
            }
        }
        return Long.toString(pid);
    }

    /** A dump of all threads, as jstack(1) prints it. */
    String threadDump() throws IOException {
        return execute("threaddump", "", DUMP_NS);
    }

    /** What the JVM says of the scheduler of virtual threads, without stopping; JVMs before 24 do not know the command. */
    String virtualScheduler() throws IOException {
        return execute("jcmd", "Thread.vthread_scheduler", DUMP_NS);
    }

    /** What a command of jcmd(1) prints. */
    String jcmd(String command) throws IOException {
        return execute("jcmd", command, COMMAND_NS);
    }

    private String execute(String command, String argument, long timeoutNs) throws IOException {
        StringBuilder request =
                new StringBuilder(VERSION).append('\0').append(command).append('\0');
        request.append(argument).append("\0".repeat(ARGUMENTS));
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(address);
            ByteBuffer bytes = ByteBuffer.wrap(request.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return reply(bytes(channel, timeoutNs), (command + " " + argument).strip());
        }
    }

    /** Reads to the end, for which a JVM that hangs, or was stopped, would let us wait for ever. */
    private static byte[] bytes(SocketChannel channel, long timeoutNs) throws IOException {
        long endNs = System.nanoTime() + timeoutNs;
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        channel.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            int length = channel.read(buffer);
            while (length >= 0 && reply.size() < MOST_BYTES) {
                reply.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                long leftMs = (endNs - System.nanoTime()) / 1_000_000;
                if (length == 0 && (leftMs <= 0 || selector.select(leftMs) == 0)) {
                    throw new IOException("the JVM has not answered within " + timeoutNs / 1_000_000_000 + " s");
                }
                selector.selectedKeys().clear();
                length = channel.read(buffer);
            }
        }
        return reply.toByteArray();
    }

    private static String reply(byte[] bytes, String request) throws IOException {
        String reply = new String(bytes, StandardCharsets.UTF_8);
        int line = reply.indexOf('\n');
        String code = line < 0 ? reply : reply.substring(0, line);
        String text = line < 0 ? "" : reply.substring(line + 1);
        if (!code.equals("0")) {
            throw new IOException("the JVM answers " + request + " with " + code + ": " + text.strip());
        }
        return text;
    }
}
