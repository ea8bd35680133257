package io.offhook.rtp.tones;

import io.offhook.packet.NetworkOrder;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.RtpView;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys in the G.711 audio of one RTP stream.
 *
 * <p>Packets are put in time by their RTP timestamps. Duplicates and packets that come late are ignored. Where packets
 * are missing by their sequence numbers, nobody knows what was said; where the sender paused, there was silence. Keeps
 * the first {@value #LIMIT} keys and counts later ones. Single-threaded.
 */
public final class AudioKeys {
    /** The most keys kept per stream. */
    public static final int LIMIT = 256;

    private final List<ToneKey> keys = new ArrayList<>(4);
    private final ToneDetector detector = new ToneDetector(this::add);
    private long dropped;
    private long packets;
    private int nextSequence;
    private int nextTimestamp;

    /** Creates an empty list. */
    public AudioKeys() {}

    /**
     * Takes a packet, in the order of arrival. What is not captured of its payload is a hole.
     *
     * @param law of its payload
     * @param arrivalNs nanoseconds since the epoch
     */
    public void packet(RtpView packet, G711 law, long arrivalNs) {
        int sequence = packet.sequenceNumber();
        int timestamp = (int) packet.timestamp();
        if (packets == 0) {
            nextSequence = sequence;
            nextTimestamp = timestamp;
        }
        int ahead = (short) (sequence - nextSequence);
        if (ahead < 0 && ahead >= -RtpStream.MAX_MISORDER) {
            return;
        }
        int gap = timestamp - nextTimestamp;
        if (ahead < 0 || gap < 0) {
            detector.end(); // the sender began again
        } else if (ahead > 0) {
            detector.hole(gap, arrivalNs);
        } else {
            detector.silence(gap, arrivalNs);
        }
        packets++;
        int octets = packet.payloadLength();
        int captured = packet.payloadCapturedLength();
        for (int i = 0; i < captured; i++) {
            detector.sample(law.sample(NetworkOrder.u8(packet.segment(), packet.payloadOffset() + i)), arrivalNs);
        }
        detector.hole(octets - captured, arrivalNs);
        nextSequence = sequence + 1 & 0xffff;
        nextTimestamp = timestamp + octets;
    }

    /**
     * Takes a packet of the stream without audio, such as a telephone event or comfort noise: its number is not missing.
     *
     * @param sequenceNumber of the packet, 0 to 65535
     */
    public void other(int sequenceNumber) {
        if (packets > 0 && sequenceNumber == nextSequence) {
            nextSequence = sequenceNumber + 1 & 0xffff;
        }
    }

    /** Ends the stream, and a key that is pressed. */
    public void end() {
        detector.end();
    }

    private void add(ToneKey key) {
        if (keys.size() == LIMIT) {
            dropped++;
        } else {
            keys.add(key);
        }
    }

    /** The keys that have ended, in the order in which they did. */
    public List<ToneKey> keys() {
        return List.copyOf(keys);
    }

    /** The same keys as text, such as "12#". */
    public String digits() {
        StringBuilder digits = new StringBuilder(keys.size());
        for (ToneKey key : keys) {
            digits.append(key.key());
        }
        return digits.toString();
    }

    /** Keys beyond the limit. */
    public long dropped() {
        return dropped;
    }

    /** Packets of audio that were listened to. */
    public long packets() {
        return packets;
    }
}
