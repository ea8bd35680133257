package io.offhook.packet.application;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A record of TLS (RFC 8446, 5.1), or of SSL 3.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+-------------------------------+---------------+
 * |  content type |         record version        | record length |
 * +---------------+-------------------------------+---------------+
 * |      ...      |
 * +---------------+
 * </pre>
 */
public final class TlsRecordView extends CarrierView<TlsRecordView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 5;
    /** A type of record (RFC 8446, 5.1). */
    public static final int HANDSHAKE = 22;

    /** The longest record: 2^14 bytes, and what encryption may add. */
    private static final int MAX_LENGTH = 0x4800;

    private static final int CONTENT_TYPE = 0;
    private static final int RECORD_VERSION = 1;
    private static final int RECORD_LENGTH = 3;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TlsRecordView() {}

    /**
     * Wraps a record: TRUNCATED below 5 bytes, UNSUPPORTED if its type or version is none of TLS.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (!isRecord(segment, offset, length)) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** 20 change cipher spec, 21 alert, 22 handshake, 23 application data, 24 heartbeat. */
    public int contentType() {
        return u8(CONTENT_TYPE);
    }

    /** Sets {@link #contentType()}; 0 to 255. */
    public TlsRecordView contentType(int contentType) {
        return putU8(CONTENT_TYPE, "contentType", contentType);
    }

    /** 0x0301 to 0x0304, 0x0300 of SSL 3; newer clients say 0x0301 or 0x0303. */
    public int recordVersion() {
        return u16(RECORD_VERSION);
    }

    /** Sets {@link #recordVersion()}; 0 to 65535. */
    public TlsRecordView recordVersion(int recordVersion) {
        return putU16(RECORD_VERSION, "recordVersion", recordVersion);
    }

    /** Behind the header, in bytes. */
    public int recordLength() {
        return u16(RECORD_LENGTH);
    }

    /** Sets {@link #recordLength()}; 0 to 65535. */
    public TlsRecordView recordLength(int recordLength) {
        return putU16(RECORD_LENGTH, "recordLength", recordLength);
    }

    /** Whether bytes begin as a record does. */
    public static boolean isRecord(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return false;
        }
        int type = NetworkOrder.u8(segment, offset + CONTENT_TYPE);
        int version = NetworkOrder.u16(segment, offset + RECORD_VERSION);
        int recordLength = NetworkOrder.u16(segment, offset + RECORD_LENGTH);
        return type >= 20 && type <= 24 && version >>> 8 == 3 && (version & 0xff) <= 4 && recordLength <= MAX_LENGTH;
    }

    /** The type of an unencrypted handshake message: 1 client hello, 2 server hello, 11 certificate...; -1 for none. */
    public int handshakeType() {
        return contentType() == HANDSHAKE && length > LENGTH ? u8(LENGTH) : -1;
    }

    /** Sets {@link #handshakeType()}. */
    public TlsRecordView handshakeType(int handshakeType) {
        FieldRange.require("handshakeType", contentType() == HANDSHAKE && length > LENGTH);
        return putU8(LENGTH, "handshakeType", handshakeType);
    }

    /** Bytes of the record that are there. */
    @Override
    public int payloadLength() {
        return Math.min(recordLength(), length - LENGTH);
    }

    /** Whether the record goes on in the next segment. */
    public boolean isCut() {
        return recordLength() > length - LENGTH;
    }

    @Override
    public String toString() {
        return "tls record " + contentType() + " of " + recordLength() + " bytes";
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<TlsRecordView> {
        private static final int CLIENT_KEY_EXCHANGE = 16;

        private final TlsClientHelloView hello = new TlsClientHelloView();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "tls",
                    new TlsRecordView(),
                    HeaderLayout.of(LENGTH)
                            .number("contentType", CONTENT_TYPE, 8)
                            .number("recordVersion", RECORD_VERSION, 16)
                            .number("recordLength", RECORD_LENGTH, 16));
        }

        /** By type, version and length of a record. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.TCP && isRecord(payload.segment(), payload.offset(), payload.length());
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.handshakeType() < 0
                    || hello.wrap(layer.segment(), view.payloadOffset(), view.payloadLength()) != WrapStatus.OK) {
                return;
            }
            to.number("handshakeType", view.handshakeType());
            to.number("version", hello.version());
            to.number("highestVersion", hello.highestVersion());
            to.number("cipherSuiteCount", hello.cipherSuiteCount());
            if (hello.serverNameLength() > 0) {
                to.text("serverName", hello.serverNameText());
            }
            if (hello.protocolsLength() > 0) {
                to.text("applicationProtocols", hello.protocolsText());
            }
        }

        /** What the record has, and what an unencrypted handshake message begins (RFC 8446, 4). */
        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int type = layer.u8(CONTENT_TYPE);
            to.text(name(type));
            if (type == HANDSHAKE && layer.length() > LENGTH) {
                to.text(
                        switch (layer.u8(LENGTH)) {
                            case TlsClientHelloView.CLIENT_HELLO -> ", client hello";
                            case 2 -> ", server hello";
                            case 11 -> ", certificate";
                            case CLIENT_KEY_EXCHANGE -> ", client key exchange";
                            default -> "";
                        });
            }
            return true;
        }

        /** Content types that TLS and DTLS share (RFC 9147, 4; RFC 8446, 5.1). */
        static String name(int contentType) {
            return switch (contentType) {
                case 20 -> "change cipher spec";
                case 21 -> "alert";
                case HANDSHAKE -> "handshake";
                case 23 -> "application data";
                default -> "record type " + contentType;
            };
        }
    }
}
