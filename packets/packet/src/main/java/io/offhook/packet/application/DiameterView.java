package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header of a Diameter message (RFC 6733, 3). Attributes follow, in {@link TypeLengthValues.Form#DIAMETER_AVPS}.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+-----------------------------------------------+
 * |    version    |                 message length                |
 * +-+-+-+-+-------+-----------------------------------------------+
 * |R|P|E|R|       |                  command code                 |
 * +-+-+-+-+-------+-----------------------------------------------+
 * |                         application id                        |
 * +---------------------------------------------------------------+
 * |                         hop by hop id                         |
 * +---------------------------------------------------------------+
 * |                         end to end id                         |
 * +---------------------------------------------------------------+
 * | attributes ...
 * </pre>
 */
public final class DiameterView extends HeaderView<DiameterView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 20;

    private static final int VERSION = 0;
    private static final int MESSAGE_LENGTH = 1;
    private static final int REQUEST = 4;
    private static final int COMMAND_CODE = 5;
    private static final int APPLICATION_ID = 8;
    private static final int HOP_BY_HOP_ID = 12;
    private static final int END_TO_END_ID = 16;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public DiameterView() {}

    /**
     * Wraps a header: TRUNCATED below 20 bytes, UNSUPPORTED if its version is not 1, MALFORMED if its length is
     * below 20 or no multiple of 4.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + VERSION) != 1) {
            return WrapStatus.UNSUPPORTED;
        }
        int messageLength = NetworkOrder.u24(segment, offset + MESSAGE_LENGTH);
        if (messageLength < LENGTH || (messageLength & 3) != 0) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public DiameterView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** The length of the whole message, in bytes. */
    public int messageLength() {
        return u24(MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}; 0 to 16777215. */
    public DiameterView messageLength(int messageLength) {
        return putU24(MESSAGE_LENGTH, "messageLength", messageLength);
    }

    /** Whether it is a request, and no answer. */
    public boolean isRequest() {
        return (u8(REQUEST) & 0x80) != 0;
    }

    /** Sets {@link #isRequest()}. */
    public DiameterView request(boolean request) {
        return putFlag(REQUEST, 0, request);
    }

    /** Whether a proxy may answer, and not the addressee alone. */
    public boolean isProxiable() {
        return (u8(REQUEST) & 0x40) != 0;
    }

    /** Sets {@link #isProxiable()}. */
    public DiameterView proxiable(boolean proxiable) {
        return putFlag(REQUEST, 1, proxiable);
    }

    /** Whether it reports an error. */
    public boolean isError() {
        return (u8(REQUEST) & 0x20) != 0;
    }

    /** Sets {@link #isError()}. */
    public DiameterView error(boolean error) {
        return putFlag(REQUEST, 2, error);
    }

    /** Whether it may have been sent before. */
    public boolean isRetransmitted() {
        return (u8(REQUEST) & 0x10) != 0;
    }

    /** Sets {@link #isRetransmitted()}. */
    public DiameterView retransmitted(boolean retransmitted) {
        return putFlag(REQUEST, 3, retransmitted);
    }

    /** 257 capabilities exchange, 271 accounting, 272 credit control, 280 device watchdog, 316 update location... */
    public int commandCode() {
        return u24(COMMAND_CODE);
    }

    /** Sets {@link #commandCode()}; 0 to 16777215. */
    public DiameterView commandCode(int commandCode) {
        return putU24(COMMAND_CODE, "commandCode", commandCode);
    }

    /** The application that the command is of. */
    public long applicationId() {
        return u32(APPLICATION_ID);
    }

    /** Sets {@link #applicationId()}; 0 to 4294967295. */
    public DiameterView applicationId(long applicationId) {
        return putU32(APPLICATION_ID, "applicationId", applicationId);
    }

    /** The identifier that request and answer share on one connection. */
    public long hopByHopId() {
        return u32(HOP_BY_HOP_ID);
    }

    /** Sets {@link #hopByHopId()}; 0 to 4294967295. */
    public DiameterView hopByHopId(long hopByHopId) {
        return putU32(HOP_BY_HOP_ID, "hopByHopId", hopByHopId);
    }

    /** The end-to-end identifier, which detects duplicates. */
    public long endToEndId() {
        return u32(END_TO_END_ID);
    }

    /** Sets {@link #endToEndId()}; 0 to 4294967295. */
    public DiameterView endToEndId(long endToEndId) {
        return putU32(END_TO_END_ID, "endToEndId", endToEndId);
    }

    /** Puts the iterator before the first attribute. */
    public void attributes(TypeLengthValues attributes) {
        attributes.wrap(segment, offset + LENGTH, Math.min(messageLength(), length) - LENGTH);
    }

    @Override
    public String toString() {
        return "diameter command " + commandCode();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<DiameterView> {
        private final TypeLengthValues pairs = new TypeLengthValues(TypeLengthValues.Form.DIAMETER_AVPS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "diameter",
                    new DiameterView(),
                    HeaderLayout.of(LENGTH)
                            .number("version", VERSION, 8)
                            .number("messageLength", MESSAGE_LENGTH, 24)
                            .flag("request", REQUEST, 0)
                            .flag("proxiable", REQUEST, 1)
                            .flag("error", REQUEST, 2)
                            .flag("retransmitted", REQUEST, 3)
                            .number("commandCode", COMMAND_CODE, 24)
                            .number("applicationId", APPLICATION_ID, 32)
                            .number("hopByHopId", HOP_BY_HOP_ID, 32)
                            .number("endToEndId", END_TO_END_ID, 32),
                    Claims.NONE.tcp(3868).sctp(46));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            view.attributes(pairs);
            for (int i = 0; i < MAX_LISTED && pairs.next(); i++) {
                switch ((int) pairs.type()) {
                    case 263 -> to.text("sessionId", pairs.text());
                    case 264 -> to.text("originHost", pairs.text());
                    case 268 -> to.number("resultCode", pairs.u32(0));
                    default -> pairs.bytes("attribute" + pairs.type(), to);
                }
            }
        }
    }
}
