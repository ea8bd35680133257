package io.offhook.packet.walk;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerType;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.fields.LayerFields;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** What holds after any walk, whatever the bytes were. */
public final class WalkInvariants implements FieldVisitor {
    /** In dBm, or powers of two. */
    public static final Set<String> SIGNED = Set.of("signal", "noise", "poll", "precision");

    private final LayerFields fields = new LayerFields();
    private final IcmpError error = new IcmpError();
    private long frame;
    private int captured;

    /** @param segment holds the frame and nothing else, so that a read outside of it throws */
    void check(PacketWalker walker, MemorySegment segment, int captured, int wire) {
        frame = walker.frameOffset();
        this.captured = captured;
        between(walker.layerCount(), 0, PacketWalker.MAX_LAYERS);
        int below = 0;
        for (int i = 0; i < walker.layerCount(); i++) {
            int start = (int) (walker.layerOffset(i) - frame);
            between(start, below, captured);
            between(walker.layerHeaderLength(i), 0, walker.layerLength(i));
            between(start + walker.layerLength(i), 0, captured);
            between(walker.indexOf(walker.layerType(i)), 0, i);
            between(walker.lastIndexOf(walker.layerType(i)), i, walker.layerCount() - 1);
            between(walker.count(walker.layerType(i)), 1, walker.layerCount());
            below = start + walker.layerHeaderLength(i);
            holds(InternetChecksum.of(walker, i) != null, "verdict");
        }
        stop(walker);
        payload(walker, wire);
        network(walker);
        fields.describe(walker, this);
        InternetChecksum.transport(walker);
        if (error.find(walker)) {
            between(error.length(), 1, captured);
            between(error.offset() - frame + error.length(), 1, captured);
            holds(error.wireLength() >= error.length(), "quoted wire length");
        }
        holds(walker.segment().equals(segment), "segment");
    }

    private void stop(PacketWalker walker) {
        between(walker.stopOffset(), 0, captured);
        between(walker.had(), 0, captured);
        boolean isCut = walker.stop() == PacketWalker.Stop.TRUNCATED;
        holds(!isCut || walker.needed() > walker.had(), "had less than needed");
    }

    private void payload(PacketWalker walker, int wire) {
        long start = walker.payloadOffset() - frame;
        between(start, 0, captured);
        between(walker.payloadLength(), 0, captured);
        between(start + walker.payloadLength(), 0, captured);
        holds(walker.payloadWireLength() >= walker.payloadLength(), "payload wire length");
        holds(walker.isSnapped() == (walker.payloadWireLength() > walker.payloadLength()), "snapped");
        long upper = walker.networkPayloadOffset() - frame;
        between(upper, 0, captured);
        between(walker.networkPayloadLength(), 0, captured);
        between(upper + walker.networkPayloadLength(), 0, captured);
        if (walker.network() < 0) {
            between(walker.payloadWireLength(), 0, Math.max(wire, captured) + 0x10000);
        }
    }

    private static void network(PacketWalker walker) {
        if (walker.network() < 0) {
            between(walker.transport(), -1, -1);
            between(walker.protocol(), -1, -1);
            between(walker.sourceLow() | walker.sourceHigh() | walker.destinationLow(), 0, 0);
            return;
        }
        LayerType type = walker.layerType(walker.network());
        holds(type == LayerType.IPV4 || type == LayerType.IPV6, "network layer");
        between(walker.protocol(), 0, 255);
        Endpoint source = new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
        Endpoint destination =
                new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
        holds(source.toString().length() > 2 && destination.toString().length() > 2, "endpoints");
        holds(walker.transport() < 0 || walker.transport() > walker.network(), "transport above network");
        between(walker.outermostFragment(), walker.isFragment() ? 0 : -1, walker.network());
    }

    @Override
    public void layer(String label, int position, int headerLength, boolean isCut) {
        between(position + headerLength, 0, captured);
    }

    @Override
    public void number(String name, long value) {
        holds(!name.isEmpty() && Character.isLowerCase(name.charAt(0)), name);
        holds(value >= 0 || SIGNED.contains(name), name);
    }

    @Override
    public void flag(String name, boolean value) {
        holds(!name.isEmpty() && Character.isLowerCase(name.charAt(0)), name);
    }

    @Override
    public void text(String name, String value) {
        holds(!name.isEmpty() && Character.isLowerCase(name.charAt(0)), name);
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {
        between(offset - frame, 0, captured);
        between(length, 0, captured);
        between(offset - frame + length, 0, captured);
    }

    // plain checks and not AssertJ's: they run some hundred times a frame

    private static void between(long value, long least, long most) {
        if (value < least || value > most) {
            throw new AssertionError(value + " is not in " + least + " to " + most);
        }
    }

    private static void holds(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
