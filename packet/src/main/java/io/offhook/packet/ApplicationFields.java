package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * Tells a visitor the fields of an application's message, as {@link LayerFields} does of layers. For output: it makes
 * strings. SIP, RTP and RTCP have modules of their own, and no fields here. Not thread-safe.
 */
public final class ApplicationFields {
    private static final Map<Application, List<HeaderField>> FIXED = HeaderLayouts.parse(Application.class, """
            DNS id:16 response:? opcode:4 authoritative:? truncated:? recursionDesired:? recursionAvailable:? -:1
                authenticData:? checkingDisabled:? responseCode:4 questionCount:16 answerCount:16 authorityCount:16
                additionalCount:16
            DHCP operation:8 hardwareType:8 hardwareLength:8 hops:8 transactionId:32 seconds:16 flags:16
                clientAddress:i yourAddress:i serverAddress:i relayAddress:i clientHardware:m
            DHCPV6 type:8
            NTP leap:2 version:3 mode:3 stratum:8 poll:s precision:s rootDelay:32 rootDispersion:32 referenceId:32
                referenceTimestamp:64x originTimestamp:64x receiveTimestamp:64x transmitTimestamp:64x
            TFTP opcode:16
            TLS contentType:8 recordVersion:16 recordLength:16
            QUIC longHeader:? fixed:? packetType:2 -:4 version:32 destinationIdLength:8
            STUN type:16 messageLength:16 cookie:32 -:96
            TURN channel:16 dataLength:16
            SKINNY messageLength:32l headerVersion:32l messageId:32l
            DIAMETER version:8 messageLength:24 request:? proxiable:? error:? retransmitted:? -:4 commandCode:24
                applicationId:32 hopByHopId:32 endToEndId:32
            RADIUS code:8 identifier:8 messageLength:16 -:128
            WIREGUARD type:8 -:24 index:32l
            H225 tpktVersion:8 -:8 messageLength:16 discriminator:8 callReferenceLength:8
            UDPTL sequenceNumber:16
            """);
    private static final int MAX_LISTED = 64;

