package io.offhook.analysis.audio;

import io.offhook.analysis.DecodedFrame;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtpView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The RTP packets of frames: in a datagram of their own, in one that IP fragments make up, or as a HEP agent sent them. Those
 * that a TURN relay carries are not found.
 *
 * <p>Fragments are held within {@link FragmentLimits#DEFAULT}; closing frees that memory. Single-threaded.
 */
public final class RtpFrames implements AutoCloseable {
    private final RtpView packet = new RtpView();
    private final HepReader hep = new HepReader();
    private final PacketWalker whole = new PacketWalker();
    private @Nullable FragmentTable fragments;
    private Endpoint source = new Endpoint(0, 0, 0);
    private Endpoint destination = new Endpoint(0, 0, 0);
    private int captured;
    private long timestampNs;

    /** Creates a reader that has seen no frame. */
    public RtpFrames() {}

    /**
     * Looks at the next frame, in the order of the capture.
     *
     * @return whether it carries, or completes, an RTP packet, of which the accessors then speak until the next frame
     */
    public boolean frame(DecodedFrame frame) {
        timestampNs = frame.timestampNs();
        return switch (frame.payload()) {
            case RTP -> datagram(frame.layers());
            case FRAGMENT -> fragment(frame);
            case HEP -> hep(frame.layers());
            default -> false;
        };
    }

    private boolean fragment(DecodedFrame frame) {
        FragmentTable table = fragments;
        if (table == null) {
            table = new FragmentTable(FragmentLimits.DEFAULT);
            fragments = table;
        }
        if (table.add(frame.layers(), frame.timestampNs(), frame.number()) != FragmentTable.Result.COMPLETE) {
            return false;
        }
        int length = table.datagramLength();
        whole.walk(table.datagram(), table.datagramOffset(), length, length, LinkType.RAW);
        return whole.transport() >= 0 && datagram(whole);
    }

    private boolean datagram(PacketWalker layers) {
        source = new Endpoint(layers.sourceHigh(), layers.sourceLow(), layers.sourcePort());
        destination = new Endpoint(layers.destinationHigh(), layers.destinationLow(), layers.destinationPort());
        return wrap(layers.segment(), layers.payloadOffset(), layers.payloadLength(), layers.payloadWireLength());
    }

    private boolean hep(PacketWalker layers) {
        if (!hep.read(layers.segment(), layers.payloadOffset(), layers.payloadLength()) || hep.isCompressed()) {
            return false;
        }
        source = hep.source();
        destination = hep.destination();
        timestampNs = hep.timestampNs() == 0 ? timestampNs : hep.timestampNs();
        return wrap(layers.segment(), hep.payloadOffset(), hep.payloadLength(), hep.payloadLength());
    }

    private boolean wrap(MemorySegment segment, long offset, int length, int wireLength) {
        captured = length;
        return packet.wrap(segment, offset, length, wireLength) == WrapStatus.OK;
    }

    /** The packet. */
    public RtpView packet() {
        return packet;
    }

    /** Octets of it that were captured, header included. */
    public int captured() {
        return captured;
    }

    /** Its sender. */
    public Endpoint source() {
        return source;
    }

    /** Its receiver. */
    public Endpoint destination() {
        return destination;
    }

    /** When it was captured, nanoseconds since the epoch; for HEP, when the agent captured it. */
    public long timestampNs() {
        return timestampNs;
    }

    @Override
    public void close() {
        FragmentTable table = fragments;
        if (table != null) {
            table.close();
        }
    }
}
