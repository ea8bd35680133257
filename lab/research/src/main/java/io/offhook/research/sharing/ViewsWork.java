package io.offhook.research.sharing;

import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.UdpView;
import io.offhook.research.Rounds.Work;
import java.lang.foreign.MemorySegment;

/**
 * The product's views, which check the bytes that they are put on.
 *
 * <p>Both at once is what reads best and costs most: the views have their fields from one class, so that the compiler must
 * read those of the first again after the second was put on its header, with all checks of its segment; and the code becomes
 * too long to be inlined into a loop.
 */
final class ViewsWork implements Work {
    private final Pools pools;
    private final boolean headerByHeader;
    private final Ipv4View ip = new Ipv4View();
    private final UdpView udp = new UdpView();

    private ViewsWork(Pools pools, boolean headerByHeader) {
        this.pools = pools;
        this.headerByHeader = headerByHeader;
    }

    /** Both views are put on the packet, all fields read, and all written at base and offset. */
    static Work bothAtOnce(Pools pools) {
        return new ViewsWork(pools, false);
    }

    /** The IPv4 header is read and written by its view before the next view is put on the UDP header. */
    static Work headerByHeader(Pools pools) {
        return new ViewsWork(pools, true);
    }

    @Override
    public long round(int number) {
        return headerByHeader ? headerByHeader() : bothAtOnce();
    }

    private long bothAtOnce() {
        long sum = 0;
        for (int step = 0; step < SharingTechniques.STEPS; step++) {
            long offset = Pools.offset(step);
            for (MemorySegment place : pools.segments) {
                sum += changeBoth(place, offset);
            }
        }
        return sum;
    }

    private long headerByHeader() {
        long sum = 0;
        for (int step = 0; step < SharingTechniques.STEPS; step++) {
            long offset = Pools.offset(step);
            for (MemorySegment place : pools.segments) {
                sum += changeIp(place, offset) + changeUdp(place);
            }
        }
        return sum;
    }

    private long changeBoth(MemorySegment base, long offset) {
        check(ip.wrap(base, offset, Pools.STRIDE), offset);
        check(udp.wrap(base, ip.payloadOffset(), ip.payloadLength()), offset);
        int ttl = ip.ttl();
        int identification = ip.identification();
        long source = ip.source();
        int sourcePort = udp.sourcePort();
        InPlaceWork.write(base, offset, ttl, identification, source, sourcePort);
        return ttl + identification + source + sourcePort;
    }

    /** Setters reject what a field cannot hold, so that the numbers wrap around here. */
    private long changeIp(MemorySegment base, long offset) {
        check(ip.wrap(base, offset, Pools.STRIDE), offset);
        int ttl = ip.ttl();
        int identification = ip.identification();
        long source = ip.source();
        ip.ttl(ttl - 1 & 0xff).identification(identification + 1 & 0xffff).source(source + 1 & 0xffff_ffffL);
        return ttl + identification + source;
    }

    private long changeUdp(MemorySegment base) {
        check(udp.wrap(base, ip.payloadOffset(), ip.payloadLength()), ip.payloadOffset());
        int sourcePort = udp.sourcePort();
        udp.sourcePort(sourcePort + 1 & 0xffff);
        return sourcePort;
    }

    private static void check(WrapStatus status, long offset) {
        if (status != WrapStatus.OK) {
            throw new IllegalStateException(status + " at " + offset);
        }
    }

    @Override
    public long digest() {
        return pools.digest();
    }
}