    private final DnsView dns = new DnsView();
    private final DnsRecords records = new DnsRecords();
    private final DhcpView dhcp = new DhcpView();
    private final Dhcpv6View dhcpv6 = new Dhcpv6View();
    private final TftpView tftp = new TftpView();
    private final QuicView quic = new QuicView();
    private final StunView stun = new StunView();
    private final SessionFields sessions = new SessionFields();
    private final TypeLengthValues dhcpOptions = new TypeLengthValues(TypeLengthValues.Form.DHCP_OPTIONS);
    private final TypeLengthValues dhcpv6Options = new TypeLengthValues(TypeLengthValues.Form.DHCPV6_OPTIONS);
    private final TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.STUN_ATTRIBUTES);

    /** Ready for any message. */
    public ApplicationFields() {}

    /**
     * Tells the fields of a message; of one that is cut off, those that are there.
     *
     * @param length bytes that are there from {@code offset} on
     */
    public void describe(
            Application application, MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (application == Application.QUIC && length > 0 && NetworkOrder.u8(segment, offset) < 0x80) {
            return; // of a short header nothing is known here
        }
        boolean isDns = application == Application.MDNS || application == Application.LLMNR;
        for (HeaderField field : FIXED.getOrDefault(isDns ? Application.DNS : application, List.of())) {
            if (field.end() <= length) {
                field.visit(segment, offset, visitor);
            }
        }
        switch (application) {
            case DNS, MDNS, LLMNR -> dns(segment, offset, length, visitor);
            case DHCP -> dhcp(segment, offset, length, visitor);
            case DHCPV6 -> dhcpv6(segment, offset, length, visitor);
            case TFTP -> tftp(segment, offset, length, visitor);
            case QUIC -> quic(segment, offset, length, visitor);
            case STUN -> stun(segment, offset, length, visitor);
            default -> sessions.describe(application, segment, offset, length, visitor);
        }
    }

    private void dns(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (dns.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        dns.records(records);
        for (int i = 0; i < MAX_LISTED && records.next(); i++) {
            visitor.text(records.isQuestion() ? "question" : "record", records.name());
            visitor.number(records.isQuestion() ? "questionType" : "recordType", records.type());
            if (records.isQuestion()) {
                continue;
            }
            visitor.number("ttl", records.ttl());
            long data = records.dataOffset();
            int size = records.dataLength();
            if (records.type() == DnsRecords.A && size == 4) {
                visitor.text("address", Endpoint.readIpv4(segment, data, 0).addressText());
            } else if (records.type() == DnsRecords.AAAA && size == 16) {
                visitor.text(
                        "address",
                        Endpoint.ipv6Text(NetworkOrder.bits64(segment, data), NetworkOrder.bits64(segment, data + 8)));
            } else if (isName(records.type()) && size > 0) {
                visitor.text("target", records.name(data));
            } else {
                visitor.bytes("recordData", segment, data, size);
            }
        }
    }

    private static boolean isName(int type) {
        return type == DnsRecords.NS || type == DnsRecords.CNAME || type == DnsRecords.PTR;
    }

    /** RFC 2132. */
    private void dhcp(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (dhcp.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        dhcp.options(dhcpOptions);
        for (int i = 0; i < MAX_LISTED && dhcpOptions.next(); i++) {
            TypeLengthValues option = dhcpOptions;
            switch ((int) option.type()) {
                case 12 -> visitor.text("hostName", text(option));
                case 15 -> visitor.text("domainName", text(option));
                case 50 -> visitor.text("requestedAddress", ipv4(option));
                case 51 -> visitor.number("leaseTime", option.u32(0));
                case 53 -> visitor.number("messageType", option.u8(0));
                case 54 -> visitor.text("serverIdentifier", ipv4(option));
                case 60 -> visitor.text("vendorClass", text(option));
                default -> bytes("option" + option.type(), option, visitor);
            }
        }
    }

    private static String ipv4(TypeLengthValues option) {
        return Endpoint.ofIpv4((int) option.u32(0), 0).addressText();
    }

    private void dhcpv6(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (dhcpv6.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        if (dhcpv6.isRelay()) {
            visitor.number("hopCount", dhcpv6.hopCount());
        } else {
            visitor.number("transactionId", dhcpv6.transactionId());
        }
        dhcpv6.options(dhcpv6Options);
        for (int i = 0; i < MAX_LISTED && dhcpv6Options.next(); i++) {
            bytes("option" + dhcpv6Options.type(), dhcpv6Options, visitor);
        }
    }

    private void tftp(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (tftp.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        switch (tftp.opcode()) {
            case TftpView.DATA, TftpView.ACKNOWLEDGMENT -> visitor.number("block", tftp.block());
            case TftpView.ERROR -> {
                visitor.number("errorCode", tftp.errorCode());
                visitor.text("message", AsciiText.text(segment, tftp.textOffset(), tftp.textLength()));
            }
            case TftpView.READ, TftpView.WRITE ->
                visitor.text("fileName", AsciiText.text(segment, tftp.textOffset(), tftp.textLength()));
            default -> {}
        }
    }

    private void quic(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (quic.wrap(segment, offset, length) == WrapStatus.OK) {
            visitor.bytes("destinationId", segment, quic.destinationIdOffset(), quic.destinationIdLength());
            visitor.bytes("sourceId", segment, quic.sourceIdOffset(), quic.sourceIdLength());
        }
    }

    private void stun(MemorySegment segment, long offset, int length, FieldVisitor visitor) {
        if (stun.wrap(segment, offset, length) != WrapStatus.OK) {
            return;
        }
        visitor.number("class", stun.messageClass());
        visitor.number("method", stun.method());
        visitor.bytes("transactionId", segment, stun.transactionIdOffset(), 12);
        stun.attributes(attributes);
        for (int i = 0; i < MAX_LISTED && attributes.next(); i++) {
            switch ((int) attributes.type()) {
                case 0x0006 -> visitor.text("userName", text(attributes));
                case 0x0014 -> visitor.text("realm", text(attributes));
                case 0x8022 -> visitor.text("software", text(attributes));
                default -> bytes("attribute" + attributes.type(), attributes, visitor);
            }
        }
    }

    private static String text(TypeLengthValues list) {
        return AsciiText.text(list.segment(), list.valueOffset(), list.valueLength());
    }

    private static void bytes(String name, TypeLengthValues list, FieldVisitor visitor) {
        visitor.bytes(name, list.segment(), list.valueOffset(), list.valueLength());
    }
}
