package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.Claims;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A syslog message (RFC 5424, 6; older ones: RFC 3164, 4): {@code <34>1 2003-10-11T22:14:15Z host ...}.
 *
 * <pre>{@code
 * RFC 5424: "<" facility * 8 + severity ">" version SP timestamp SP hostname SP ...
 * RFC 3164: "<" facility * 8 + severity ">" Mmm dd hh:mm:ss SP hostname SP ...
 * }</pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class SyslogView extends HeaderView<SyslogView> {
    /** The shortest message: {@code <0>}. */
    public static final int MIN_LENGTH = 3;

    private static final int MAX_PRIORITY = 191;
    private static final int PRIORITY = 1;

    private int digits;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public SyslogView() {}

    /**
     * Wraps a message: TRUNCATED below 3 bytes, UNSUPPORTED if it does not begin with a priority, 0 to 191.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset) != '<') {
            return WrapStatus.UNSUPPORTED;
        }
        int count = AsciiText.digits(segment, offset + PRIORITY, Math.min(3, length - 1));
        if (count + 1 >= length) {
            return WrapStatus.TRUNCATED;
        }
        boolean isPriority = count > 0 && AsciiText.number(segment, offset + PRIORITY, count) <= MAX_PRIORITY;
        if (!isPriority || NetworkOrder.u8(segment, offset + PRIORITY + count) != '>') {
            return WrapStatus.UNSUPPORTED;
        }
        digits = count;
        return wrap(segment, offset, length, PRIORITY + count + 1);
    }

    /** Facility and severity: 0 to 191. */
    public int priority() {
        return AsciiText.number(segment, offset + PRIORITY, digits);
    }

    /** Facility and severity in one; it is written in as many digits as there are. */
    public SyslogView priority(int priority) {
        FieldRange.check("priority", priority, Math.min(MAX_PRIORITY, AsciiText.highest(digits)));
        AsciiText.putNumber(segment, offset + PRIORITY, digits, priority);
        return this;
    }

    /** The facility: 0 kernel, 4 security, 16 to 23 for local use. */
    public int facility() {
        return priority() >>> 3;
    }

    /** 0 emergency to 7 debug. */
    public int severity() {
        return priority() & 7;
    }

    /** Where what follows the priority starts. */
    public long messageOffset() {
        return offset + PRIORITY + digits + 1;
    }

    /** The length of the message, in bytes. */
    public int messageLength() {
        return length - digits - 2;
    }

    @Override
    public String toString() {
        return "syslog facility " + facility() + " severity " + severity();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<SyslogView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("syslog", new SyslogView(), HeaderLayout.NONE, Claims.NONE.udp(514));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("facility", view.facility());
            to.number("severity", view.severity());
            to.text("message", AsciiText.text(layer.segment(), view.messageOffset(), view.messageLength()));
        }
    }
}
