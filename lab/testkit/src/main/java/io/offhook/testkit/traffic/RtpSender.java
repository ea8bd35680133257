package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** One end's RTP of one medium: numbers and times packets, and sends each over every leg of its path. */
final class RtpSender {
    private static final long MS = 1_000_000;
    private static final int EVENT_PACKETS = 5;
    private static final int END_PACKETS = 3;
    /** What a relay that rewrites adds to timestamps, and the bits of the SSRC that it changes. */
    private static final long OTHER_CLOCK = 0x1234_5678L;

    private static final long OTHER_SOURCE = 0x5a5a_5a5aL;
    private static final int PACKETS_BETWEEN_DIGITS = 4;
    /** Packet times from one key to the next. */
    static final int PACKETS_FOR_DIGIT = EVENT_PACKETS + END_PACKETS + PACKETS_BETWEEN_DIGITS;

    /** Where a packet passes the tap: more than once if a relay forwards it. */
    record Leg(Endpoint source, Endpoint destination, long delayNs, boolean forward) {}

    /** Where packets go to be captured and noted. */
    @FunctionalInterface
    interface Outlet {
        void send(RtpSender sender, Leg leg, long ssrc, long timeNs, long index, SentCodec codec, byte[] packet);
    }

    private final Random random;
    private final RtpShape shape;
    private final Outlet outlet;
    private final boolean encrypted;
    private final Deque<Character> digits = new ArrayDeque<>();
    private final RtpPacket packet = new RtpPacket();
    private final AudioKeySender audioKeys;
    private final Voice voice;
    private List<Leg> legs = new ArrayList<>();
    private SentCodec codec;
    private int eventPayloadType;
    private byte[] payload = {};
    private boolean active = true;
    private long ssrc;
    private long index;
    private long timestamp;
    private long nextNs = Long.MIN_VALUE;
    private boolean marker = true;
    private int burst;
    private long packets;
    private long octets;
    private long dropped;
    /** Packets that a relay sent on as its own. */
    private long passedOn = 7000;

    /** Counts the packets of the telephone event under way, -1 for none; then those of the pause after it. */
    private int eventPacket = -1;

    private int pause;
    private char eventKey;
    private int eventNumber;
    private long eventTimestamp;
    private boolean silent;
    private long firstNs = Long.MIN_VALUE;
    private long spurtUntilNs = Long.MIN_VALUE;

