package io.offhook.dpdk;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The EAL of this process, which all tests share, for there can be one only; it lives as long as the process. */
final class TestEal {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static @Nullable Eal eal;

    private TestEal() {}

    /** Whether there can be one here; the condition of tests that need one. */
    static boolean isPossible() {
        return Eal.missing() == null;
    }

    static synchronized Eal get() {
        Eal started = eal;
        if (started == null) {
            started = Eal.start(EalOptions.virtual());
            eal = started;
        }
        return started;
    }

    /** A name that no device or pool of another test has. */
    static String unique(String prefix) {
        return prefix + NEXT.getAndIncrement();
    }

    static Mempool pool(int mbufs) {
        return get().mempool(unique("pool"), mbufs, 32, 2048);
    }

    /**
     * What the caches of threads have of a pool, once another thread, which has none, has taken all that it can get; it gives
     * all back.
     */
    static int inCaches(Mempool pool) throws InterruptedException {
        AtomicInteger cached = new AtomicInteger();
        Thread.ofPlatform()
                .start(() -> {
                    MbufArray all = new MbufArray(pool.mbufs());
                    MbufTemplate template = MbufTemplate.of(packet(60, 1));
                    for (long mbuf = pool.copy(template); mbuf != 0; mbuf = pool.copy(template)) {
                        all.add(mbuf);
                    }
                    cached.set(pool.available());
                    all.free();
                })
                .join();
        return cached.get();
    }

    /** A packet whose bytes tell its number. */
    static byte[] packet(int length, int number) {
        byte[] packet = new byte[length];
        for (int i = 0; i < length; i++) {
            packet[i] = (byte) (number * 31 + i * 7);
        }
        return packet;
    }

    static byte[] bytes(long mbuf) {
        MbufView view = new MbufView().wrap(mbuf);
        byte[] bytes = new byte[(int) view.packetLength()];
        int at = 0;
        for (long segment = mbuf; segment != 0; segment = view.next()) {
            view.wrap(segment);
            for (int i = 0; i < view.dataLength(); i++) {
                bytes[at++] = MbufView.memory().get(java.lang.foreign.ValueLayout.JAVA_BYTE, view.dataAddress() + i);
            }
        }
        if (at != bytes.length) {
            throw new AssertionError("segments of " + at + " bytes make a packet of " + bytes.length);
        }
        return bytes;
    }
}
