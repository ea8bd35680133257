package io.offhook.testkit.traffic;

import io.offhook.packet.LinkType;
import io.offhook.testkit.truth.Party;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The same traffic captured at two points: A, near the callers, and B, near the callees. Takes the frames of a capture as
 * those that the points are passed by, delays and drops some of them, and counts what it does. Equal seeds give equal
 * bytes.
 *
 * <p>Of two hosts, the one with the lower address is near A: callers have 10.1.0.0/16, and callees 10.2.0.0/16, unless
 * a {@link CallPlan} is told otherwise. Frames are IPv4 on Ethernet. Packets of a party's RTP are counted from 0, in the order of the capture, over all its streams. Mutable set-up
 * with fluent setters.
 */
public final class TwoPoints {
    private static final int IP = 14;
    private static final int ADDRESSES = IP + 12;
    private static final int CHECKSUM = IP + 10;
    private static final int UDP = 17;
    private static final int UDP_CHECKSUM = IP + 20 + 6;
    private static final int RTP = IP + 20 + 8;
    private static final int SSRC = RTP + 8;

    private final Random random;
    private final Map<Party, Long> delayNs = new EnumMap<>(Party.class);
    private final Map<Party, LongPredicate> lostBefore = new EnumMap<>(Party.class);
    private final Map<Party, LongPredicate> lostBetween = new EnumMap<>(Party.class);
    private final Map<Party, LongPredicate> missedFirst = new EnumMap<>(Party.class);
    /** By the beginning of the start line: how many transmissions are lost. */
    private final Map<String, Integer> lostMessages = new LinkedHashMap<>();

    private final IdentityHashMap<Frame, Long> passedNs = new IdentityHashMap<>();
    private long jitterNs = 200_000;
    private long offsetNs;
    private double drift;
    private long stepAtNs = Long.MAX_VALUE;
    private long stepNs;
    private byte[] outside = new byte[0];
    private int outsidePort;
    private long fromNs = Long.MIN_VALUE;
    private long untilNs = Long.MAX_VALUE;
    private boolean isMediaAlone;
    private boolean isCopied;
    private boolean isBackToBack;
    private @Nullable Party otherSsrc;
    private @Nullable Party rewritten;

    /** What happened to one party's RTP, as counted while it was written. */
    public static final class Counts {
        private long sent;
        private long lostBefore;
        private long lostBetween;
        private long missedByFirst;

        /** Packets of the original capture. */
        public long sent() {
            return sent;
        }

        /** Packets that no point has. */
        public long lostBefore() {
            return lostBefore;
        }

        /** Packets that only the first of the points on their way has. */
        public long lostBetween() {
            return lostBetween;
        }

        /** Packets that passed the first point, and only its capture lacks. */
        public long missedByFirst() {
            return missedByFirst;
        }
    }

    /**
     * Both captures.
     *
     * @param atA frames of the capture at A, by time
     * @param atB frames of the capture at B, by time
     * @param caller what happened to the callers' RTP
     * @param callee what happened to the callees' RTP
     */
    public record Captures(List<Frame> atA, List<Frame> atB, Counts caller, Counts callee) {}

    /** Points that nothing is lost between, with a delay of 4 ms from the callers and 6 ms from the callees. */
    public TwoPoints(long seed) {
        random = new Random(seed);
        delayMicros(Party.CALLER, 4_000).delayMicros(Party.CALLEE, 6_000);
    }

    /** The least time between the points, in the direction of what a party sends. */
    public TwoPoints delayMicros(Party from, long microseconds) {
        delayNs.put(from, microseconds * 1000);
        return this;
    }

    /** Beyond the least delay, most packets take less than so many microseconds, and none much more. */
    public TwoPoints jitterMicros(long microseconds) {
        jitterNs = microseconds * 1000;
        return this;
    }

    /** B's clock: ahead by {@code milliseconds} at the start, and faster by {@code ppm} parts per million. */
    public TwoPoints clockOfB(double milliseconds, double ppm) {
        offsetNs = Math.round(milliseconds * 1e6);
        drift = ppm / 1e6;
        return this;
    }

    /** B's clock is set by {@code milliseconds}, so many milliseconds after the beginning of the original. */
    public TwoPoints clockOfBSet(long atMs, long milliseconds) {
        stepAtNs = Traffic.START_NS + atMs * 1_000_000;
        stepNs = milliseconds * 1_000_000;
        return this;
    }

    /** RTP packets that are lost before the first point. */
    public TwoPoints lostBefore(Party from, LongPredicate packets) {
        lostBefore.put(from, packets);
        return this;
    }

    /** RTP packets that are lost between the points. */
    public TwoPoints lostBetween(Party from, LongPredicate packets) {
        lostBetween.put(from, packets);
        return this;
    }

