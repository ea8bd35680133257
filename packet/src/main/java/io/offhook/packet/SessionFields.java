package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Fields of messages that set up sessions, guard or watch them, for {@link ApplicationFields}. */
final class SessionFields {
    private static final int MAX_LISTED = 64;

    private final TlsRecordView tls = new TlsRecordView();
    private final TlsClientHelloView hello = new TlsClientHelloView();
    private final HttpView http = new HttpView();
    private final MgcpView mgcp = new MgcpView();
    private final H225View h225 = new H225View();
    private final UdptlView udptl = new UdptlView();
    private final DiameterView diameter = new DiameterView();
    private final RadiusView radius = new RadiusView();
    private final SnmpView snmp = new SnmpView();
    private final SyslogView syslog = new SyslogView();
    private final WireGuardView wireGuard = new WireGuardView();
    private final TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.RADIUS_ATTRIBUTES);
    private final TypeLengthValues pairs = new TypeLengthValues(TypeLengthValues.Form.DIAMETER_AVPS);

    void describe(Application application, MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        switch (application) {
            case TLS -> tls(segment, offset, length, visitor);
            case HTTP -> http(segment, offset, length, visitor);
            case MGCP -> mgcp(segment, offset, length, visitor);
            case H225 -> h225(segment, offset, length, visitor);
            case UDPTL -> udptl(segment, offset, length, visitor);
            case DIAMETER -> diameter(segment, offset, length, visitor);
            case RADIUS -> radius(segment, offset, length, visitor);
            case SNMP -> snmp(segment, offset, length, visitor);
            case SYSLOG -> syslog(segment, offset, length, visitor);
            case WIREGUARD -> wireGuard(segment, offset, length, visitor);
            default -> {}
        }
    }

    private void tls(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (tls.wrap(segment, offset, length) != WrapStatus.OK || tls.handshakeType() < 0) {
            return;
        }
        if (hello.wrap(segment, tls.payloadOffset(), tls.payloadLength()) != WrapStatus.OK) {
            return;
        }
        visitor.number("handshakeType", tls.handshakeType());
        visitor.number("version", hello.version());
        visitor.number("highestVersion", hello.highestVersion());
        visitor.number("cipherSuiteCount", hello.cipherSuiteCount());
        if (hello.serverNameLength() > 0) {
            visitor.text("serverName", hello.serverNameText());
        }
        if (hello.protocolsLength() > 0) {
            visitor.text("applicationProtocols", hello.protocolsText());
        }
    }

    private void http(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (http.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        visitor.text("startLine", http.line());
        if (http.isRequest()) {
            visitor.text("method", AsciiText.text(segment, offset, http.methodLength()));
            visitor.text("target", AsciiText.text(segment, http.targetOffset(), http.targetLength()));
        } else {
            visitor.number("statusCode", http.statusCode());
        }
    }

    private void mgcp(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (mgcp.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        visitor.text("startLine", mgcp.line());
        visitor.number("transactionId", mgcp.transactionId());
        if (mgcp.isCommand()) {
            visitor.text("verb", mgcp.verbText());
            visitor.text("endpoint", AsciiText.text(segment, mgcp.endpointOffset(), mgcp.endpointLength()));
        } else {
            visitor.number("responseCode", mgcp.responseCode());
        }
    }

    private void h225(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (h225.wrap(segment, offset, length) == WrapStatus.OK) {
            visitor.number("callReference", h225.callReference());
            visitor.number("messageType", h225.messageType());
        }
    }

    private void udptl(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (udptl.wrap(segment, offset, length) == WrapStatus.OK) {
            visitor.number("messageLength", udptl.messageLength());
            visitor.flag("errorCorrection", udptl.isErrorCorrection());
            visitor.number("redundantCount", udptl.redundantCount());
        }
    }

    private void diameter(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (diameter.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        diameter.attributes(pairs);
        for (int i = 0; i < MAX_LISTED && pairs.next(); i++) {
            switch ((int) pairs.type()) {
                case 263 -> visitor.text("sessionId", text(pairs));
                case 264 -> visitor.text("originHost", text(pairs));
                case 268 -> visitor.number("resultCode", pairs.u32(0));
                default -> bytes("attribute" + pairs.type(), pairs, visitor);
            }
        }
    }

    private void radius(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (radius.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        visitor.bytes("authenticator", segment, radius.authenticatorOffset(), 16);
        radius.attributes(attributes);
        for (int i = 0; i < MAX_LISTED && attributes.next(); i++) {
            if (attributes.type() == 1) {
                visitor.text("userName", text(attributes));
            } else {
                bytes("attribute" + attributes.type(), attributes, visitor);
            }
        }
    }

    private void snmp(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (snmp.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        visitor.number("version", snmp.version());
        if (snmp.operation() >= 0) {
            visitor.text("community", snmp.community());
            visitor.number("operation", snmp.operation());
            visitor.number("requestId", snmp.requestId());
        }
    }

    private void syslog(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (syslog.wrap(segment, offset, length) == WrapStatus.OK) {
            visitor.number("facility", syslog.facility());
            visitor.number("severity", syslog.severity());
            visitor.text("message", AsciiText.text(segment, syslog.messageOffset(), syslog.messageLength()));
        }
    }

    private void wireGuard(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (wireGuard.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        if (wireGuard.type() == WireGuardView.RESPONSE) {
            visitor.number("receiverIndex", wireGuard.receiverIndex());
        }
        if (wireGuard.type() == WireGuardView.DATA) {
            visitor.text("counter", Long.toUnsignedString(wireGuard.counter()));
        }
    }

    private static String text(TypeLengthValues list) {
        return AsciiText.text(list.segment(), list.valueOffset(), list.valueLength());
    }

    private static void bytes(String name, TypeLengthValues list, FieldVisitor visitor) {
        visitor.bytes(name, list.segment(), list.valueOffset(), list.valueLength());
    }
}
