package io.offhook.cli.capture;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.Availability;
import io.offhook.live.BatchLoans;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureDevice;
import io.offhook.live.CaptureFeature;
import io.offhook.live.CaptureRequest;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.PolledRingDriver;
import io.offhook.live.RingSource;
import io.offhook.live.WallClock;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A way to capture that anybody could write: a ring of 256 numbered frames in memory, filled as soon as they come back. */
public final class SampleBackend implements CaptureBackend {
    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ETHERNET_BYTES = 14;
    private static final int SLOTS = 256;
    private static final int SLOT_BYTES = 64;

    static int number(MemorySegment memory, long frame) {
        return memory.get(NUMBER, frame + ETHERNET_BYTES);
    }

    @Override
    public String name() {
        return "sample";
    }

    @Override
    public Set<CaptureFeature> features() {
        return Set.of(CaptureFeature.IDLE_STRATEGY);
    }

    @Override
    public Availability on(NetworkDevice device) {
        return Availability.without("it captures from sample0 only");
    }

    @Override
    public List<CaptureDevice> ownDevices() {
        return List.of(CaptureDevice.of("sample0", "frames of memory", Availability.USABLE));
    }

    @Override
    public LiveSource open(CaptureRequest request) {
        request.checkFor(this);
        return new RingSource(new Ring(request), request.idleStrategy());
    }

    private static final class Ring implements PolledRingDriver {
        private final CaptureRequest request;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment memory = arena.allocate(SLOTS * SLOT_BYTES);
        private final boolean[] isLent = new boolean[SLOTS];
        private int next;
        private boolean isDetached;

        Ring(CaptureRequest request) {
            this.request = request;
        }

        @Override
        public CaptureInterface captureInterface() {
            return new CaptureInterface(
                    request.name(), LinkType.ETHERNET, request.snapLength(), 1_000_000_000, 0, request.name());
        }

        @Override
        public List<String> notes() {
            return List.of("its frames were never on a wire");
        }

        @Override
        public void fill(FrameBatch batch, BatchLoans.Loan loan) {
            int segment = batch.addSegment(memory);
            while (!batch.isFull() && hasFrames()) {
                int slot = next % SLOTS;
                long frame = (long) slot * SLOT_BYTES;
                memory.set(NUMBER, frame + ETHERNET_BYTES, next);
                batch.add(segment, frame, SLOT_BYTES, SLOT_BYTES, nowNs(), 0, LinkType.ETHERNET);
                isLent[slot] = true;
                loan.add(slot);
                next++;
            }
        }

        @Override
        public void giveBack(long[] places, int count) {
            for (int i = 0; i < count; i++) {
                isLent[(int) places[i]] = false;
            }
        }

        @Override
        public boolean hasFrames() {
            return !isDetached && !isLent[next % SLOTS];
        }

        @Override
        public void detach() {
            isDetached = true;
        }

        @Override
        public boolean isDrained(long detachedForNs, long quietForNs) {
            return true;
        }

        @Override
        public void count(LiveCounts.Builder counts) {
            counts.received(counts.delivered());
        }

        @Override
        public long countIntervalNs() {
            return 0;
        }

        @Override
        public long nowNs() {
            return WallClock.kernelNs();
        }

        @Override
        public @Nullable String whyGone() {
            return null;
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
