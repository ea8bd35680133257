package io.offhook.sip;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import java.nio.charset.StandardCharsets;

/** SIP (RFC 3261), for output: recognised by its start line, on any port. A message that goes on is read as far as it is. */
public final class SipProtocol extends Protocol {
    private final SipText text = new SipText();
    private final SipMessageView sip = new SipMessageView();
    private final SipMultipart part = new SipMultipart();

    /** Ready for any message. */
    public SipProtocol() {
        super("sip", HeaderLayout.NONE);
    }

    @Override
    public boolean isMarked(LayerType transport, Layer payload) {
        return (transport == LayerType.UDP || transport == LayerType.TCP)
                && SipRecognizer.isMessageStart(payload.segment(), payload.offset(), payload.length(), text);
    }

    /** The message as a layer, and its session description as another. */
    @Override
    public void message(Layer payload, FieldVisitor to) {
        WrapStatus status = sip.wrap(payload.segment(), payload.offset(), payload.length());
        boolean isCut = status != WrapStatus.OK;
        to.layer(label(), payload.position(), Math.min(sip.bodyOffset(), payload.length()), isCut);
        head(to);
        if (sip.bodyLength() == 0) {
            return;
        }
        to.number("bodyLength", sip.bodyLength());
        if (sip.findSdp(part)) {
            to.layer("sdp", payload.position() + part.offset(), part.length(), isCut);
            to.text("text", text(part.offset(), part.length()));
        } else {
            to.text("body", text(sip.bodyOffset(), sip.bodyLength()));
        }
    }

    @Override
    public void fields(Layer layer, FieldVisitor to) {
        sip.wrap(layer.segment(), layer.offset(), layer.length());
        head(to);
    }

    private void head(FieldVisitor to) {
        to.text("startLine", sip.startLine());
        if (sip.isRequest()) {
            to.text("method", sip.methodText());
            to.text("requestUri", sip.requestUri());
        } else {
            to.number("statusCode", sip.statusCode());
            to.text("reasonPhrase", sip.reasonPhrase());
        }
        for (int i = 0; i < sip.headerCount(); i++) {
            to.header(sip.name(i), sip.value(i));
        }
    }

    private String text(int offset, int length) {
        return new String(sip.octets(), offset, length, StandardCharsets.UTF_8);
    }

    /** Its start line, of a response what it answers, and whether it describes media. */
    @Override
    public boolean summarize(Layer layer, SafeText to) {
        sip.wrap(layer.segment(), layer.offset(), layer.length());
        to.captured(sip.startLine());
        if (!sip.isRequest()) {
            SipMethod method = sip.cseqMethod();
            to.text(" (").captured(method == SipMethod.OTHER ? sip.cseqMethodText() : method.name());
            to.text(")");
        }
        if (sip.findSdp(part)) {
            to.text(", SDP");
        }
        if (!sip.isHeaderComplete()) {
            to.text(", goes on in another packet");
        }
        return true;
    }

    /** A datagram that only keeps a binding of a NAT open (RFC 5626, 3.5.1): line ends, or a few zeros. */
    public static final class KeepAlive extends Protocol {
        private final SipText text = new SipText();

        /** Ready for any datagram. */
        public KeepAlive() {
            super(LayerType.PAYLOAD.label(), "UDP", HeaderLayout.NONE);
        }

        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            if (transport != LayerType.UDP || payload.length() > SipRecognizer.MAX_KEEP_ALIVE) {
                return false;
            }
            text.copy(payload.segment(), payload.offset(), payload.length());
            return SipRecognizer.isKeepAlive(text.octets(), 0, text.length());
        }

        /** As any payload. */
        @Override
        public void message(Layer payload, FieldVisitor to) {
            to.layer(label(), payload.position(), 0, false);
            to.number("length", payload.length());
            to.bytes("data", payload.segment(), payload.offset(), payload.length());
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text("keep-alive");
            return true;
        }
    }
}