    RtpSender(Random random, RtpShape shape, SentCodec codec, int eventPayloadType, boolean encrypted, Outlet outlet) {
        this.random = random;
        this.shape = shape;
        this.outlet = outlet;
        this.codec = codec;
        this.eventPayloadType = eventPayloadType;
        this.encrypted = encrypted;
        audioKeys = new AudioKeySender(random, shape);
        voice = new Voice(shape.recording >= 0 ? new Random(shape.recording) : random);
        ssrc = shape.ssrc >= 0 ? shape.ssrc : random.nextInt() & 0xffff_ffffL;
        restart();
        codec(codec, eventPayloadType);
        if (shape.headerExtension) {
            packet.extension(0xbede, (byte) 0x10, (byte) 0x8f, (byte) 0, (byte) 0); // element 1: audio level
        }
        long[] sources = new long[shape.contributors];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = random.nextInt() & 0xffff_ffffL;
        }
        packet.contributors(sources).padding(shape.padding);
    }

    void codec(SentCodec changed, int changedEventPayloadType) {
        codec = changed;
        eventPayloadType = changedEventPayloadType;
        payload = shape.empty ? new byte[0] : Tones.payload(changed, random);
    }

    SentCodec codec() {
        return codec;
    }

    void path(List<Leg> changed) {
        legs = List.copyOf(changed);
    }

    List<Leg> path() {
        return legs;
    }

    void active(boolean set) {
        active = set;
    }

    /** Begins a new SSRC with its own numbers, as a sender does that was replaced in mid-call. */
    void newSource() {
        ssrc = random.nextInt() & 0xffff_ffffL;
        restart();
    }

    private void restart() {
        index = shape.firstSequence >= 0 ? shape.firstSequence : random.nextInt(0x10000);
        timestamp = shape.firstTimestamp >= 0 ? shape.firstTimestamp : random.nextInt() & 0xffff_ffffL;
        packets = 0;
        octets = 0;
        dropped = 0;
    }

    void dial(String keys) {
        keys.chars().forEach(key -> digits.add((char) key));
    }

    /** Presses keys in the audio, which must be G.711. */
    void dialInAudio(String keys) {
        audioKeys.play(keys);
    }

    /** The key in the audio that was sent last, 0 for none. */
    char audioKey() {
        return audioKeys.key();
    }

    int audioKeyNumber() {
        return audioKeys.number();
    }

    long ssrc() {
        return ssrc;
    }

    /** When the next packet is due, counted from {@code fromNs} if nothing was due before. */
    long dueNs(long fromNs) {
        if (nextNs < fromNs) {
            if (nextNs == Long.MIN_VALUE) {
                nextNs = fromNs + random.nextInt(codec.ptimeMs()) * MS / 2;
            } else {
                long step = codec.ptimeMs() * MS;
                long skipped = (fromNs - nextNs + step - 1) / step;
                nextNs += skipped * step;
                timestamp += skipped * codec.timestampStep();
            }
            marker = true;
        }
        return nextNs;
    }

    long packets() {
        return packets;
    }

    long octets() {
        return octets;
    }

    /** Packets lost before the tap so far. */
    long dropped() {
        return dropped;
    }

    /** The extended sequence number of the last packet sent. */
    long lastIndex() {
        return index - 1;
    }

    /** The timestamp that a packet sent at {@code timeNs} would have. */
    long timestampAt(long timeNs) {
        return timestamp + Math.floorDiv((timeNs - nextNs) * codec.clockRate(), 1_000_000_000L);
    }

    char eventKey() {
        return eventKey;
    }

    int eventNumber() {
        return eventNumber;
    }

    /** Sends what is due at {@link #dueNs} and moves on by one packet time. */
    void tick() {
        long nominal = nextNs;
        if (!active) {
            marker = true;
        } else if (codec.isVideo()) {
            picture(nominal);
        } else if (eventPacket >= 0 || pause == 0 && !digits.isEmpty()) {
            event(nominal);
        } else {
            pause = Math.max(0, pause - 1);
            sound(nominal);
        }
        nextNs = nominal + codec.ptimeMs() * MS;
        timestamp += codec.timestampStep();
    }

    private void sound(long nominal) {
        if (audioKeys.isPlaying()) {
            send(nominal, codec, timestamp, marker || silent, audioKeys.payload(codec), false);
            marker = false;
            silent = false;
            return;
        }
        if (shape.silenceSuppressed && nominal >= spurtUntilNs) {
            silent = spurtUntilNs != Long.MIN_VALUE && !silent;
            spurtUntilNs = nominal + (400 + random.nextInt(700)) * MS;
            if (silent) {
                send(nominal, SentCodec.CN, timestamp, false, new byte[] {(byte) 60}, false);
                return;
            }
            marker = true;
        }
        if (!silent || !shape.silenceSuppressed) {
            send(nominal, codec, timestamp, marker, shape.speech ? voice.payload(codec) : payload, false);
            marker = false;
        }
    }

    private void picture(long nominal) {
        int count = 1 + random.nextInt(3);
        long time = nominal + shape.jitterNs(random, codec.ptimeMs());
        for (int i = 0; i < count; i++) {
            send(time + i * MS / 5, codec, timestamp, i == count - 1, payload, false);
        }
    }

    private void event(long nominal) {
        if (eventPacket < 0) {
            eventKey = digits.remove();
            eventNumber++;
            eventTimestamp = timestamp;
            eventPacket = 0;
        }
        boolean end = eventPacket >= EVENT_PACKETS;
        int duration = Math.min(eventPacket + 1, EVENT_PACKETS) * codec.timestampStep();
        SentCodec named = new SentCodec(
                SentCodec.TELEPHONE_EVENT.name(), eventPayloadType, codec.clockRate(), 1, 4, codec.ptimeMs());
        byte[] body = RtpPacket.telephoneEvent(RtpPacket.eventOf(eventKey), end, duration);
        send(nominal, named, eventTimestamp, eventPacket == 0, body, end && shape.digitEndsLost);
        eventPacket++;
        if (eventPacket == EVENT_PACKETS + END_PACKETS) {
            eventPacket = -1;
            pause = PACKETS_BETWEEN_DIGITS;
        }
    }

    private void send(long nominal, SentCodec named, long at, boolean marked, byte[] body, boolean surelyLost) {
        byte[] sent = encrypted ? encrypt(body) : body;
        byte[] bytes = packet.payloadType(named.payloadType())
                .marker(marked)
                .sequence(index)
                .timestamp(at)
                .ssrc(ssrc)
                .bytes(sent);
        long number = index++;
        boolean isInOutage = packets >= shape.outageFrom && packets < shape.outageFrom + shape.outagePackets;
        firstNs = firstNs == Long.MIN_VALUE ? nominal : firstNs;
        packets++;
        octets += body.length;
        if (surelyLost || isInOutage || isLost()) {
            dropped++;
            return;
        }
        // the packets of one picture travel together
        long time = named.isVideo() ? nominal : nominal + shape.jitterNs(random, codec.ptimeMs());
        if (random.nextDouble() < shape.reordering) {
            time = nominal + codec.ptimeMs() * MS * 3 / 2;
        }
        time += shape.stalledNs(nominal - firstNs);
        boolean twice = random.nextDouble() < shape.duplicates;
        boolean isPassedOn = shape.relayLoss == 0 || random.nextDouble() >= shape.relayLoss;
        for (Leg leg : isPassedOn ? legs : legs.subList(0, 1)) {
            boolean isRewritten = shape.rewritten && !leg.equals(legs.getFirst());
            long source = isRewritten ? ssrc ^ OTHER_SOURCE : ssrc;
            long count = isRewritten ? passedOn++ : number;
            byte[] seen = isRewritten
                    ? packet.sequence(count)
                            .timestamp(at + OTHER_CLOCK)
                            .ssrc(source)
                            .bytes(sent)
                    : bytes;
            outlet.send(this, leg, source, time + leg.delayNs(), count, named, seen);
            if (twice) {
                outlet.send(this, leg, source, time + leg.delayNs() + 300_000, count, named, seen);
            }
        }
    }

    private boolean isLost() {
        if (burst > 0) {
            burst--;
            return true;
        }
        // a burst of mean length m begins with probability p / m, so that the share of lost packets is about p
        double mean = (1 + shape.longestBurst) / 2.0;
        if (packets > 1 && random.nextDouble() < shape.loss / (mean - shape.loss * (mean - 1))) {
            burst = random.nextInt(shape.longestBurst);
            return true;
        }
        return false;
    }

    private byte[] encrypt(byte[] body) {
        byte[] sealed = new byte[body.length + 10]; // with an 80-bit tag (RFC 3711)
        random.nextBytes(sealed);
        return sealed;
    }
}
