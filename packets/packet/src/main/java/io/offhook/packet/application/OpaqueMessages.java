package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.Claims;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import java.nio.charset.StandardCharsets;

/** Messages that are named, and not looked into: by a mark, or by a port alone. */
public final class OpaqueMessages {
    private OpaqueMessages() {}

    /** What is taken for a protocol by its ports alone. */
    public static final class OfPort extends Protocol {
        private final Claims claims;

        /** A protocol of these UDP ports. */
        public OfPort(String label, int... ports) {
            super(label, HeaderLayout.NONE);
            claims = Claims.NONE.udp(ports);
        }

        @Override
        public Claims claims() {
            return claims;
        }
    }

    /** DTLS (RFC 9147). */
    public static final class Dtls extends Protocol {
        private static final int CONTENT_TYPE = 0;
        private static final int VERSION = 1;
        private static final int LENGTH = 13;

        /** Creates the descriptor. */
        public Dtls() {
            super("dtls", HeaderLayout.NONE);
        }

        /** By type and version of a record (RFC 7983, RFC 9147). */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            int type = payload.u8(CONTENT_TYPE);
            return transport == LayerType.UDP
                    && type >= 20
                    && type < 64
                    && payload.length() >= LENGTH
                    && payload.u8(VERSION) == 0xfe;
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text(TlsRecordView.Descriptor.name(layer.u8(CONTENT_TYPE)));
            return true;
        }
    }

    /** ZRTP (RFC 6189). */
    public static final class Zrtp extends Protocol {
        private static final int LENGTH = 12;
        private static final int COOKIE = 4;
        private static final long MAGIC = 0x5a525450;

        /** Creates the descriptor. */
        public Zrtp() {
            super("zrtp", HeaderLayout.NONE);
        }

        /** By its cookie. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.UDP
                    && payload.length() >= LENGTH
                    && payload.u8(0) == 0x10
                    && payload.u32(COOKIE) == MAGIC;
        }
    }

    /** RTSP (RFC 7826, RFC 2326). */
    public static final class Rtsp extends Protocol {
        private static final byte[] RESPONSE = "RTSP/1.0 ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] VERSION = " RTSP/1.0".getBytes(StandardCharsets.US_ASCII);

        /** Start lines longer than that are not looked through. */
        private static final int MAX_LINE = 1024;

        /** Creates the descriptor. */
        public Rtsp() {
            super("rtsp", HeaderLayout.NONE);
        }

        /** By its start line: of a response, or of a request with the version at its end. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            if (transport != LayerType.TCP || payload.u8(0) < 'A' || payload.u8(0) > 'Z') {
                return false;
            }
            if (AsciiText.startsWith(payload.segment(), payload.offset(), payload.length(), RESPONSE)) {
                return true;
            }
            int most = Math.min(payload.length(), MAX_LINE);
            int line = AsciiText.lineLength(payload.segment(), payload.offset(), most);
            long version = payload.offset() + line - VERSION.length;
            return line > VERSION.length && AsciiText.startsWith(payload.segment(), version, VERSION.length, VERSION);
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            HttpView.Descriptor.firstLine(layer, to);
            return true;
        }
    }
}
