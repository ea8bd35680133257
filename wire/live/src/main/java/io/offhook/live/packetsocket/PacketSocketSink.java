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
 * Sends frames on one interface by AF_PACKET, packet(7), from a ring that the kernel shares with this process: a frame
 * is copied once, or built in place, and one system call sends all that wait.
 *
 * <p>A frame that cannot be sent is {@linkplain SendCounts counted} by cause, and those after it are sent. If the queue
 * of the interface or its driver has no room, {@link #write} and {@link #flush} wait, for at most a second without
 * progress; {@link #send} never waits. Single-threaded, except for {@link #counts}.
 *
 * <p>Needs CAP_NET_RAW. An interface that goes down refuses frames until it is up again; one that disappears
 * {@linkplain #isGone refuses them for good}.
 */
public final class PacketSocketSink implements LiveSink {
    /** The result of {@link #claim} if the ring has no room now; {@link #send} or {@link #flush} makes some. */
    public static final long FULL = -1;
    /** The result of {@link #claim} if the interface does not accept frames of that length; the frame was counted. */
    public static final long REFUSED = -2;

    private static final int ENXIO = 6;
    private static final int ENODEV = 19;
    private static final int EINVAL = 22;
    private static final int EMSGSIZE = 90;
    private static final int ENETDOWN = 100;
    private static final int ENOBUFS = 105;

    private static final int ETHERNET_HEADER_BYTES = 14;
    private static final int VLAN_TAG_BYTES = 4;
    /** The time without progress after which frames are given up. */
    private static final long PATIENCE_NS = 1_000_000_000L;
    /** The pause between two tries if the kernel reports the socket as writable and then accepts nothing. */
    private static final long PAUSE_NS = 50_000L;
    /** The interval of reading an MTU that frames exceed. */
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
            look(device);
            // the first call of a process is slow: better now than when a frame is due
            long _ = ring.send(counts);
            poller = Poller.forWriting(ring.descriptor());
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
    }

    /**
     * Opens an interface for sending.
     *
     * @throws LinuxException EPERM if CAP_NET_RAW is missing
     * @throws IllegalArgumentException if there is no such interface, or its frames have an unknown format
     */
    public static PacketSocketSink open(PacketSocketSinkOptions options) {
        NetworkDevice device = PacketSocketSource.device(options.interfaceName());
        return new PacketSocketSink(options, device, PacketSocketSource.knownLinkType(device));
    }

    /** Returns the link type that the interface accepts, a {@link LinkType} value. */
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

    /** Returns the memory of the ring, which {@link #claim} returns offsets into. It ends with the sink. */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Claims room for one frame, which the caller builds there and then {@linkplain #commit commits}. A frame that was
     * claimed but not committed leaves its room to the next.
     *
     * @param bytes the length of the frame
     * @return its offset in {@link #memory()}, or {@link #FULL}, or {@link #REFUSED}
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
     * Queues the claimed frame, which is complete now, for sending.
     *
     * @return false if it is longer than the interface accepts without a VLAN tag; it was counted and is not sent
     * @throws IllegalStateException if no frame was claimed
     */
    public boolean commit() {
        if (claimed < 0) {
            throw new IllegalStateException("no frame was claimed; call claim first");
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
     * Makes the kernel send the waiting frames, with one call and without waiting for room.
     *
     * @return the number of frames still waiting; {@link #await} waits until another try makes sense
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

    /** Refuses the first frame; if the MTU has become smaller, others may follow. */
    private void refuseFirst(int errno) {
        look();
        int out = ring.takeOut();
        (errno == EMSGSIZE ? counts.tooLong : counts.malformed).add(out);
    }

    /** Waits until the kernel may accept frames again, at most a millisecond. */
    public void await() {
        if (poller.await(1)) {
            // the kernel decides by the bytes in flight, not by free slots, whether a socket is writable
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

    /** Returns whether a frame fits after reading the MTU again, which is done now and then. */
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
        limit = hasHeader ? Math.min(device.mtu(), longest - headerBytes) + headerBytes : longest;
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

    /** Sends the waiting frames, as {@link #flush} does, and closes the sink. */
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
