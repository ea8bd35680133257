package io.offhook.live.xdp;

import io.offhook.filter.BpfProgram;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.NativeSocket;
import io.offhook.live.engine.MtuLimit;
import io.offhook.live.engine.PromiscuousMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The AF_XDP resources of a source: memory, a socket for each queue, each with its own chunks, and the program that
 * redirects to them.
 */
final class XdpQueues implements AutoCloseable {
    /** The bytes of the link header and two VLAN tags. */
    private static final int LINK_BYTES = 14 + 2 * 4;

    private static final int SMALL_CHUNK = 2048;
    private static final int CHUNK = 4096;
    private static final int FEWEST_CHUNKS = 4;
    private static final int REHEARSED_CHUNKS = 4096;

    private final XdpMemory memory;
    private final XdpRedirect redirect;
    private final List<XdpSocket> sockets;
    private final @Nullable NativeSocket promiscuous;
    private final int chunksOfQueue;
    private final boolean hasSegments;

    private XdpQueues(Opening opening, XdpRedirect redirect, boolean hasSegments) {
        memory = opening.memory;
        this.redirect = redirect;
        sockets = List.copyOf(opening.sockets);
        promiscuous = opening.promiscuous;
        chunksOfQueue = opening.chunksOfQueue;
        this.hasSegments = hasSegments;
    }

    /** Opens them; no frame is redirected to them before {@link #attach}. */
    static XdpQueues open(XdpOptions options, NetworkDevice device, BpfProgram filter) {
        int frameBytes = MtuLimit.check(device.name(), device.mtu()) + LINK_BYTES;
        int chunkBytes = frameBytes <= SMALL_CHUNK - XdpMemory.HEADROOM_BYTES ? SMALL_CHUNK : CHUNK;
        boolean needsSegments = frameBytes > CHUNK - XdpMemory.HEADROOM_BYTES;
        int most = options.queues() == 0 ? device.receiveQueues() : options.queues();
        int chunksOfQueue =
                (int) Long.highestOneBit(Math.max(FEWEST_CHUNKS, options.memoryBytes() / chunkBytes / most));
        Opening opening =
                new Opening(new XdpMemory(Math.multiplyExact(chunksOfQueue, most), chunkBytes), chunksOfQueue);
        try {
            opening.redirect = XdpRedirect.attach(device, most, options.mode(), filter, needsSegments);
            // frames that the stack has merged are longer than the MTU
            boolean wantsSegments = needsSegments || !opening.redirect.isNative();
            boolean hasSegments = opening.openAll(device, options.queues(), most, wantsSegments, needsSegments);
            if (options.isPromiscuous()) {
                opening.promiscuous = PromiscuousMode.open(device);
            }
            return new XdpQueues(opening, opening.redirect, hasSegments);
        } catch (RuntimeException e) {
            opening.undo();
            throw e;
        }
    }

    /** Opens one of no interface, for a rehearsal. */
    static XdpQueues openUnbound() {
        Opening opening = new Opening(new XdpMemory(REHEARSED_CHUNKS, SMALL_CHUNK), REHEARSED_CHUNKS);
        try {
            opening.redirect = XdpRedirect.ofNothing(1);
            opening.sockets.add(opening.open(null, 0, false));
            return new XdpQueues(opening, opening.redirect, false);
        } catch (RuntimeException e) {
            opening.undo();
            throw e;
        }
    }

    /** Has the kernel redirect frames to them. */
    void attach() {
        sockets.forEach(redirect::redirect);
    }

    /** What there is so far; sockets are opened one queue after the other. */
    private static final class Opening {
        final XdpMemory memory;
        final List<XdpSocket> sockets = new ArrayList<>();
        final int chunksOfQueue;

        @Nullable
        XdpRedirect redirect;

        @Nullable
        NativeSocket promiscuous;

        Opening(XdpMemory memory, int chunksOfQueue) {
            this.memory = memory;
            this.chunksOfQueue = chunksOfQueue;
        }

