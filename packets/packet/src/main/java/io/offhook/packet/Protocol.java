package io.offhook.packet;

import java.util.Locale;

/**
 * The description of one protocol: its names, the fields of its header, its summary line, and the numbers that lead to
 * it. The library describes each protocol next to its view, in a nested class {@code Descriptor}; a program extends
 * this class for its own protocols.
 *
 * <pre>
 *  claims    the numbers that lead here: link types, EtherTypes, IP protocols, ports
 *  accepts   whether the bytes after such a number belong to this protocol
 *  step      takes the header, and returns what comes next
 *  fields    reports the fields by name
 *  summarize writes the summary line
 * </pre>
 *
 * <p>An instance may hold views, so one thread uses it. No input may make a method throw or read outside the layer.
 */
public abstract class Protocol {
    /** The maximum number of reported elements of a list: records, options, attributes. */
    protected static final int MAX_LISTED = 64;

    private final String label;
    private final String title;
    private final HeaderLayout layout;

    /**
     * Creates a description.
     *
     * @param label the name of its layer in JSON: "udp"
     * @param title its name in tables: "UDP"
     * @param layout the fields at fixed offsets of its header
     */
    protected Protocol(String label, String title, HeaderLayout layout) {
        this.label = label;
        this.title = title;
        this.layout = layout;
    }

    /** Creates a description whose title is its label in capitals. */
    protected Protocol(String label, HeaderLayout layout) {
        this(label, label.toUpperCase(Locale.ROOT), layout);
    }

    /** A protocol that is named but not decoded. */
    public static Protocol named(String label) {
        return new Named(label);
    }

    private static final class Named extends Protocol {
        Named(String label) {
            super(label, HeaderLayout.NONE);
        }
    }

    /** The name of its layer in JSON: "udp". */
    public final String label() {
        return label;
    }

    /** Its name in tables: "UDP". */
    public final String title() {
        return title;
    }

    /** The name in tables of a packet that ends with this layer; by default the title. */
    public String title(Layer layer) {
        return title;
    }

    /** The fields at fixed offsets of its header. */
    public final HeaderLayout layout() {
        return layout;
    }

    /** The numbers that lead to it; none if only {@link #isMarked} or {@link #isLikely} finds it. */
    public Claims claims() {
        return Claims.NONE;
    }

    /** Whether the bytes after a number that it claims belong to this protocol. */
    public boolean accepts(Layer layer) {
        return true;
    }

    /**
     * Whether a transport payload carries a mark of this protocol, whatever its ports. Called before ports are looked
     * up.
     */
    public boolean isMarked(LayerType transport, Layer payload) {
        return false;
    }

    /** Whether the form of a datagram makes this protocol likely. Called if its ports led to no protocol. */
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

    /** Reports the captured fields; report a variable part after {@code super.fields}. */
    public void fields(Layer layer, FieldVisitor to) {
        layout.visit(layer, to);
    }

    /** Reports a message carried by a transport layer: as a layer, with its fields and its bytes. */
    public void message(Layer payload, FieldVisitor to) {
        to.layer(label, payload.position(), payload.length(), false);
        fields(payload, to);
        to.number("length", payload.length());
        to.bytes("data", payload.segment(), payload.offset(), payload.length());
    }

    /** Writes the summary; false, without writing, if there is none. */
    public boolean summarize(Layer layer, SafeText to) {
        return false;
    }

    @Override
    public String toString() {
        return label;
    }
}
