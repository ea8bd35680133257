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
 * A TFTP packet (RFC 1350, 5; options: RFC 2347).
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+
 * |             opcode            |
 * +-------------------------------+
 * | name and mode; block and data; error and message ...
 * </pre>
 */
public final class TftpView extends HeaderView<TftpView> {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;
    /** An operation (RFC 1350, 5). */
    public static final int READ = 1;
    /** An operation (RFC 1350, 5). */
    public static final int WRITE = 2;
    /** An operation (RFC 1350, 5). */
    public static final int DATA = 3;
    /** An operation (RFC 1350, 5). */
    public static final int ACKNOWLEDGMENT = 4;
    /** An operation (RFC 1350, 5). */
    public static final int ERROR = 5;
    /** An operation: which options are accepted (RFC 2347). */
    public static final int OPTIONS = 6;

    private static final int OPCODE = 0;
    private static final int REQUEST_TEXT = 2;
    private static final int BLOCK = 2;
    private static final int ERROR_CODE = 2;
    private static final int ERROR_TEXT = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TftpView() {}

    /**
     * Wraps a packet: TRUNCATED below 4 bytes, UNSUPPORTED if its opcode is not 1 to 6.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int opcode = NetworkOrder.u16(segment, offset + OPCODE);
        if (opcode < READ || opcode > OPTIONS) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** 1 read, 2 write, 3 data, 4 acknowledgment, 5 error, 6 options accepted. */
    public int opcode() {
        return u16(OPCODE);
    }

    /** Sets {@link #opcode()}; 0 to 65535. */
    public TftpView opcode(int opcode) {
        return putU16(OPCODE, "opcode", opcode);
    }

    /** The block number of data or an acknowledgment, from 1; 0 for other packets. */
    public int block() {
        return opcode() == DATA || opcode() == ACKNOWLEDGMENT ? u16(BLOCK) : 0;
    }

    /**
     * Sets {@link #block()}.
     *
     * @throws IllegalStateException if the packet does not have the field
     */
    public TftpView block(int block) {
        FieldRange.require("block", opcode() == DATA || opcode() == ACKNOWLEDGMENT);
        return putU16(BLOCK, "block", block);
    }

    /**
     * Of an error: 1 no such file, 2 access, 3 disk full, 4 illegal, 5 unknown port, 6 there already, 7 no such user.
     */
    public int errorCode() {
        return opcode() == ERROR ? u16(ERROR_CODE) : 0;
    }

    /** Sets {@link #errorCode()}; 0 to 65535. */
    public TftpView errorCode(int errorCode) {
        FieldRange.require("errorCode", opcode() == ERROR);
        return putU16(ERROR_CODE, "errorCode", errorCode);
    }

    /** Where the file's name of a request starts, or the message of an error. */
    public long textOffset() {
        return offset + (opcode() <= WRITE ? REQUEST_TEXT : ERROR_TEXT);
    }

    /** Bytes of it, without the 0 that ends it; 0 of packets without text. */
    public int textLength() {
        if (opcode() != READ && opcode() != WRITE && opcode() != ERROR) {
            return 0;
        }
        int from = (int) (textOffset() - offset);
        int end = from;
        while (end < length && u8(end) != 0) {
            end++;
        }
        return end - from;
    }

    @Override
    public String toString() {
        return "tftp opcode " + opcode();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<TftpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "tftp",
                    new TftpView(),
                    HeaderLayout.of(MIN_LENGTH).number("opcode", OPCODE, 16),
                    Claims.NONE.udp(69));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            switch (view.opcode()) {
                case DATA, ACKNOWLEDGMENT -> to.number("block", view.block());
                case ERROR -> {
                    to.number("errorCode", view.errorCode());
                    to.text("message", AsciiText.text(layer.segment(), view.textOffset(), view.textLength()));
                }
                case READ, WRITE ->
                    to.text("fileName", AsciiText.text(layer.segment(), view.textOffset(), view.textLength()));
                default -> {}
            }
        }
    }
}
