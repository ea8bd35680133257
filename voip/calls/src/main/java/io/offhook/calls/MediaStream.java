package io.offhook.calls;

import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.Codec;
import io.offhook.rtp.FiguresMark;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PayloadType;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import io.offhook.rtp.figures.SampleFigures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An RTP stream being followed: its key (addresses, ports, SSRC), its statistics, and the call that receives it. */
final class MediaStream {
    /**
     * The pause that may end the media of one call and begin that of another even if the end of the first one was not
     * seen.
     */
    private static final long LONG_PAUSE_NS = 1_000_000_000L;

    /** The most packets of a sample: 5 s at 50 a second, in which every stream is looked at anew. */
    private static final int MOST_SAMPLED = 256;

    /** A sample is waited for packet by packet for so long after the beginning of a stream. */
    private static final long SOON_NS = RtpStream.REPORT_INTERVAL_NS;

    private final long hash;
    private final boolean wide;
    private final long addresses;
    private final long portsSsrc;
    private final long sourceHigh;
    private final long sourceLow;
    private final long destinationHigh;
    private final long destinationLow;
    private final long firstFrame;

    private final RtpStream statistics;
    private final @Nullable WiresharkStream wireshark;
    private final @Nullable PacketLog log;
    private final PacketLog.Room sampleRoom;
    private @Nullable PacketLog sample;
    private boolean isSampled;
    private long sampledCalls = -1;

    private @Nullable MediaBinding owner;
    private long bindingsVersion = -1;
    /** The codec of the payload type is not known, or the sides have not agreed yet on how it is encrypted. */
    private boolean isUnsettled;

    private int payloadType = -1;
    private @Nullable Codec codec;

    /** Of a stream by figures: the call whose SDP set its codecs where it was counted. */
    private final @Nullable String ownerCallId;

    private final boolean isByFigures;
    /** What was passed on of its figures; null if they are not asked for. */
    private @Nullable Passed passed;

    /** Up to where figures were passed on. */
    private static final class Passed {
        final FiguresMark mark = new FiguresMark();
        long packets;
        long sampled;
        long dueNs;

        Passed(long dueNs) {
            this.dueNs = dueNs;
        }
    }

    /**
     * @param statistics without packets
     * @param wireshark computes Wireshark's figures; or null
     * @param log keeps its packets; or null
     * @param sampleRoom for a sample of them, where their call may have several legs
     */
    MediaStream(
            RtpRows rows,
            int row,
            RtpStream statistics,
            @Nullable WiresharkStream wireshark,
            @Nullable PacketLog log,
            PacketLog.Room sampleRoom) {
        this.statistics = statistics;
        this.sampleRoom = sampleRoom;
        hash = rows.hash(row);
        addresses = rows.addresses(row);
        portsSsrc = rows.portsSsrc(row);
        firstFrame = rows.frame(row);
        wide = rows.isIpv6(row);
        sourceHigh = rows.sourceHigh(row);
        sourceLow = rows.sourceLow(row);
        destinationHigh = rows.destinationHigh(row);
        destinationLow = rows.destinationLow(row);
        this.wireshark = wireshark;
        this.log = log;
        ownerCallId = null;
        isByFigures = false;
    }

    /**
     * A stream that was counted elsewhere.
     *
     * @param statistics of all its packets
     * @param sample of its packets; or null
     */
    MediaStream(CapturedStream stream, RtpStream statistics, @Nullable PacketLog sample) {
        this.statistics = statistics;
        this.sample = sample;
        isSampled = true;
        sampleRoom = new PacketLog.Room(0);
        sourceHigh = stream.source().high();
        sourceLow = stream.source().low();
        destinationHigh = stream.destination().high();
        destinationLow = stream.destination().low();
        wide = !stream.source().isIpv4() || !stream.destination().isIpv4();
        addresses = RtpRows.addresses(sourceLow, destinationLow);
        portsSsrc = (long) stream.source().port() << 48
                | (long) stream.destination().port() << 32
                | stream.ssrc() & 0xffff_ffffL;
        hash = RtpRows.hash(stream.source(), stream.destination(), ssrc());
        firstFrame = stream.firstFrame();
        wireshark = null;
        log = null;
        ownerCallId = stream.ownerCallId();
        isByFigures = true;
    }

    long hash() {
        return hash;
    }

    /** The addresses between which it runs, if these are of IPv4, as {@link RtpRows#addresses} has them. */
    long addresses() {
        return addresses;
    }

    /** Source port (16) | destination port (16) | SSRC (32). */
    long portsSsrc() {
        return portsSsrc;
    }

    /** Whether it runs over IPv6. */
    boolean isIpv6() {
        return wide;
    }

    /** Whether a packet runs between the same addresses of IPv6. */
    boolean matchesWide(RtpRows rows, int row) {
        return rows.sourceHigh(row) == sourceHigh
                && rows.sourceLow(row) == sourceLow
                && rows.destinationHigh(row) == destinationHigh
                && rows.destinationLow(row) == destinationLow;
    }