    /** RTP packets that the capture at the first point on their way lacks, though they passed. */
    public TwoPoints missedByFirst(Party from, LongPredicate packets) {
        missedFirst.put(from, packets);
        return this;
    }

    /** SIP whose start line begins so is lost between the points, each time that it is sent. */
    public TwoPoints lostMessage(String startLine) {
        return lostMessage(startLine, Integer.MAX_VALUE);
    }

    /** SIP whose start line begins so is lost between the points the first {@code times} that it is sent. */
    public TwoPoints lostMessage(String startLine, int times) {
        lostMessages.put(startLine, times);
        return this;
    }

    /** A NAT between the points: at B, callers have this IPv4 address, and ports that are higher by {@code ports}. */
    public TwoPoints nat(String address, int ports) {
        outside = Addresses.bytes(Addresses.endpoint(address, 0));
        outsidePort = ports;
        return this;
    }

    /** B captures only from and until so many milliseconds after the beginning of the original. */
    public TwoPoints capturedAtB(long fromMs, long untilMs) {
        fromNs = Traffic.START_NS + fromMs * 1_000_000;
        untilNs = Traffic.START_NS + untilMs * 1_000_000;
        return this;
    }

    /** B captures no SIP. */
    public TwoPoints mediaAloneAtB() {
        isMediaAlone = true;
        return this;
    }

    /** A host between the points gives the RTP of a party another SSRC. */
    public TwoPoints otherSsrcAtB(Party from) {
        otherSsrc = from;
        return this;
    }

    /** A host between the points gives the RTP of a party another SSRC, other numbers and another clock. */
    public TwoPoints rewrittenAtB(Party from) {
        rewritten = from;
        return otherSsrcAtB(from);
    }

    /** A B2BUA between the points: at B, Call-IDs begin with another letter. */
    public TwoPoints otherCallIdsAtB() {
        isBackToBack = true;
        return this;
    }

    /** A mirror port at B delivers every packet twice. */
    public TwoPoints mirroredAtB() {
        isCopied = true;
        return this;
    }

    /** Writes both captures. */
    public Captures of(List<Frame> frames) {
        List<Frame> atA = new ArrayList<>();
        List<Frame> atB = new ArrayList<>();
        Map<Party, Counts> counts = new HashMap<>(Map.of(Party.CALLER, new Counts(), Party.CALLEE, new Counts()));
        for (Frame frame : frames) {
            Party from = from(frame);
            boolean isForward = from == Party.CALLER;
            Fate fate = fate(frame, from, counts.getOrDefault(from, new Counts()));
            long delay = delayNs.getOrDefault(from, 0L) + Math.round(Math.abs(random.nextGaussian()) * jitterNs / 2);
            long atFirst = frame.timestampNs();
            boolean isAtFirst = fate == Fate.PASSED || fate == Fate.LOST;
            boolean isAtSecond = fate == Fate.PASSED || fate == Fate.MISSED;
            if (isForward ? isAtFirst : isAtSecond) {
                atA.add(at(isForward ? atFirst : atFirst + delay, frame, frame.bytes()));
            }
            if (isForward ? isAtSecond : isAtFirst) {
                addAtB(isForward ? atFirst + delay : atFirst, frame, atB);
            }
        }
        atA.sort(Comparator.comparingLong(Frame::timestampNs));
        atB.sort(Comparator.comparingLong(this::passed));
        return new Captures(
                atA,
                atB,
                counts.getOrDefault(Party.CALLER, new Counts()),
                counts.getOrDefault(Party.CALLEE, new Counts()));
    }

    /** When a frame of B passed, whatever its clock says: a capture is in the order of packets. */
    private long passed(Frame frame) {
        return passedNs.getOrDefault(frame, frame.timestampNs());
    }

    private enum Fate {
        PASSED,
        /** Before the first point. */
        NEVER_CAME,
        /** Between the points. */
        LOST,
        /** By the capture at the first point alone. */
        MISSED
    }

    private Fate fate(Frame frame, Party from, Counts counts) {
        if (!isRtp(frame)) {
            return isLostSip(frame) ? Fate.LOST : Fate.PASSED;
        }
        long packet = counts.sent++;
        if (lostBefore.getOrDefault(from, any -> false).test(packet)) {
            counts.lostBefore++;
            return Fate.NEVER_CAME;
        }
        if (lostBetween.getOrDefault(from, any -> false).test(packet)) {
            counts.lostBetween++;
            return Fate.LOST;
        }
        if (missedFirst.getOrDefault(from, any -> false).test(packet)) {
            counts.missedByFirst++;
            return Fate.MISSED;
        }
        return Fate.PASSED;
    }

