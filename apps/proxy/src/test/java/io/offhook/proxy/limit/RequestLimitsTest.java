package io.offhook.proxy.limit;

import static io.offhook.proxy.limit.LimitVerdict.ALLOWED;
import static io.offhook.proxy.limit.LimitVerdict.CALL_RATE;
import static io.offhook.proxy.limit.LimitVerdict.CONCURRENT_CALLS;
import static io.offhook.proxy.limit.LimitVerdict.REQUEST_RATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rates and concurrent calls, with simulated time. */
@Timeout(60)
class RequestLimitsTest {
    private static final LimitConfig.Connections CONNECTIONS = new LimitConfig.Connections(1, 1);
    private static final long SECOND = 1_000_000_000L;
    private static final IpAddress A = address("192.0.2.1");
    private static final IpAddress B = address("192.0.2.2");

    private static IpAddress address(String text) {
        return Objects.requireNonNull(IpAddress.parse(text));
    }

    private static RequestLimits of(Rates source, Rates user) {
        return new RequestLimits(new LimitConfig(source, user, 1024, CONNECTIONS), 42);
    }

    private static int allowed(RequestLimits limits, IpAddress source, int requests, long nowNs) {
        return (int) IntStream.range(0, requests)
                .filter(i -> limits.source(source, false, nowNs) == ALLOWED)
                .count();
    }

    @Test
    void allowsTheBurstAndThenTheRate() {
        RequestLimits limits = of(new Rates(10, 5, 0, 1, 0), Rates.UNLIMITED);
        assertThat(allowed(limits, A, 20, 0)).isEqualTo(5);
        assertThat(allowed(limits, B, 20, 0)).as("another source").isEqualTo(5);
        assertThat(allowed(limits, A, 20, SECOND / 10)).isEqualTo(1);
        assertThat(allowed(limits, A, 20, SECOND / 2)).isEqualTo(4);
        assertThat(allowed(limits, A, 20, 100 * SECOND)).as("a full bucket").isEqualTo(5);
        assertThat(limits.refused(REQUEST_RATE)).isEqualTo(100 - 20);
    }

    @Test
    void aRefusedRequestTakesNoToken() {
        RequestLimits limits = of(new Rates(10, 2, 1, 1, 0), Rates.UNLIMITED);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.source(A, true, 0)).isEqualTo(CALL_RATE);
        assertThat(limits.source(A, false, 0)).as("the second request").isEqualTo(ALLOWED);
        assertThat(limits.source(A, false, 0)).isEqualTo(REQUEST_RATE);
    }

    @Test
    void limitsCallsAtATime() {
        RequestLimits limits = of(new Rates(0, 1, 0, 1, 2), Rates.UNLIMITED);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.source(A, true, 0)).isEqualTo(CONCURRENT_CALLS);
        assertThat(limits.source(A, false, 0)).as("no call").isEqualTo(ALLOWED);
        limits.sourceCallEnded(A);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        limits.sourceCallEnded(B); // never had one
        assertThat(limits.source(B, true, 0)).isEqualTo(ALLOWED);
    }

    @Test
    void countsUsersAndTrunksForThemselves() {
        RequestLimits limits = of(Rates.UNLIMITED, new Rates(0, 1, 1, 1, 0));
        Rates ofTrunk = new Rates(0, 1, 2, 2, 0);
        assertThat(limits.user("alice", true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.user("alice", true, 0)).isEqualTo(CALL_RATE);
        assertThat(limits.user("bob", true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.trunk("alice", ofTrunk, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.trunk("alice", ofTrunk, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.trunk("alice", ofTrunk, true, 0)).isEqualTo(CALL_RATE);
    }

    @Test
    void anIpv6NetworkIsOneSource() {
        RequestLimits limits = of(new Rates(10, 1, 0, 1, 0), Rates.UNLIMITED);
        assertThat(limits.source(address("2001:db8:0:1::1"), false, 0)).isEqualTo(ALLOWED);
        assertThat(limits.source(address("2001:db8:0:1:ffff::2"), false, 0)).isEqualTo(REQUEST_RATE);
        assertThat(limits.source(address("2001:db8:0:2::1"), false, 0)).isEqualTo(ALLOWED);
    }

    @Test
    void aFloodOfSourcesStaysInTheTableAndLeavesThoseWithCalls() {
        RequestLimits limits = of(new Rates(1, 1, 0, 1, 5), Rates.UNLIMITED);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        for (int i = 0; i < 100_000; i++) {
            limits.source(IpAddress.ofIpv4(0x0a00_0000 + i), false, i);
        }
        assertThat(limits.followed(0)).isBetween(512, 2048);
        assertThat(limits.evicted()).isGreaterThan(90_000);
        for (int i = 0; i < 4; i++) {
            limits.source(A, true, (2 + i) * SECOND);
        }
        assertThat(limits.source(A, true, 7 * SECOND))
                .as("its first call is known")
                .isEqualTo(CONCURRENT_CALLS);
        assertThat(limits.followed(1000 * SECOND)).isEqualTo(1);
    }

    @Test
    void takesOtherLimitsWhileCallsLast() {
        RequestLimits limits = of(new Rates(0, 1, 0, 1, 1), Rates.UNLIMITED);
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        limits.reload(new LimitConfig(new Rates(0, 1, 0, 1, 2), Rates.UNLIMITED, 1024, CONNECTIONS));
        assertThat(limits.source(A, true, 0)).isEqualTo(ALLOWED);
        assertThat(limits.source(A, true, 0)).isEqualTo(CONCURRENT_CALLS);
    }

    @Test
    void lanesShareALimit() throws Exception {
        RequestLimits limits = of(new Rates(1000, 1000, 0, 1, 0), Rates.UNLIMITED);
        AtomicInteger allowed = new AtomicInteger();
        try (ExecutorService lanes = Executors.newFixedThreadPool(4)) {
            Callable<Void> lane = () -> {
                allowed.addAndGet(allowed(limits, A, 2000, 0));
                return null;
            };
            for (var done : lanes.invokeAll(java.util.Collections.nCopies(4, lane))) {
                done.get();
            }
        }
        assertThat(allowed).hasValue(1000);
    }

    @Test
    void allocatesNothing() {
        RequestLimits limits = of(new Rates(10, 5, 1, 1, 3), Rates.UNLIMITED);
        IpAddress[] sources = new IpAddress[4096];
        java.util.Arrays.setAll(sources, i -> IpAddress.ofIpv4(i * 77));
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int round = 0; round < 2; round++) { // the first one loads classes
            before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 200_000; i++) {
                limits.source(sources[i & 4095], (i & 1) == 0, i * 1000L);
            }
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }
}
