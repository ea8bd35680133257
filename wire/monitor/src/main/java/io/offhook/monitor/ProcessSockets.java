package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.SocketQueues;
import io.offhook.linux.network.TcpSocket;
import io.offhook.monitor.xray.Evidence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The Internet sockets of a process in this network namespace, found by one thread, and what waits in them, sampled by another. */
final class ProcessSockets implements AutoCloseable {
    /** The most TCP connections whose queues are asked for, of the first that were found. */
    static final int MOST_CONNECTIONS = 64;

    private static final String LINK = "socket:[";

    private final Path folder;
    private final SocketQueues queues = new SocketQueues();
    private volatile List<OwnSocket> all = List.of();
    /** The queue that each UDP socket belongs to. */
    private volatile Map<Long, Long> datagrams = Map.of();

    private volatile List<Connection> connections = List.of();
    private final Map<Long, Long> sums = new HashMap<>();

    private record Connection(InetSocketAddress local, InetSocketAddress remote) {}

    /** @throws LinuxException if the kernel does not answer by netlink */
    ProcessSockets(long pid) {
        folder = Path.of("/proc", Long.toString(pid), "fd");
    }

    /**
     * Finds the sockets.
     *
     * @throws IOException if the files of the process may not be looked at
     * @throws LinuxException if the kernel does not say what sockets there are
     */
    void refresh() throws IOException {
        Set<Long> inodes = inodes();
        Map<Long, Long> datagramQueues = new HashMap<>();
        Map<String, Long> lowest = new HashMap<>();
        List<OwnSocket> found = new ArrayList<>();
        List<Connection> connected = new ArrayList<>();
        List<KernelSocket> udp = KernelSocket.udp().stream()
                .filter(socket -> inodes.contains(socket.owner().inode()))
                .toList();
        udp.forEach(socket -> lowest.merge(ends(socket), socket.owner().inode(), Math::min));
        for (KernelSocket socket : udp) {
            long queue = lowest.getOrDefault(ends(socket), 0L);
            datagramQueues.put(socket.owner().inode(), queue);
            found.add(new OwnSocket(false, socket.local(), socket.remote(), queue));
        }
        for (TcpSocket socket : TcpSocket.onPort(0)) {
            if (inodes.contains(socket.owner().inode())) {
                found.add(new OwnSocket(
                        true, socket.local(), socket.remote(), socket.owner().inode()));
                if (!socket.remote().isEmpty() && connected.size() < MOST_CONNECTIONS) {
                    connected.add(new Connection(address(socket.local()), address(socket.remote())));
                }
            }
        }
        all = List.copyOf(found);
        datagrams = datagramQueues;
        connections = connected;
    }

    private static String ends(KernelSocket socket) {
        return socket.kind() + " " + socket.local() + " " + socket.remote();
    }

    private Set<Long> inodes() throws IOException {
        Set<Long> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String link = target(file);
                if (link.startsWith(LINK)) {
                    inodes.add(Long.parseLong(link.substring(LINK.length(), link.length() - 1)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return inodes;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // it has just been closed
        }
    }

    /** An address as sock_diag has it, which is never a name. */
    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, colon);
        try {
            return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(text.substring(colon + 1)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(text + " is no address", e);
        }
    }

    /** Those that the last {@link #refresh} found. */
    List<OwnSocket> all() {
        return all;
    }

    /**
     * Adds what waits in them to a sample.
     *
     * @throws LinuxException if the kernel does not answer
     */
    void sample(Evidence evidence) {
        sums.clear();
        if (!datagrams.isEmpty()) {
            queues.udp((inode, bytes) -> {
                Long queue = datagrams.get(inode);
                if (queue != null) {
                    sums.merge(queue, bytes, Long::sum);
                }
            });
        }
        for (Connection connection : connections) {
            queues.tcp(connection.local(), connection.remote(), (inode, bytes) -> sums.put(inode, bytes));
        }
        sums.forEach(evidence::queue);
    }

    @Override
    public void close() {
        queues.close();
    }
}
