package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** Fields of transport headers that stand at no fixed place, for {@link LayerFields}: options and chunks. */
final class TransportDetails {
    private final TcpOptions options = new TcpOptions();
    private final DccpView dccp = new DccpView();
    private final SctpChunks chunks = new SctpChunks();

    void tcp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        options.wrap(segment, header + TcpView.MIN_LENGTH, length - TcpView.MIN_LENGTH);
        while (options.next()) {
            switch (options.kind()) {
                case TcpOptions.MAXIMUM_SEGMENT_SIZE ->
                    visitor.number("maximumSegmentSize", options.maximumSegmentSize());
                case TcpOptions.WINDOW_SCALE -> visitor.number("windowScale", options.windowScale());
                case TcpOptions.SACK_PERMITTED -> visitor.flag("sackPermitted", true);
                case TcpOptions.SACK -> visitor.text("sack", sackText());
                case TcpOptions.TIMESTAMPS -> {
                    visitor.number("timestampValue", options.timestampValue());
                    visitor.number("timestampEchoReply", options.timestampEchoReply());
                }
                case TcpOptions.USER_TIMEOUT -> visitor.number("userTimeout", options.userTimeoutSeconds());
                case TcpOptions.AUTHENTICATION -> authentication(segment, visitor);
                case TcpOptions.FAST_OPEN -> fastOpen(segment, visitor);
                case TcpOptions.MULTIPATH -> multipath(segment, visitor);
                default ->
                    data(options.md5DigestOffset() >= 0 ? "md5Digest" : "option" + options.kind(), segment, visitor);
            }
        }
    }

    private void data(String name, MemorySegment segment, FieldVisitor visitor) {
        visitor.bytes(name, segment, options.dataOffset(), options.dataLength());
    }

    private String sackText() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < options.sackBlockCount(); i++) {
            text.append(i == 0 ? "" : " ");
            text.append(String.format(Locale.ROOT, "%d-%d", options.sackLeft(i), options.sackRight(i)));
        }
        return text.toString();
    }

    private void authentication(MemorySegment segment, FieldVisitor visitor) {
        visitor.number("authenticationKeyId", options.authenticationKeyId());
        visitor.number("authenticationNextKeyId", options.authenticationNextKeyId());
        data("authentication", segment, visitor);
    }

    private void fastOpen(MemorySegment segment, FieldVisitor visitor) {
        if (options.isFastOpenRequest()) {
            visitor.flag("fastOpenRequest", true);
        } else {
            data("fastOpenCookie", segment, visitor);
        }
    }

    private void multipath(MemorySegment segment, FieldVisitor visitor) {
        if (options.multipathSubtype() >= 0) {
            visitor.number("multipathSubtype", options.multipathSubtype());
        }
        if (options.multipathSubtype() == 1 || options.multipathSubtype() == 3) {
            visitor.number("multipathAddressId", options.multipathAddressId());
        }
        if (options.multipathToken() != 0) {
            visitor.number("multipathToken", options.multipathToken());
        }
        data("multipath", segment, visitor);
    }

    void dccp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (dccp.wrap(segment, header, length) == WrapStatus.OK) {
            visitor.number("sequenceNumber", dccp.sequenceNumber());
        }
    }

    /** The chunks, each in a word or a few: "DATA tsn 1 stream 0". */
    void sctp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (length <= SctpView.LENGTH) {
            return;
        }
        chunks.wrap(segment, header + SctpView.LENGTH, length - SctpView.LENGTH);
        while (chunks.next()) {
            visitor.number("chunkType", chunks.type());
            switch (chunks.type()) {
                case SctpChunks.DATA -> {
                    visitor.number("tsn", chunks.transmissionSequenceNumber());
                    visitor.number("streamId", chunks.streamId());
                    visitor.number("streamSequenceNumber", chunks.streamSequenceNumber());
                    visitor.number("payloadProtocol", chunks.payloadProtocol());
                }
                case SctpChunks.I_DATA -> {
                    visitor.number("tsn", chunks.transmissionSequenceNumber());
                    visitor.number("streamId", chunks.streamId());
                    visitor.number("messageId", chunks.messageId());
                    if (chunks.isBeginning()) {
                        visitor.number("payloadProtocol", chunks.payloadProtocol());
                    }
                }
                case SctpChunks.INIT, SctpChunks.INIT_ACK -> {
                    visitor.number("initiateTag", chunks.initiateTag());
                    visitor.number("receiverWindow", chunks.receiverWindow());
                    visitor.number("outboundStreams", chunks.outboundStreams());
                    visitor.number("inboundStreams", chunks.inboundStreams());
                    visitor.number("initialTsn", chunks.transmissionSequenceNumber());
                }
                case SctpChunks.SACK, SctpChunks.SHUTDOWN ->
                    visitor.number("cumulativeTsn", chunks.transmissionSequenceNumber());
                default -> {}
            }
        }
    }
}