    /** Whether another one has the same key. */
    boolean hasKeyOf(MediaStream other) {
        return portsSsrc == other.portsSsrc
                && sourceHigh == other.sourceHigh
                && sourceLow == other.sourceLow
                && destinationHigh == other.destinationHigh
                && destinationLow == other.destinationLow;
    }

    /** Whether it was counted elsewhere. */
    boolean isByFigures() {
        return isByFigures;
    }

    /** Passes on what changed of its figures, if packets came and an interval of the stream has ended since the last time. */
    void figures(long nowNs, FiguresSink sink) {
        Passed last = passed;
        if (last == null) {
            last = new Passed(statistics.firstNs() + RtpStream.REPORT_INTERVAL_NS);
            passed = last;
        }
        if (nowNs < last.dueNs || last.packets == statistics.packets()) {
            return;
        }
        last.packets = statistics.packets();
        long untilNs = Math.min(nowNs, statistics.lastNs() + RtpStream.REPORT_INTERVAL_NS);
        long intervals = Math.max(0, untilNs - last.dueNs) / RtpStream.REPORT_INTERVAL_NS + 1;
        last.dueNs += intervals * RtpStream.REPORT_INTERVAL_NS;
        String callId = owner == null ? ownerCallId : owner.call().callId();
        CapturedStream stream = new CapturedStream(source(), destination(), ssrc(), firstFrame, callId);
        sink.stream(stream, statistics.figuresSince(last.mark), sampleSince(last));
    }

    /** The sample, if it has grown. */
    private @Nullable SampleFigures sampleSince(Passed last) {
        long sampled = sample == null ? 0 : sample.size() + sample.dropped();
        if (sample == null || sampled == last.sampled) {
            return null;
        }
        last.sampled = sampled;
        return sample.figures();
    }

    /** Whether a packet with this arrival may belong to another call than the previous one. */
    boolean pausedBefore(long arrivalNs) {
        return arrivalNs - statistics.lastNs() > RtpStream.PAUSE_NS;
    }

    /** Whether a packet with this sequence number may, being far from the previous one. */
    boolean jumpsTo(int sequenceNumber) {
        int step = (short) (sequenceNumber - statistics.lastSequenceNumber());
        return step > RtpStream.MAX_DROPOUT || step < -RtpStream.MAX_MISORDER;
    }

    /**
     * Whether a packet after a pause or a jump belongs to another call: that call receives it now, and the call of this
     * stream has ended or the stream has long been silent. A stream that began after the end of the call it was
     * assigned to, before the SDP of its own call, belongs to its own call from the start.
     */
    boolean endsBefore(long arrivalNs, long frame, MediaBindings bindings) {
        MediaBinding before = owner;
        if (before == null) {
            return false;
        }
        MediaStates call = before.call().media().states();
        long endedNs = call.endedNs(frame);
        boolean over = call.isOver(frame) && endedNs <= arrivalNs;
        boolean mayEnd = over || arrivalNs - statistics.lastNs() > LONG_PAUSE_NS;
        MediaBinding now = mayEnd ? find(arrivalNs, frame, bindings) : null;
        if (now == null || now.call() == before.call()) {
            return false;
        }
        if (over && endedNs <= statistics.firstNs()) {
            owner = now;
            correctCodecs(arrivalNs, frame, bindings);
            return false;
        }
        return true;
    }

    private void correctCodecs(long arrivalNs, long frame, MediaBindings bindings) {
        for (PayloadCount payload : statistics.payloads()) {
            Codec found = codecOf(payload.payloadType(), arrivalNs, frame, bindings);
            if (found != null) {
                statistics.correctCodec(payload.payloadType(), found);
            }
        }
        payloadType = -1;
    }

    /** Takes a packet into account. */
    void packet(RtpRows rows, int row, MediaBindings bindings) {
        long arrivalNs = rows.arrivalNs(row);
        int type = rows.payloadType(row);
        long frame = rows.frame(row);
        if (type != payloadType || (isUnsettled || owner == null) && bindingsVersion != bindings.version(frame)) {
            payloadType(type, arrivalNs, frame, bindings);
        }
        statistics.packet(rows, row);
        if (wireshark != null) {
            wireshark.packet(rows, row, codec);
        }
        if (log != null) {
            log.packet(rows, row);
        } else if (sample != null || sampledCalls != bindings.sampledCalls(frame)) {
            sample(rows, row, bindings);
        }
    }

    /** Samples the packet if the call wants it, and the next one if the sample does. */
    private void sample(RtpRows rows, int row, MediaBindings bindings) {
        if (isSampled) {
            return;
        }
        PacketLog packets = sample;
        if (packets == null) {
            MediaBinding receiver = owner;
            long fromNs = receiver == null
                    ? CallMedia.NOT_SAMPLED
                    : receiver.call().media().sampledFromNs(rows.frame(row));
            if (fromNs == CallMedia.NOT_SAMPLED) {
                if (receiver != null && mayBeSampledSoon(receiver, rows, row)) {
                    statistics.evaluateNext();
                } else { // looked at again with the next packet that is not as usual, once in five seconds
                    sampledCalls = bindings.sampledCalls(rows.frame(row));
                }
                return;
            }
            packets = PacketLog.sample(sampleRoom, MOST_SAMPLED);
            sample = packets;
        }
        isSampled = !packets.sample(rows, row);
        if (!isSampled) {
            statistics.evaluateNext();
        }
    }