    private boolean isLostSip(Frame frame) {
        for (Map.Entry<String, Integer> lost : lostMessages.entrySet()) {
            if (isSip(frame, lost.getKey()) && lost.getValue() > 0) {
                lost.setValue(lost.getValue() - 1);
                return true;
            }
        }
        return false;
    }

    private void addAtB(long timeNs, Frame frame, List<Frame> atB) {
        if (timeNs < fromNs || timeNs > untilNs || isMediaAlone && !isRtp(frame)) {
            return;
        }
        long sinceStart = timeNs - Traffic.START_NS;
        long clock = timeNs + offsetNs + Math.round(sinceStart * drift) + (timeNs >= stepAtNs ? stepNs : 0);
        byte[] bytes = outside.length == 0 ? frame.bytes().clone() : translated(frame);
        if (isRtp(frame) && from(frame) == rewritten) {
            ByteBuffer rtp = ByteBuffer.wrap(bytes);
            rtp.putShort(RTP + 2, (short) (rtp.getShort(RTP + 2) + 12_345));
            rtp.putInt(RTP + 4, rtp.getInt(RTP + 4) + 0x3456_789a);
        }
        if (isRtp(frame) && from(frame) == otherSsrc) {
            bytes[SSRC] ^= 0x55;
            bytes[UDP_CHECKSUM] = 0;
            bytes[UDP_CHECKSUM + 1] = 0;
        }
        if (isBackToBack && !isRtp(frame)) {
            changeCallId(bytes);
        }
        add(at(clock, frame, bytes), timeNs, atB);
        if (isCopied) {
            add(at(clock + 20_000, frame, bytes), timeNs + 20_000, atB);
        }
    }

    private void add(Frame frame, long timeNs, List<Frame> atB) {
        passedNs.put(frame, timeNs);
        atB.add(frame);
    }

    private static void changeCallId(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int callId = text.indexOf("\r\nCall-ID: ");
        if (callId >= 0) {
            bytes[callId + 11] = (byte) (bytes[callId + 11] == 'z' ? 'y' : 'z');
            bytes[UDP_CHECKSUM] = 0;
            bytes[UDP_CHECKSUM + 1] = 0;
        }
    }

    /** Times are those of a capture in microseconds. */
    private static Frame at(long timeNs, Frame frame, byte[] bytes) {
        return new Frame(timeNs / 1000 * 1000, frame.linkType(), bytes, frame.wireLength());
    }

    private static Party from(Frame frame) {
        if (frame.linkType() != LinkType.ETHERNET || frame.bytes()[IP] >>> 4 != 4) {
            throw new IllegalArgumentException("points take frames of IPv4 on Ethernet");
        }
        byte[] bytes = frame.bytes();
        boolean isLower =
                Arrays.compareUnsigned(bytes, ADDRESSES, ADDRESSES + 4, bytes, ADDRESSES + 4, ADDRESSES + 8) < 0;
        return isLower ? Party.CALLER : Party.CALLEE;
    }

    private static boolean isCaller(Frame frame, int address) {
        return frame.bytes()[address] == 10 && frame.bytes()[address + 1] == 1;
    }

    /** Version 2, and no RTCP (RFC 5761, 4). */
    private static boolean isRtp(Frame frame) {
        byte[] bytes = frame.bytes();
        int payload = IP + 20 + 8;
        return bytes[IP + 9] == UDP
                && bytes.length >= payload + 12
                && (bytes[payload] & 0xc0) == 0x80
                && ((bytes[payload + 1] & 0xff) < 192 || (bytes[payload + 1] & 0xff) > 223);
    }

    private static boolean isSip(Frame frame, String start) {
        byte[] bytes = frame.bytes();
        int payload = IP + 20 + 8;
        for (int i = 0; i < start.length(); i++) {
            if (payload + i >= bytes.length || bytes[payload + i] != start.charAt(i)) {
                return false;
            }
        }
        return bytes[IP + 9] == UDP;
    }

    /** The frame with the outside address; without a UDP checksum, which IPv4 allows (RFC 768). */
    private byte[] translated(Frame frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame.bytes().clone());
        for (int i = 0; i < 2; i++) {
            int address = ADDRESSES + 4 * i;
            if (isCaller(frame, address)) {
                bytes.put(address, outside);
                int port = IP + 20 + 2 * i;
                bytes.putShort(port, (short) (bytes.getShort(port) + outsidePort));
            }
        }
        bytes.putShort(UDP_CHECKSUM, (short) 0);
        bytes.putShort(CHECKSUM, (short) 0);
        bytes.putShort(CHECKSUM, (short) Checksums.internet(bytes.array(), IP, 20));
        return bytes.array();
    }
}
