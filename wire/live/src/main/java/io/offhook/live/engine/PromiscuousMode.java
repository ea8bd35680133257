package io.offhook.live.engine;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes an interface receive frames for other machines, or for any multicast group: while a packet socket requests it,
 * packet(7).
 */
public final class PromiscuousMode {
    private PromiscuousMode() {}

    /** Requests it with a socket opened only for this purpose, which receives nothing. */
    public static NativeSocket open(NetworkDevice device) {
        NativeSocket socket = NativeSocket.open(
                IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open a packet socket for " + device.name());
        try {
            ask(socket, device);
            return socket;
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Requests it until the socket is closed. */
    public static void ask(NativeSocket socket, NetworkDevice device) {
        ask(socket, device, IfPacket.PACKET_MR_PROMISC, "set " + device.name() + " promiscuous");
    }

    /**
     * Requests frames for all multicast groups, not only those that the kernel has joined, until the socket is closed.
     */
    public static void askForGroups(NativeSocket socket, NetworkDevice device) {
        ask(socket, device, IfPacket.PACKET_MR_ALLMULTI, "have " + device.name() + " take frames to all groups");
    }

    private static void ask(NativeSocket socket, NetworkDevice device, int type, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment membership = arena.allocate(IfPacket.MEMBERSHIP_BYTES, Integer.BYTES);
            membership.set(JAVA_INT, 0, device.index());
            membership.set(JAVA_SHORT, IfPacket.MEMBERSHIP_TYPE, (short) type);
            socket.set(IfPacket.SOL_PACKET, IfPacket.PACKET_ADD_MEMBERSHIP, membership, what);
        }
    }
}
