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
import java.nio.charset.StandardCharsets;

/**
 * The first line of an MGCP message (RFC 3435, 3.2.2 and 3.3): {@code CRCX 1204 aaln/1@gw MGCP 1.0}, {@code 200 1204
 * OK}.
 *
 * <pre>
 * command line  = verb SP transaction-id SP endpoint SP "MGCP" SP version EOL
 * response line = response-code SP transaction-id [ SP commentary ] EOL
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class MgcpView extends HeaderView<MgcpView> {
    /** The shortest first line: {@code 200 1}. */
    public static final int MIN_LENGTH = 5;

    private static final byte[] PROTOCOL = " MGCP ".getBytes(StandardCharsets.US_ASCII);
    private static final int VERB = 4;
    private static final int CODE = 3;
    private static final int MAX_TRANSACTION = 9;
    private static final int MAX_LINE = 1024;

    private int lineLength;
    private boolean isCommand;
    private int transactionDigits;
    private int endpointLength;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MgcpView() {}

    /**
     * Wraps a message: TRUNCATED if its first line does not end, UNSUPPORTED if that is neither a command of
     * MGCP nor a response.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        int line = AsciiText.lineLength(segment, offset, Math.min(length, MAX_LINE));
        if (line < 0) {
            return WrapStatus.TRUNCATED;
        }
        if (line < MIN_LENGTH) {
            return WrapStatus.UNSUPPORTED;
        }
        boolean isResponse = AsciiText.digits(segment, offset, CODE) == CODE;
        int numberAt = isResponse ? CODE : VERB;
        if (NetworkOrder.u8(segment, offset + numberAt) != ' ' || !isResponse && !isVerb(segment, offset)) {
            return WrapStatus.UNSUPPORTED;
        }
        int digits = AsciiText.digits(segment, offset + numberAt + 1, Math.min(MAX_TRANSACTION, line - numberAt - 1));
        int behind = numberAt + 1 + digits;
        if (digits == 0 || behind < line && NetworkOrder.u8(segment, offset + behind) != ' ') {
            return WrapStatus.UNSUPPORTED;
        }
        int endpoint = isResponse ? 0 : endpointLength(segment, offset + behind + 1, line - behind - 1);
        if (!isResponse && endpoint == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        lineLength = line;
        isCommand = !isResponse;
        transactionDigits = digits;
        endpointLength = endpoint;
        return wrap(segment, offset, length, line);
    }

    private static boolean isVerb(MemorySegment segment, long offset) {
        for (int i = 0; i < VERB; i++) {
            int octet = NetworkOrder.u8(segment, offset + i) | 0x20;
            if (octet < 'a' || octet > 'z') {
                return false;
            }
        }
        return true;
    }

    /** Bytes before the protocol's name; 0 if that does not come. */
    private static int endpointLength(MemorySegment segment, long offset, int length) {
        for (int i = 1; i + PROTOCOL.length < length; i++) {
            if (AsciiText.startsWith(segment, offset + i, length - i, PROTOCOL)) {
                return i;
            }
        }
        return 0;
    }

    /** Whether it is a command, and not a response. */
    public boolean isCommand() {
        return isCommand;
    }

    /** The four letters of a command as text; it allocates. Of a response: nothing. */
    public String verbText() {
        return isCommand ? AsciiText.text(segment, offset, VERB) : "";
    }

    /** The four letters of a command, the first in the highest byte, as they were written; 0 for a response. */
    public long verbBits() {
        return isCommand ? u32(0) : 0;
    }

    /** The code of a response, 0 to 999; 0 for a command. */
    public int responseCode() {
        return isCommand ? 0 : AsciiText.number(segment, offset, CODE);
    }

    /** Changes the code of a response. */
    public MgcpView responseCode(int responseCode) {
        FieldRange.require("responseCode", !isCommand);
        FieldRange.check("responseCode", responseCode, 999);
        AsciiText.putNumber(segment, offset, CODE, responseCode);
        return this;
    }

    /** 0 to 999,999,999: what matches a response to its command. */
    public int transactionId() {
        return AsciiText.number(segment, offset + (isCommand ? VERB : CODE) + 1, transactionDigits);
    }

    /** Writes it in as many digits as there are. */
    public MgcpView transactionId(int transactionId) {
        FieldRange.check("transactionId", transactionId, AsciiText.highest(transactionDigits));
        AsciiText.putNumber(segment, offset + (isCommand ? VERB : CODE) + 1, transactionDigits, transactionId);
        return this;
    }

    /** Where the endpoint of a command starts. */
    public long endpointOffset() {
        return offset + (isCommand ? VERB + transactionDigits + 2 : 0);
    }

    /** The length of the endpoint, in bytes; 0 for a response. */
    public int endpointLength() {
        return endpointLength;
    }

    /** The line as text; it allocates. */
    public String line() {
        return AsciiText.text(segment, offset, lineLength);
    }

    @Override
    public String toString() {
        return "mgcp " + (isCommand ? "command " : "response ") + transactionId();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<MgcpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("mgcp", new MgcpView(), HeaderLayout.NONE, Claims.NONE.udp(2427, 2727));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.text("startLine", view.line());
            to.number("transactionId", view.transactionId());
            if (view.isCommand()) {
                to.text("verb", view.verbText());
                to.text("endpoint", AsciiText.text(layer.segment(), view.endpointOffset(), view.endpointLength()));
            } else {
                to.number("responseCode", view.responseCode());
            }
        }
    }
}
