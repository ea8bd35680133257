package io.offhook.live.xdp;

import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.BpfAssembler;
import io.offhook.linux.raw.BpfMap;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.linux.raw.XdpProgram;
import io.offhook.live.Availability;
import io.offhook.live.CaptureRemedy;
import java.util.List;

/**
 * What takes frames from an interface and gives them to sockets, one a queue: a program in the kernel, and its table of
 * sockets. Frames that no socket or no filter wants go on to the machine's stack as if nothing was there. An interface has
 * one at a time, which ends with this process at the latest.
 */
public final class XdpRedirect implements AutoCloseable {
    private static final int EACCES = 13;
    private static final int EEXIST = 17;
    private static final List<String> CAPABILITIES =
            List.of("CAP_NET_RAW", "CAP_NET_ADMIN", "CAP_BPF", "CAP_PERFMON", "CAP_IPC_LOCK");

    private final BpfMap sockets;
    private final XdpProgram program;
    private final String name;
    private final boolean isNative;

    private XdpRedirect(BpfMap sockets, XdpProgram program, String name, boolean isNative) {
        this.sockets = sockets;
        this.program = program;
        this.name = name;
        this.isNative = isNative;
    }

    /**
     * Attaches to an interface. No frame is taken before a socket is there.
     *
     * @param queues the least number that is no queue of a socket
     * @param filter which frames are wanted, of those that a socket can have
     * @param hasSegments whether frames may lie in several buffers, of which the filter sees the first
     * @throws LinuxException EPERM where CAP_BPF or CAP_NET_ADMIN is missing, EACCES where CAP_PERFMON is and the filter looks
     *     at what has no fixed place, such as ports behind IPv4, EBUSY where the interface has a program, EINVAL
     *     of kernels before 5.9
     * @throws IllegalArgumentException where the kernel would not run the filter
     */
    public static XdpRedirect attach(
            NetworkDevice device, int queues, XdpMode mode, BpfProgram filter, boolean hasSegments) {
        if (filter.hasLoop()) {
            throw new IllegalArgumentException("the filter jumps back (protochain), which no kernel runs");
        }
        BpfMap sockets = BpfMap.ofXdpSockets(queues);
        try {
            BpfAssembler code = XdpFilter.redirecting(filter, sockets);
            if (mode != XdpMode.GENERIC) {
                try {
                    return attach(device, sockets, code, true, hasSegments);
                } catch (LinuxException e) {
                    if (mode == XdpMode.NATIVE || isForbidden(e) || isTaken(e)) {
                        throw e;
                    }
                }
            }
            return attach(device, sockets, code, false, hasSegments);
        } catch (RuntimeException e) {
            sockets.close();
            throw e;
        }
    }

    private static XdpRedirect attach(
            NetworkDevice device, BpfMap sockets, BpfAssembler code, boolean isNative, boolean hasSegments) {
        String name = device.name();
        XdpProgram program = load(code, hasSegments);
        try {
            program.attach(
                    device.index(),
                    isNative,
                    "attach an XDP program to " + name + " in " + (isNative ? "native" : "generic") + " mode");
            return new XdpRedirect(sockets, program, name, isNative);
        } catch (LinuxException e) {
            program.close();
            throw isTaken(e)
                    ? new LinuxException(
                            name + " has an XDP program already (`ip link show " + name + "` tells; one that no process"
                                    + " holds is taken off by `ip link set " + name + " xdp off`)",
                            e.errno())
                    : e;
        }
    }

    /** What takes frames from no interface. */
    static XdpRedirect ofNothing(int queues) {
        BpfMap sockets = BpfMap.ofXdpSockets(queues);
        try {
            XdpProgram program = load(XdpFilter.redirecting(probe(), sockets), false);
            return new XdpRedirect(sockets, program, "no interface", false);
        } catch (RuntimeException e) {
            sockets.close();
            throw e;
        }
    }

    private static boolean isForbidden(LinuxException e) {
        return e.errno() == LinuxException.EPERM || e.errno() == EACCES;
    }

    private static XdpProgram load(BpfAssembler code, boolean hasSegments) {
        try {
            return XdpProgram.load(code, hasSegments);
        } catch (LinuxException e) {
            throw e.errno() == EACCES
                    ? new LinuxException(
                            "load an XDP program (capability CAP_PERFMON is missing, which filters of ports need)",
                            e.errno())
                    : e;
        }
    }

    private static boolean isTaken(LinuxException e) {
        return e.errno() == LinuxException.EBUSY || e.errno() == EEXIST;
    }

    /** Whether AF_XDP can be had at all: asked by making what it needs, on no interface. */
    static Availability availability() {
        try (NativeSocket socket = NativeSocket.open(IfXdp.AF_XDP, IfXdp.SOCK_RAW, 0, "open an AF_XDP socket");
                BpfMap sockets = BpfMap.ofXdpSockets(1)) {
            sockets.put(0, socket.descriptor(), "put a socket into a map");
            XdpProgram.load(XdpFilter.redirecting(probe(), sockets), false).close();
            return Availability.USABLE;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case LinuxException.EPERM, EACCES ->
                    Availability.without(
                            "capabilities CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF and CAP_PERFMON are needed, and"
                                    + " CAP_IPC_LOCK or a larger `ulimit -l`",
                            new CaptureRemedy.Capabilities(CAPABILITIES));
                case LinuxException.EAFNOSUPPORT ->
                    Availability.without("the kernel was built without AF_XDP (CONFIG_XDP_SOCKETS)");
                default -> Availability.without(String.valueOf(e.getMessage()));
            };
        }
    }

    /** Looks at a byte that has no fixed place, as filters of ports do: the kernel asks for more then (CAP_PERFMON). */
    private static BpfProgram probe() {
        int[] code = {BpfOpcode.LDX_MSH, BpfOpcode.LD | BpfOpcode.B | BpfOpcode.IND, BpfOpcode.RET | BpfOpcode.A};
        return BpfProgram.of(code, new int[3], new int[3], new int[3]);
    }

    /** Whether the driver runs the program, and not the network stack. */
    public boolean isNative() {
        return isNative;
    }

    /** Frames of the socket's queue go to it from now on. */
    public void redirect(XdpSocket socket) {
        sockets.put(socket.queue(), socket.descriptor(), "redirect queue " + socket.queue() + " of " + name);
    }

    /** Frames of a queue that had a socket go to the machine's stack again. */
    public void pass(int queue) {
        sockets.remove(queue, "end the redirection of queue " + queue + " of " + name);
    }

    /** Takes the program from the interface. */
    @Override
    public void close() {
        program.close();
        sockets.close();
    }
}