    /** Whether another leg may be answered any moment: a stream that began before is not to miss that. */
    private boolean mayBeSampledSoon(MediaBinding receiver, RtpRows rows, int row) {
        return rows.arrivalNs(row) - statistics.firstNs() <= SOON_NS
                && receiver.call().media().isCandidate(rows.frame(row));
    }

    private void payloadType(int type, long arrivalNs, long frame, MediaBindings bindings) {
        payloadType = type;
        bindingsVersion = bindings.version(frame);
        bind(arrivalNs, frame, bindings);
        Codec found = codecOf(type, arrivalNs, frame, bindings);
        codec = found;
        isUnsettled = found == null;
        if (found != null) {
            statistics.codec(type, found);
        }
        encryption(type, arrivalNs, frame, bindings);
    }

    /** Sets the tag behind the payloads once both sides have agreed on it: until then, it may be shorter. */
    private void encryption(int type, long arrivalNs, long frame, MediaBindings bindings) {
        MediaBinding described = find(arrivalNs, frame, bindings);
        if (described == null) {
            return;
        }
        boolean isAgreed = described.call().media().states().isAgreed(frame);
        isUnsettled |= !isAgreed && described.lineOf(type, frame).mayBeEncrypted();
        statistics.tag(type, isAgreed ? Math.max(0, described.tagOctets(type, frame)) : 0);
    }

    /** Searches the call that receives the stream, unless it is known. */
    void bind(long arrivalNs, long frame, MediaBindings bindings) {
        if (owner == null) {
            owner = find(arrivalNs, frame, bindings);
            sampledCalls = -1;
        }
    }

    /** The call that currently receives the stream, by its destination, otherwise by its source (symmetric RTP). */
    private @Nullable MediaBinding find(long arrivalNs, long frame, MediaBindings bindings) {
        MediaBinding binding = bindings.find(destination(), arrivalNs, frame);
        return binding != null ? binding : bindings.find(source(), arrivalNs, frame);
    }

    /**
     * The codec of a payload type by the receiver's SDP (RFC 3264, 5.1), otherwise by the sender's, otherwise by RFC
     * 3551.
     */
    private @Nullable Codec codecOf(int type, long arrivalNs, long frame, MediaBindings bindings) {
        MediaBinding receiver = bindings.find(destination(), arrivalNs, frame);
        Codec codec = receiver == null ? null : receiver.codec(type, frame);
        if (codec == null) {
            MediaBinding sender = bindings.find(source(), arrivalNs, frame);
            if (sender != null) {
                codec = receiver == null ? sender.codecSent(type, frame) : sender.codec(type, frame);
            }
        }
        return codec != null ? codec : PayloadType.staticCodec(type);
    }

    Endpoint source() {
        return new Endpoint(sourceHigh, sourceLow, (int) (portsSsrc >>> 48));
    }

    Endpoint destination() {
        return new Endpoint(destinationHigh, destinationLow, (int) (portsSsrc >>> 32) & 0xffff);
    }

    /** The synchronization source, 32 bits. */
    long ssrc() {
        return portsSsrc & 0xffff_ffffL;
    }

    long firstFrame() {
        return firstFrame;
    }

    long lastArrivalNs() {
        return statistics.lastNs();
    }

    RtpStream statistics() {
        return statistics;
    }

    @Nullable
    WiresharkStream wireshark() {
        return wireshark;
    }

    /** Its packets, or a sample of them; null unless somebody wants to compare them. */
    @Nullable
    PacketLog log() {
        return log == null ? sample : log;
    }

    /** Gives back the memory that it has beside its statistics. */
    void release() {
        if (log != null) {
            log.release();
        }
        if (sample != null) {
            sample.release();
            isSampled = true;
        }
    }

    @Nullable
    MediaBinding owner() {
        return owner;
    }

    /** Finds the owner of a stream that was counted elsewhere, if its call is known here. */
    void findOwner(MediaBindings bindings) {
        if (owner == null && ownerCallId != null) {
            owner = ownerAt(destination(), bindings);
            owner = owner == null ? ownerAt(source(), bindings) : owner;
        }
    }

    private @Nullable MediaBinding ownerAt(Endpoint endpoint, MediaBindings bindings) {
        for (MediaBinding binding : bindings.at(endpoint)) {
            if (binding.call().callId().equals(ownerCallId)) {
                return binding;
            }
        }
        return null;
    }

    /** Whether a call has set its codecs that is none of these. */
    boolean isOfAnotherCall(List<StreamBinder.Bond> bonds) {
        for (StreamBinder.Bond bond : bonds) {
            boolean isOwn = owner != null
                    ? bond.call() == owner.call()
                    : bond.call().callId().equals(ownerCallId);
            if (isOwn) {
                return false;
            }
        }
        return owner != null || ownerCallId != null;
    }
}
