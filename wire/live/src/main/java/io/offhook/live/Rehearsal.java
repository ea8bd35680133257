package io.offhook.live;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A live source of packets that were never on a wire: a call in memory, again and again, as fast as they are taken, until
 * what takes them has become as fast as it gets. Who is about to capture runs the same loop on it before the interface is
 * opened, so that the first packets from the wire meet code that is compiled.
 */
public final class Rehearsal implements DrivenSource {
    private static final int SLOTS = 1024;
    private static final int SLOT_BYTES = 1024;

    private final Pace pace;
    private final RingSource ring;

    private long frames;

    /** One that ends after 1.5 s at the latest. */
    public Rehearsal() {
        this(new Pace());
    }

    Rehearsal(Pace pace) {
        this.pace = pace;
        ring = new RingSource(new Call(), IdleStrategy.PARK);
    }

    /**
     * When to end: once a twentieth of a second brought no more than those before it, after half a second at the earliest and
     * 1.5 s at the latest. For who rehearses a loop that no source feeds.
     */
    public static final class Pace {
        private static final long WINDOW_NS = 50_000_000L;
        private static final int FEWEST_WINDOWS = 10;
        private static final int MOST_WINDOWS = 30;
        /** As many in a row are no faster than the fastest before them. */
        private static final int STEADY_WINDOWS = 4;

        private long windowNs;
        private long windowBegan;
        private long most;
        private int windows;
        private int steady;

        /** It begins now. */
        public Pace() {
            this(System.nanoTime());
        }

        Pace(long nowNs) {
            windowNs = nowNs;
        }

        /**
         * Whether that was enough.
         *
         * @param done how much was done since the beginning: frames, say
         */
        public boolean isOver(long done) {
            return isOver(done, System.nanoTime());
        }

        boolean isOver(long done, long nowNs) {
            long passed = (nowNs - windowNs) / WINDOW_NS;
            if (passed > 0) {
                long perWindow = (done - windowBegan) / passed;
                // a twentieth more is noise
                steady = perWindow <= most + most / 20 ? steady + 1 : 0;
                most = Math.max(most, perWindow);
                windows += (int) Math.min(passed, MOST_WINDOWS);
                windowNs = nowNs;
                windowBegan = done;
            }
            return windows >= MOST_WINDOWS || windows >= FEWEST_WINDOWS && steady >= STEADY_WINDOWS;
        }
    }

    @Override
    public RingSource ring() {
        return ring;
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (pace.isOver(frames)) {
            ring.stop();
        }
        boolean isMore = ring.next(batch);
        frames += batch.count();
        return isMore;
    }

    /** Frames handed over so far. */
    public long frames() {
        return frames;
    }

    /** A ring with the call: its INVITE, its 200 OK, and then speech in both directions. */
    private static final class Call implements RingDriver {
        private static final ValueLayout.OfShort SHORT =
                ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
        private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
        private static final int IP = 14;
        private static final int UDP = IP + 20;
        private static final int PAYLOAD = UDP + 8;
        private static final int RTP_BYTES = 12 + 160;
        private static final int CALLER = 0xc6336401; // 198.51.100.1, of RFC 5737
        private static final int CALLED = 0xc6336402;

        private final Arena arena = Arena.ofShared();
        private final MemorySegment memory = arena.allocate((long) SLOTS * SLOT_BYTES);
        private final int[] lengths = new int[SLOTS];
        private final boolean[] isLent = new boolean[SLOTS];
        private final WallClock clock = new WallClock();
        private int next;
        private int sequence;
        private boolean isDetached;

        Call() {
            sip(0, CALLER, "INVITE sip:rehearsal@198.51.100.2 SIP/2.0\r\n", "", 20_000);
            sip(1, CALLED, "SIP/2.0 200 OK\r\n", ";tag=2", 20_002);
            for (int slot = 2; slot < SLOTS; slot++) {
                boolean isCallers = slot % 2 == 0;
                frame(slot, isCallers ? CALLER : CALLED, isCallers ? 20_000 : 20_002, RTP_BYTES);
                long rtp = (long) slot * SLOT_BYTES + PAYLOAD;
                memory.set(INT, rtp, 0x8000_0000);
                memory.set(INT, rtp + 8, isCallers ? 1 : 2);
            }
        }

        private void sip(int slot, int from, String start, String tag, int port) {
            String address = from == CALLER ? "198.51.100.1" : "198.51.100.2";
            String session = "v=0\r\no=- 1 1 IN IP4 " + address + "\r\ns=-\r\nc=IN IP4 " + address
                    + "\r\nt=0 0\r\nm=audio " + port + " RTP/AVP 0\r\n";
            byte[] text = (start + "Via: SIP/2.0/UDP 198.51.100.1;branch=z9hG4bKrehearsal\r\n"
                            + "From: <sip:1@198.51.100.1>;tag=1\r\nTo: <sip:2@198.51.100.2>" + tag
                            + "\r\nCall-ID: rehearsal\r\nCSeq: 1 INVITE\r\nContact: <sip:1@" + address
                            + ">\r\nContent-Type: application/sdp\r\nContent-Length: "
                            + session.length() + "\r\n\r\n" + session)
                    .getBytes(StandardCharsets.US_ASCII);
            frame(slot, from, 5060, text.length);
            MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, (long) slot * SLOT_BYTES + PAYLOAD, text.length);
        }

        private void frame(int slot, int from, int port, int payloadBytes) {
            long at = (long) slot * SLOT_BYTES;
            lengths[slot] = PAYLOAD + payloadBytes;
            memory.set(SHORT, at, (short) 0x0200);
            memory.set(SHORT, at + 6, (short) 0x0200);
            memory.set(SHORT, at + 12, (short) 0x0800);
            memory.set(SHORT, at + IP, (short) 0x4500);
            memory.set(SHORT, at + IP + 2, (short) (PAYLOAD - IP + payloadBytes));
            memory.set(SHORT, at + IP + 8, (short) 0x4011);
            memory.set(INT, at + IP + 12, from);
            memory.set(INT, at + IP + 16, from == CALLER ? CALLED : CALLER);
            memory.set(SHORT, at + UDP, (short) port);
            memory.set(SHORT, at + UDP + 2, (short) (port == 5060 ? 5060 : 40_002 - port));
            memory.set(SHORT, at + UDP + 4, (short) (PAYLOAD - UDP + payloadBytes));
        }

        @Override
        public CaptureInterface captureInterface() {
            return new CaptureInterface("rehearsal", LinkType.ETHERNET, 262_144, 1_000_000_000, 0, "rehearsal");
        }

        @Override
        public void fill(FrameBatch batch, BatchLoans.Loan loan) {
            int segment = batch.addSegment(memory);
            long nowNs = clock.nowNs();
            while (!batch.isFull() && hasFrames()) {
                long frame = (long) next * SLOT_BYTES;
                if (next > 1) {
                    sequence += next % 2 == 0 ? 1 : 0;
                    memory.set(SHORT, frame + PAYLOAD + 2, (short) sequence);
                    memory.set(INT, frame + PAYLOAD + 4, sequence * 160);
                }
                batch.add(segment, frame, lengths[next], lengths[next], nowNs, 0, LinkType.ETHERNET);
                isLent[next] = true;
                loan.add(next);
                next = (next + 1) % SLOTS;
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
            return !isDetached && !isLent[next];
        }

        @Override
        public boolean canWait() {
            return false;
        }

        @Override
        public void await(int atMostMs) {}

        @Override
        public void wakeUp() {}

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
            return clock.nowNs();
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
