package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The start line of an HTTP/1 message (RFC 9112, 3 and 4): {@code GET /index.html HTTP/1.1}, {@code HTTP/1.1 200 OK}.
 *
 * <pre>
 * request-line = method SP request-target SP HTTP-version CRLF
 * status-line  = HTTP-version SP status-code SP [ reason-phrase ] CRLF
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class HttpView extends HeaderView<HttpView> {
    /** The shortest start line: {@code HTTP/1.1 200}. */
    public static final int MIN_LENGTH = 12;

    /** The longest start line that is looked for its end. */
    static final int MAX_LINE = 8192;

    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_METHOD = 20;
    private static final int STATUS_CODE = 9;

    private int lineLength;
    private int methodLength;
    private boolean isCut;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public HttpView() {}

    /**
     * Wraps a message: TRUNCATED below 12 bytes, UNSUPPORTED if it begins with neither a method and a target nor
     * a version. A start line that goes on after the bytes is taken as far as it is there: {@link #isCut()}.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int line = AsciiText.lineLength(segment, offset, Math.min(length, MAX_LINE));
        boolean isWhole = line >= 0;
        int available = isWhole ? line : Math.min(length, MAX_LINE);
        boolean isResponse = AsciiText.startsWith(segment, offset, available, VERSION);
        int method = isResponse ? 0 : methodLength(segment, offset, available);
        if (!isResponse && (method == 0 || isWhole && !endsOnVersion(segment, offset, available))) {
            return WrapStatus.UNSUPPORTED;
        }
        if (isResponse && (available < MIN_LENGTH || AsciiText.number(segment, offset + STATUS_CODE, 3) < 100)) {
            return WrapStatus.UNSUPPORTED;
        }
        lineLength = available;
        methodLength = method;
        isCut = !isWhole;
        return wrap(segment, offset, length, available);
    }

    /** Bytes of a known method, when a space and a target follow; else 0. */
    private static int methodLength(MemorySegment segment, long offset, int length) {
        int end = 0;
        while (end < Math.min(length, MAX_METHOD) && isUpper(NetworkOrder.u8(segment, offset + end))) {
            end++;
        }
        if (end < 3 || end + 1 >= length || NetworkOrder.u8(segment, offset + end) != ' ') {
            return 0;
        }
        int target = NetworkOrder.u8(segment, offset + end + 1);
        boolean isConnect = end == 7 && NetworkOrder.u8(segment, offset) == 'C';
        boolean isOptions = end == 7 && NetworkOrder.u8(segment, offset) == 'O' && target == '*';
        boolean isAbsolute = target == 'h';
        return target == '/' || isConnect || isOptions || isAbsolute ? end : 0;
    }

    private static boolean isUpper(int octet) {
        return octet >= 'A' && octet <= 'Z';
    }

    private static boolean endsOnVersion(MemorySegment segment, long offset, int length) {
        return length >= 8 && AsciiText.startsWith(segment, offset + length - 8, 8, VERSION);
    }

    /** Whether the first line is a request's, and no status line. */
    public boolean isRequest() {
        return methodLength > 0;
    }

    /** Whether the line goes on after the bytes that were there. */
    public boolean isCut() {
        return isCut;
    }

    /** Without what ends it, in bytes. */
    public int lineLength() {
        return lineLength;
    }

    /** The length of the method, which starts the message, in bytes; 0 for a response. */
    public int methodLength() {
        return methodLength;
    }

    /** Where the target of a request starts; in a response, where the line does. */
    public long targetOffset() {
        return isRequest() ? offset + methodLength + 1 : offset;
    }

    /** The length of the target, in bytes; 0 for a response. */
    public int targetLength() {
        if (!isRequest()) {
            return 0;
        }
        int rest = lineLength - methodLength - 1;
        return isCut ? rest : Math.max(rest - 9, 0);
    }

    /** The status code of a response, 100 to 999; 0 for a request. */
    public int statusCode() {
        return isRequest() ? 0 : AsciiText.number(segment, offset + STATUS_CODE, 3);
    }

    /** Changes the status code of a response. */
    public HttpView statusCode(int statusCode) {
        FieldRange.require("statusCode", !isRequest());
        FieldRange.check("statusCode", statusCode, 100, 999);
        AsciiText.putNumber(segment, offset + STATUS_CODE, 3, statusCode);
        return this;
    }

    /** The line as text; it allocates. */
    public String line() {
        return AsciiText.text(segment, offset, lineLength);
    }

    @Override
    public String toString() {
        return "http " + (isRequest() ? "request" : "response " + statusCode());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<HttpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("http", new HttpView(), HeaderLayout.NONE);
        }

        /** By its start line. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.TCP && payload.wrap(view);
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.text("startLine", view.line());
            if (view.isRequest()) {
                to.text("method", AsciiText.text(layer.segment(), layer.offset(), view.methodLength()));
                to.text("target", AsciiText.text(layer.segment(), view.targetOffset(), view.targetLength()));
            } else {
                to.number("statusCode", view.statusCode());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            firstLine(layer, to);
            return true;
        }

        /** The first line as far as it is there. */
        static void firstLine(Layer layer, SafeText to) {
            int end = 0;
            while (end < layer.length() && layer.u8(end) != '\r' && layer.u8(end) != '\n') {
                end++;
            }
            to.captured(layer.segment(), layer.offset(), end);
        }
    }
}