        /** @return whether frames may span several chunks */
        boolean openAll(NetworkDevice device, int asked, int most, boolean wants, boolean needs) {
            boolean hasSegments = wants;
            try {
                sockets.add(open(device, 0, hasSegments));
            } catch (LinuxException e) {
                if (!hasSegments || e.errno() != LinuxException.EINVAL) {
                    throw e;
                }
                if (needs) {
                    throw new LinuxException(
                            "frames of " + device.name() + " may have " + device.mtu()
                                    + " bytes, and kernels before 6.6"
                                    + " give AF_XDP none that need more than one chunk: `sudo ip link set "
                                    + device.name() + " mtu " + (CHUNK - XdpMemory.HEADROOM_BYTES - LINK_BYTES)
                                    + "`, or another backend",
                            e.errno());
                }
                hasSegments = false;
                sockets.add(open(device, 0, false));
            }
            while (sockets.size() < most) {
                try {
                    sockets.add(open(device, sockets.size(), hasSegments));
                } catch (LinuxException e) {
                    if (asked == 0 && e.errno() == LinuxException.EINVAL) {
                        // the driver supports more queues than the interface has
                        break;
                    }
                    throw e;
                }
            }
            return hasSegments;
        }

        /** @param device null for a rehearsal */
        private XdpSocket open(@Nullable NetworkDevice device, int queue, boolean hasSegments) {
            // half as many descriptors as chunks: which of the two runs out tells a late consumer from held batches
            boolean isCopied = redirect == null || !redirect.isNative();
            XdpSocket.Options options =
                    new XdpSocket.Options(queue, chunksOfQueue / 2, 2, chunksOfQueue, isCopied, hasSegments);
            XdpSocket socket =
                    device == null ? XdpSocket.openUnbound(memory, options) : XdpSocket.open(memory, device, options);
            long first = (long) queue * chunksOfQueue * memory.chunkBytes();
            for (int i = 0; i < chunksOfQueue; i++) {
                socket.fill(first + (long) i * memory.chunkBytes());
            }
            socket.submitFill();
            return socket;
        }

        void undo() {
            end(redirect, promiscuous, sockets, memory);
        }
    }

    XdpMemory memory() {
        return memory;
    }

    List<XdpSocket> sockets() {
        return sockets;
    }

    /** Returns a chunk to its queue, with the next {@link #submitFill}. */
    void giveBack(long address) {
        sockets.get((int) (address / memory.chunkBytes() / chunksOfQueue)).fill(address);
    }

    void submitFill() {
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).submitFill();
        }
    }

    /** Returns whether a frame is waiting in any of the queues. */
    boolean hasReceived() {
        for (int i = 0; i < sockets.size(); i++) {
            if (sockets.get(i).received() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Stops redirecting frames to the sockets. */
    void detach() {
        try {
            for (XdpSocket socket : sockets) {
                redirect.pass(socket.queue());
            }
        } catch (LinuxException e) {
            // the process has given up root since, and this kernel asks for it (before 5.19): then wholly
            redirect.close();
        }
    }

    /** Returns a description of what was opened, for a person. */
    String description() {
        return (redirect.isNative() ? "native" : "generic") + " mode, "
                + (sockets.getFirst().isZeroCopy() ? "zero-copy" : "copied") + ", "
                + (sockets.size() == 1 ? "1 queue" : sockets.size() + " queues")
                + (hasSegments ? ", frames of any size" : ", frames of up to " + memory.frameBytes() + " bytes");
    }

    private static void end(
            @Nullable XdpRedirect redirect,
            @Nullable NativeSocket promiscuous,
            List<XdpSocket> sockets,
            XdpMemory memory) {
        if (redirect != null) {
            redirect.close();
        }
        if (promiscuous != null) {
            promiscuous.close();
        }
        sockets.forEach(XdpSocket::close);
        memory.close();
    }

    @Override
    public void close() {
        end(redirect, promiscuous, sockets, memory);
    }
}
