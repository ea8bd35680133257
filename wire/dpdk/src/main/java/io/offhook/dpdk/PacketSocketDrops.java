package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.NativeSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Packets that the kernel dropped because sockets of net_af_packet were full. The driver does not count them, so its
 * sockets are found among the descriptors of this process and queried: packet sockets on the interface with rings of
 * version 2, which nothing else here uses. A query resets the kernel's counter, so each socket belongs to one port.
 */
final class PacketSocketDrops {
    static final String NET_AF_PACKET = "net_af_packet";

    /** The descriptors that belong to a port; several ports may be on one interface. */
    private static final Set<Integer> TAKEN = new HashSet<>();

    private final List<NativeSocket> sockets;
    private boolean hasEnded;
    private long drops;

    private PacketSocketDrops(List<NativeSocket> sockets) {
        this.sockets = sockets;
    }

    /**
     * Returns the drops of a port that was just created and has opened a socket for each of its queues; none for other
     * drivers.
     */
    static PacketSocketDrops of(EthPortInfo port) {
        List<NativeSocket> sockets = new ArrayList<>();
        if (port.driverName().equals(NET_AF_PACKET)) {
            synchronized (TAKEN) {
                for (int descriptor : descriptors()) {
                    NativeSocket socket = NativeSocket.borrowed(descriptor);
                    if (sockets.size() < port.maxRxQueues()
                            && !TAKEN.contains(descriptor)
                            && isIts(socket, port.interfaceIndex())) {
                        sockets.add(socket);
                        TAKEN.add(descriptor);
                    }
                }
            }
        }
        return new PacketSocketDrops(sockets);
    }

    private static List<Integer> descriptors() {
        List<Integer> sockets = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                try {
                    if (Files.readSymbolicLink(entry).toString().startsWith("socket:")) {
                        sockets.add(Integer.valueOf(entry.getFileName().toString()));
                    }
                } catch (IOException e) {
                    // closed meanwhile
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the descriptors of this process cannot be listed", e);
        }
        sockets.sort(null);
        return sockets;
    }

    private static boolean isIts(NativeSocket socket, int interfaceIndex) {
        try (Arena arena = Arena.ofConfined()) {
            if (socket.get(PacketSocketHeader.SOL_SOCKET, PacketSocketHeader.SO_DOMAIN, "ask for the family")
                            != PacketSocketHeader.AF_PACKET
                    || socket.get(PacketSocketHeader.SOL_PACKET, PacketSocketHeader.PACKET_VERSION, "ask for the ring")
                            != PacketSocketHeader.TPACKET_V2) {
                return false;
            }
            MemorySegment address = arena.allocate(PacketSocketHeader.ADDRESS_BYTES, Integer.BYTES);
            socket.address(address, "ask for the interface");
            return address.get(JAVA_INT, PacketSocketHeader.ADDRESS_INTERFACE) == interfaceIndex;
        } catch (LinuxException e) {
            return false; // closed meanwhile, and its number given away
        }
    }

    /** Queries a last time: the driver closes its sockets when its port stops, and their numbers may be reused. */
    void end() {
        ask();
        synchronized (TAKEN) {
            sockets.forEach(socket -> TAKEN.remove(socket.descriptor()));
        }
        hasEnded |= !sockets.isEmpty();
        sockets.clear();
    }

    /** Returns whether the driver has closed its sockets, which it does not open again. */
    boolean hasEnded() {
        return hasEnded;
    }

    /**
     * Queries the kernel.
     *
     * @return all drops so far
     */
    long ask() {
        if (sockets.isEmpty()) {
            return drops;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statistics = arena.allocate(PacketSocketHeader.STATISTICS_BYTES, Integer.BYTES);
            for (NativeSocket socket : sockets) {
                drops += ask(socket, statistics);
            }
        }
        return drops;
    }

    private static long ask(NativeSocket socket, MemorySegment statistics) {
        try {
            socket.get(
                    PacketSocketHeader.SOL_PACKET,
                    PacketSocketHeader.PACKET_STATISTICS,
                    statistics,
                    "ask for statistics");
            return Integer.toUnsignedLong(statistics.get(JAVA_INT, PacketSocketHeader.STATISTICS_DROPS));
        } catch (LinuxException e) {
            return 0; // closed by the driver: of devices given to EAL's start, which socket is whose is not certain
        }
    }
}
