package io.offhook.packet;

/**
 * A window on a header that a payload follows.
 *
 * @param <V> the view's own class, which its setters return
 */
public abstract class CarrierView<V extends CarrierView<V>> extends HeaderView<V> {
    /** Creates a view of nothing. */
    protected CarrierView() {}

    /** The length of the header, in bytes. */
    public final int headerLength() {
        return headerLength;
    }

    /** The offset in the segment of the first byte after the header. */
    public final long payloadOffset() {
        return offset + headerLength;
    }

    /** The number of available bytes after the header. */
    public int payloadLength() {
        return length - headerLength;
    }
}
