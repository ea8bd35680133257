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
 * Redirects frames of an interface to sockets, one for each queue: a program in the kernel with its table of sockets.
 * Frames without a socket, or that the filter does not match, go on to the machine's stack as usual. An interface has
 * at most one; it ends with this process at the latest.
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
     * Attaches to an interface. No frame is redirected before a socket is added.
     *
     * @param queues the number of queues that may have a socket
     * @param filter which frames to redirect from queues with a socket
     * @param hasSegments whether frames may span several buffers, of which the filter sees the first
     * @throws LinuxException EPERM if CAP_BPF or CAP_NET_ADMIN is missing, EACCES if CAP_PERFMON is and the filter
     *     examines fields without a fixed offset, such as ports after IPv4, EBUSY if the interface has a program,
     *     EINVAL on kernels before 5.9
     * @throws IllegalArgumentException if the kernel would not run the filter
     */
    public static XdpRedirect attach(
            NetworkDevice device, int queues, XdpMode mode, BpfProgram filter, boolean hasSegments) {
        if (filter.hasLoop()) {
            throw new IllegalArgumentException("the filter has a loop (protochain), which no kernel runs");
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
                            name + " has an XDP program already (`ip link show " + name
                                    + "` shows it; one that no process" + " holds is taken off by `ip link set " + name
                                    + " xdp off`)",
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

    /** Returns whether AF_XDP can be used at all, determined by creating what it needs, on no interface. */
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

    /**
     * Returns a program that reads a byte without a fixed offset, as filters of ports do, for which the kernel requires
     * CAP_PERFMON.
     */
    private static BpfProgram probe() {
        int[] code = {BpfOpcode.LDX_MSH, BpfOpcode.LD | BpfOpcode.B | BpfOpcode.IND, BpfOpcode.RET | BpfOpcode.A};
        return BpfProgram.of(code, new int[3], new int[3], new int[3]);
    }

    /** Returns whether the driver runs the program instead of the network stack. */
    public boolean isNative() {
        return isNative;
    }

    /** Redirects the frames of the socket's queue to it from now on. */
    public void redirect(XdpSocket socket) {
        sockets.put(socket.queue(), socket.descriptor(), "redirect queue " + socket.queue() + " of " + name);
    }

    /** Lets the frames of a queue go to the machine's stack again. */
    public void pass(int queue) {
        sockets.remove(queue, "end the redirection of queue " + queue + " of " + name);
    }

    /** Detaches the program from the interface. */
    @Override
    public void close() {
        program.close();
        sockets.close();
    }
}
