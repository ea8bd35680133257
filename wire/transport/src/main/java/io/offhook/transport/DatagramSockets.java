package io.offhook.transport;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.ReuseportProgram;
import io.offhook.linux.raw.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The UDP sockets of a server: for each lane a socket at each listener. The sockets of a listener share its address
 * (SO_REUSEPORT), and the system delivers a datagram to one of them, by a hash of both addresses unless it can
 * {@linkplain DatagramOptions#selectsLanes look into the datagram}. Each lane is closed by its thread, or all here after the
 * threads have ended.
 */
public final class DatagramSockets implements AutoCloseable {
    private final List<DatagramLane> lanes;
    private final String selectionFault;

    private DatagramSockets(List<DatagramLane> lanes, String selectionFault) {
        this.lanes = List.copyOf(lanes);
        this.selectionFault = selectionFault;
    }

    /**
     * Opens and binds all sockets.
     *
     * @param laneCount the number of lanes, 1 to 256
     * @param listeners the listeners: socket {@code i} of each lane belongs to listener {@code i}. If one has port 0, its first
     *     socket decides which port all have
     * @param options how the lanes work
     * @throws IOException if an address cannot be bound; nothing stays open
     */
    public static DatagramSockets open(int laneCount, List<DatagramListener> listeners, DatagramOptions options)
            throws IOException {
        if (laneCount < 1 || laneCount > 256) {
            throw new IllegalArgumentException("laneCount " + laneCount + " is outside 1 to 256");
        }
        boolean isNative = options.backend() != DatagramOptions.Backend.NIO && hasNative();
        if (!isNative && options.backend() == DatagramOptions.Backend.NATIVE) {
            throw new UnsupportedOperationException(
                    "the backend NATIVE needs Linux and a JVM with --enable-native-access; use AUTO or NIO");
        }
        int[] ports = ports(listeners);
        List<DatagramLane> lanes = new ArrayList<>();
        try {
            if (laneCount > 1) {
                requireUnused(listeners, options, isNative);
            }
            for (int lane = 0; lane < laneCount; lane++) {
                lanes.add(
                        isNative
                                ? openNative(listeners, ports, laneCount > 1, options)
                                : NioDatagramLane.open(listeners, ports, laneCount > 1, options));
                for (int i = 0; i < ports.length; i++) {
                    ports[i] = lanes.getLast().localAddress(i).getPort();
                }
            }
            return new DatagramSockets(lanes, selectLanes(lanes, options, isNative));
        } catch (IOException | RuntimeException | Error e) {
            lanes.forEach(DatagramLane::close);
            throw e;
        }
    }

    /** Returns why the kernel does not select lanes; empty if it does, or need not. */
    private static String selectLanes(List<DatagramLane> lanes, DatagramOptions options, boolean isNative) {
        if (lanes.size() == 1 || !options.selectsLanes()) {
            return "";
        }
        if (!isNative) {
            return "the JDK cannot attach a program to sockets";
        }
        try (ReuseportProgram program = LaneSelector.load(lanes.size())) {
            ((NativeDatagramLane) lanes.getFirst()).attach(program);
            return "";
        } catch (LinuxException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Whether this is Linux, and the JVM permits calls of its C library. */
    private static boolean hasNative() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return false;
        }
        try {
            UdpSocket.open(false).close();
            return true;
        } catch (LinkageError | IllegalCallerException | NoSuchElementException e) {
            return false;
        }
    }

    /** An address that another server has shared would be shared with it, and half of the datagrams lost. */
    private static void requireUnused(List<DatagramListener> listeners, DatagramOptions options, boolean isNative)
            throws IOException {
        List<DatagramListener> fixed = listeners.stream()
                .filter(listener -> listener.address().getPort() != 0)
                .toList();
        int[] ports = ports(fixed);
        (isNative ? openNative(fixed, ports, false, options) : NioDatagramLane.open(fixed, ports, false, options))
                .close();
    }

    private static int[] ports(List<DatagramListener> listeners) {
        return listeners.stream()
                .mapToInt(listener -> listener.address().getPort())
                .toArray();
    }

    private static DatagramLane openNative(
            List<DatagramListener> listeners, int[] ports, boolean isShared, DatagramOptions options)
            throws IOException {
        List<LaneSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < ports.length; i++) {
                sockets.add(LaneSocket.open(listeners.get(i), ports[i], isShared, options.burst()));
            }
            return new NativeDatagramLane(sockets, options);
        } catch (LinuxException e) {
            sockets.forEach(LaneSocket::close);
            if (sockets.size() < ports.length) {
                throw cannotListen(listeners.get(sockets.size()).address(), e);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            sockets.forEach(LaneSocket::close);
            throw e;
        }
    }

    static IOException cannotListen(InetSocketAddress address, Exception cause) {
        return new IOException(
                "cannot listen on UDP " + DatagramAddress.of(address) + ": " + cause.getMessage(), cause);
    }

    /** The lanes, in the order of their sockets in each group. */
    public List<DatagramLane> lanes() {
        return lanes;
    }

    /**
     * Why the system does not deliver datagrams to the lane that {@link CallIdLane} selects, for a log; empty if it does, if
     * there is one lane only, or if it was not asked to. Lanes then hand datagrams over to each other.
     */
    public String selectionFault() {
        return selectionFault;
    }

    /** Closes all lanes, whose threads must have ended. */
    @Override
    public void close() {
        lanes.forEach(DatagramLane::close);
    }
}
