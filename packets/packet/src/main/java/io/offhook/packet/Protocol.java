package io.offhook.packet;

import java.util.Locale;

/**
 * One protocol, for whoever asks: its names, the fields of its header, a line about it, and which numbers lead to it. The
 * protocols of this library have theirs beside their views, as a nested class {@code Descriptor}; a program's own extend
 * this class.
 *
 * <pre>
 *  claims    which numbers lead here: link types, EtherTypes, IP protocols, ports
 *  accepts   whether bytes behind such a number are of this protocol
 *  step      takes the header, and returns what comes next
 *  fields    reports the fields by name
 *  summarize a few words for a line about the packet
 * </pre>
 *
 * <p>An instance may keep views: it is used by one thread. No input may make a method throw, or read outside the layer.
 */
public abstract class Protocol {
    /** The most elements of a list that are reported: records, options, attributes. */
    protected static final int MAX_LISTED = 64;

    private final String label;
    private final String title;
    private final HeaderLayout layout;

    /**
     * A protocol.
     *
     * @param label what JSON calls its layer: "udp"
     * @param title what tables call it: "UDP"
     * @param layout the fields at fixed places of its header
     */
    protected Protocol(String label, String title, HeaderLayout layout) {
        this.label = label;
        this.title = title;
        this.layout = layout;
    }

    /** A protocol that tables call as JSON does, in capitals. */
    protected Protocol(String label, HeaderLayout layout) {
        this(label, label.toUpperCase(Locale.ROOT), layout);
    }

    /** A protocol that is named, and not looked into. */
    public static Protocol named(String label) {
        return new Named(label);
    }

    private static final class Named extends Protocol {
        Named(String label) {
            super(label, HeaderLayout.NONE);
        }
    }

    /** What JSON calls its layer: "udp". */
    public final String label() {
        return label;
    }

    /** What tables call it: "UDP". */
    public final String title() {
        return title;
    }

    /** What tables call a packet that ends with this layer: as a rule its title. */
    public String title(Layer layer) {
        return title;
    }

    /** The fields at fixed places of its header. */
    public final HeaderLayout layout() {
        return layout;
    }

    /** The numbers that lead to it; none of a protocol that is found by {@link #isMarked} or {@link #isLikely} alone. */
    public Claims claims() {
        return Claims.NONE;
    }

    /** Whether bytes behind a number that it claims are of this protocol. */
    public boolean accepts(Layer layer) {
        return true;
    }

    /** Whether a transport payload is of this protocol whatever its ports, by a mark of its own. Asked before ports. */
    public boolean isMarked(LayerType transport, Layer payload) {
        return false;
    }

    /** Whether a datagram's payload has a form that makes this protocol likely. Asked when its ports led nowhere. */
    public boolean isLikely(Layer payload) {
        return false;
    }

    /**
     * Takes the header that starts at the cursor, and returns what comes next: {@link LayerCursor#DONE}, or a number of
     * a space: {@code LayerCursor.ETHER_TYPE | 0x0800}. For registered protocols; the default takes the fixed header.
     */
    public int step(LayerCursor cursor) {
        return cursor.take(layout.length());
    }

    /** Reports the fields, as far as they were captured; a variable part goes behind {@code super.fields}. */
    public void fields(Layer layer, FieldVisitor to) {
        layout.visit(layer, to);
    }

    /** Reports a message that a transport layer carries: as a layer, with its fields and its bytes. */
    public void message(Layer payload, FieldVisitor to) {
        to.layer(label, payload.position(), payload.length(), false);
        fields(payload, to);
        to.number("length", payload.length());
        to.bytes("data", payload.segment(), payload.offset(), payload.length());
    }

    /** Writes a few words about it; false, and nothing is written, where it has none. */
    public boolean summarize(Layer layer, SafeText to) {
        return false;
    }

    @Override
    public String toString() {
        return label;
    }
}
