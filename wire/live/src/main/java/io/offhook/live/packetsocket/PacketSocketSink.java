package io.offhook.live.packetsocket;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.Poller;
import io.offhook.live.LiveSink;
import io.offhook.live.SendCounts;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * Frames onto one interface by AF_PACKET, packet(7), from a ring that the kernel and this process share: a frame is copied
 * once, or made where it lies, and one system call sends all that wait.
 *
 * <p>A frame that cannot be sent is {@linkplain SendCounts counted} by cause, and those behind it go on. Where the queue of
 * the interface or its driver has no room, {@link #write} and {@link #flush} wait for it, a second without any progress at
 * the most; {@link #send} waits for nothing. Single-threaded, but {@link #counts} may be asked by any thread.
 *
 * <p>Needs CAP_NET_RAW. An interface that goes down refuses frames until it is up again; one that disappears
 * {@linkplain #isGone stays so}.
 */
public final class PacketSocketSink implements LiveSink {
    /** What {@link #claim} answers where the ring has no room now: {@link #send} or {@link #flush} makes some. */
    public static final long FULL = -1;
    /** What {@link #claim} answers where the interface takes no frame of that length; it was counted. */
    public static final long REFUSED = -2;

    private static final int ENXIO = 6;
    private static final int ENODEV = 19;
    private static final int EINVAL = 22;
    private static final int EMSGSIZE = 90;
    private static final int ENETDOWN = 100;
    private static final int ENOBUFS = 105;

    private static final int ETHERNET_HEADER_BYTES = 14;
    private static final int VLAN_TAG_BYTES = 4;
    /** Without any progress for so long, frames are given up. */
    private static final long PATIENCE_NS = 1_000_000_000L;
    /** Between two tries where the kernel calls the socket writable, and then takes nothing. */
    private static final long PAUSE_NS = 50_000L;
    /** Between two looks at an MTU that frames exceed. */
    private static final long LOOK_NS = 1_000_000_000L;

    private final PacketSocketSinkOptions options;
    private final int index;
    private final int linkType;
    private final int headerBytes;
    private final SendRing ring;
    private final MemorySegment memory;
    private final Poller poller;
    private final SendCounts.Builder counts = new SendCounts.Builder();

    private int limit;
    private int claimed = -1;
    private long claimedAt;
    private long lookedNs;
    private boolean gone;
    private boolean closed;

    private PacketSocketSink(PacketSocketSinkOptions options, NetworkDevice device, int linkType) {
        this.options = options;
        this.linkType = linkType;
        index = device.index();
        headerBytes = linkType == LinkType.ETHERNET ? ETHERNET_HEADER_BYTES : 0;
        ring = SendRing.open(options, device, headerBytes);
        memory = ring.memory();
        try {
            poller = Poller.forWriting(ring.descriptor());
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
        look(device);
        // the first call of a process is slow: better now than when a frame is due
        long _ = ring.send(counts);
    }

    /**
     * Opens an interface to send.
     *
     * @throws LinuxException EPERM where CAP_NET_RAW is missing
     * @throws IllegalArgumentException where there is no such interface, or its packets have a form that is not known
     */
    public static PacketSocketSink open(PacketSocketSinkOptions options) {
        NetworkDevice device = PacketSocketSource.device(options.interfaceName());
        return new PacketSocketSink(options, device, PacketSocketSource.knownLinkType(device));
    }

    /** The link type of what the interface takes, a {@link LinkType} value. */
    public int linkType() {
        return linkType;
    }

    @Override
    public boolean takes(int linkType) {
        return linkType == this.linkType || this.linkType == LinkType.RAW && isRaw(linkType);
    }

    private static boolean isRaw(int linkType) {
        return switch (linkType) {
            case LinkType.RAW_BSD, LinkType.RAW_OPENBSD, LinkType.IPV4, LinkType.IPV6 -> true;
            default -> false;
        };
    }

    /** The memory of the ring, in which {@link #claim} names places. It ends with the sink. */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Asks for room for one frame, which the caller then makes there, and {@linkplain #commit hands over}. A frame that was
     * claimed and not committed leaves its room to the next.
     *
     * @param bytes of the frame
     * @return where in {@link #memory()} it goes, or {@link #FULL}, or {@link #REFUSED}
     */
    public long claim(int bytes) {
        claimed = -1;
        if (bytes < headerBytes || bytes == 0) {
            counts.offered();
            counts.tooShort.add(1);
            return REFUSED;
        }
        if (bytes > limit + VLAN_TAG_BYTES && !fitsNow(bytes - VLAN_TAG_BYTES)) {
            counts.offered();
            counts.tooLong.add(1);
            return REFUSED;
        }
        long at = ring.claim();
        if (at < 0) {
            return FULL;
        }
        claimed = bytes;
        claimedAt = at;
        return at;
    }

    /**
     * The frame that was claimed is there, and is to be sent.
     *
     * @return false where it is longer than the interface takes frames without a VLAN tag; then it was counted, and is not sent
     * @throws IllegalStateException where no frame was claimed
     */
    public boolean commit() {
        if (claimed < 0) {
            throw new IllegalStateException("no frame was claimed");
        }
        int bytes = claimed;
        claimed = -1;
        counts.offered();
        if (!ring.fits(claimedAt, bytes) && !fitsNow(bytes)) {
            counts.tooLong.add(1);
            return false;
        }
        ring.put(bytes);
        return true;
    }

    @Override
    public void write(
            MemorySegment segment, long offset, int capturedLength, int wireLength, long timestampNs, int linkType) {
        checkOpen();
        if (!takes(linkType)) {
            counts.offered();
            counts.otherLinkType.add(1);
            return;
        }
        long at = claim(capturedLength);
        if (at == FULL) {
            at = claimInTime(capturedLength);
        }
        if (at >= 0) {
            MemorySegment.copy(segment, offset, memory, at, capturedLength);
            commit();
        }
    }

    private long claimInTime(int bytes) {
        long untilNs = System.nanoTime() + PATIENCE_NS;
        while (true) {
            flush();
            long at = claim(bytes);
            if (at != FULL) {
                return at;
            }
            if (System.nanoTime() - untilNs > 0) {
                counts.offered();
                counts.stalled.add(1);
                return REFUSED;
            }
            await();
        }
    }

    /**
     * Has the kernel send what waits, in one call, without waiting for room.
     *
     * @return frames that wait still; {@link #await} waits until it may be tried again
     */
    public int send() {
        checkOpen();
        if (ring.waiting() > 0) {
            long result = ring.send(counts);
            if (result < 0) {
                meet((int) -result);
            }
        }
        return ring.waiting();
    }

    private void meet(int errno) {
        switch (errno) {
            case LinuxException.EAGAIN, ENOBUFS -> counts.busy.add(1);
            case LinuxException.EINTR -> {
                // again
            }
            case EMSGSIZE, EINVAL -> refuseFirst(errno);
            case ENETDOWN -> counts.interfaceDown.add(ring.takeOutAll());
            case ENXIO, ENODEV -> {
                gone = true;
                counts.interfaceDown.add(ring.takeOutAll());
            }
            default -> throw new LinuxException("send to " + options.interfaceName(), errno);
        }
    }

    /** Where the MTU became smaller, the first is seldom alone. */
    private void refuseFirst(int errno) {
        look();
        int out = ring.takeOut();
        (errno == EMSGSIZE ? counts.tooLong : counts.malformed).add(out);
    }

    /** Waits until the kernel may take frames again, a millisecond at most. */
    public void await() {
        if (poller.await(1)) {
            // the kernel calls a socket writable by the bytes that are under way, not by its slots
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    @Override
    public void flush() {
        checkOpen();
        int before = ring.waiting();
        long untilNs = 0;
        while (send() > 0) {
            int waiting = ring.waiting();
            long nowNs = System.nanoTime();
            if (waiting < before || untilNs == 0) {
                untilNs = nowNs + PATIENCE_NS;
                before = waiting;
            } else if (nowNs - untilNs > 0) {
                counts.stalled.add(ring.takeOutAll());
                return;
            }
            await();
        }
    }

    /** Whether it fits after another look at the interface, now and then. */
    private boolean fitsNow(int bytes) {
        long nowNs = System.nanoTime();
        if (nowNs - lookedNs >= LOOK_NS) {
            look();
        }
        return bytes <= limit;
    }

    private void look() {
        for (NetworkDevice device : NetworkDevice.all()) {
            if (device.index() == index) {
                look(device);
            }
        }
    }

    private void look(NetworkDevice device) {
        boolean hasHeader = linkType == LinkType.ETHERNET || linkType == LinkType.RAW;
        int longest = ring.frameBytes() - VLAN_TAG_BYTES;
        limit = hasHeader ? Math.min(device.mtu() + headerBytes, longest) : longest;
        ring.limit(limit);
        lookedNs = System.nanoTime();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the sink is closed");
        }
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public SendCounts counts() {
        return counts.build();
    }

    /** Sends what waits, as {@link #flush} does, and ends. */
    @Override
    public void close() {
        if (!closed) {
            try {
                flush();
            } finally {
                closed = true;
                poller.close();
                ring.close();
            }
        }
    }
}
