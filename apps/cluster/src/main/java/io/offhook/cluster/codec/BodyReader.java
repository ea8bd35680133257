package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.offhook.cluster.event.ClockStep;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.OtherBody;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.sip.SipTransport;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads bodies. What is outside of its range is an {@link IllegalArgumentException} of the record. */
final class BodyReader {
    private BodyReader() {}

    /**
     * Reads the body of a field.
     *
     * @param number of the field in the event
     */
    static EventBody read(int number, ByteString content) throws InvalidProtocolBufferException {
        return switch (number) {
            case EventsProto.Event.SIP_FIELD_NUMBER -> sip(EventsProto.SipMessage.parseFrom(content));
            case EventsProto.Event.STREAM_BEGIN_FIELD_NUMBER -> begin(EventsProto.StreamBegin.parseFrom(content));
            case EventsProto.Event.STREAM_INTERVAL_FIELD_NUMBER ->
                StreamReader.interval(EventsProto.StreamInterval.parseFrom(content));
            case EventsProto.Event.STREAM_END_FIELD_NUMBER -> end(EventsProto.StreamEnd.parseFrom(content));
            case EventsProto.Event.RTCP_FIELD_NUMBER ->
                ConversationReader.conversation(EventsProto.Conversation.parseFrom(content));
            case EventsProto.Event.ICMP_FIELD_NUMBER -> icmp(EventsProto.IcmpError.parseFrom(content));
            case EventsProto.Event.MEASURED_FIELD_NUMBER -> measured(EventsProto.Measured.parseFrom(content));
            case EventsProto.Event.DROPS_FIELD_NUMBER -> drops(EventsProto.Drops.parseFrom(content));
            case EventsProto.Event.FAULT_FIELD_NUMBER -> fault(EventsProto.Fault.parseFrom(content));
            case EventsProto.Event.HEARTBEAT_FIELD_NUMBER -> heartbeat(EventsProto.Heartbeat.parseFrom(content));
            case EventsProto.Event.CLOCK_STEP_FIELD_NUMBER -> clockStep(EventsProto.ClockStep.parseFrom(content));
            default -> new OtherBody(number, Fields.octets(content));
        };
    }

    private static SipMessage sip(EventsProto.SipMessage sip) {
        Octets unknown = sip.getTransport() == EventsProto.SipMessage.Transport.UNRECOGNIZED
                ? Fields.octets(
                        sip.getUnknownFields(), EventsProto.SipMessage.TRANSPORT_FIELD_NUMBER, sip.getTransportValue())
                : Fields.octets(sip.getUnknownFields());
        int identification = sip.getIpIdentification();
        if (sip.hasIpIdentification() && identification < 0) {
            throw new IllegalArgumentException("ip_identification is more than 65535");
        }
        return new SipMessage(
                Fields.octets(sip.getMessage()),
                sip.getCallIdHash(),
                Fields.endpoint("source", sip.getSource()),
                Fields.endpoint("destination", sip.getDestination()),
                transport(sip.getTransport()),
                sip.hasIpIdentification() ? identification : -1,
                sip.getFrame(),
                Fields.octets(sip.getCut()),
                sip.getByAgent(),
                sip.getInterface(),
                unknown);
    }

    private static @Nullable SipTransport transport(EventsProto.SipMessage.Transport transport) {
        return switch (transport) {
            case UDP -> SipTransport.UDP;
            case TCP -> SipTransport.TCP;
            case TLS -> SipTransport.TLS;
            case WS -> SipTransport.WS;
            case WSS -> SipTransport.WSS;
            case SCTP -> SipTransport.SCTP;
            case TRANSPORT_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    }

    private static StreamBegin begin(EventsProto.StreamBegin begin) {
        boolean isUnknown = begin.getMode() == EventsProto.StreamBegin.Mode.UNRECOGNIZED;
        return new StreamBegin(
                Fields.stream(begin.getStream()),
                Fields.endpoint("source", begin.getSource()),
                Fields.endpoint("destination", begin.getDestination()),
                Integer.toUnsignedLong(begin.getSsrc()),
                begin.getFirstFrame(),
                switch (begin.getMode()) {
                    case FIGURES -> StreamBegin.Mode.FIGURES;
                    case ROWS -> StreamBegin.Mode.ROWS;
                    case MODE_UNSPECIFIED, UNRECOGNIZED -> StreamBegin.Mode.UNSPECIFIED;
                },
                isUnknown
                        ? Fields.octets(
                                begin.getUnknownFields(),
                                EventsProto.StreamBegin.MODE_FIELD_NUMBER,
                                begin.getModeValue())
                        : Fields.octets(begin.getUnknownFields()));
    }

    private static StreamEnd end(EventsProto.StreamEnd end) {
        boolean isUnknown = end.getWhy() == EventsProto.StreamEnd.Why.UNRECOGNIZED;
        return new StreamEnd(
                Fields.stream(end.getStream()),
                switch (end.getWhy()) {
                    case SILENT -> StreamEnd.Why.SILENT;
                    case REPLACED -> StreamEnd.Why.REPLACED;
                    case EVICTED -> StreamEnd.Why.EVICTED;
                    case PROBE_STOPPED -> StreamEnd.Why.PROBE_STOPPED;
                    case WHY_UNSPECIFIED, UNRECOGNIZED -> StreamEnd.Why.UNSPECIFIED;
                },
                isUnknown
                        ? Fields.octets(
                                end.getUnknownFields(), EventsProto.StreamEnd.WHY_FIELD_NUMBER, end.getWhyValue())
                        : Fields.octets(end.getUnknownFields()));
    }

    private static IcmpError icmp(EventsProto.IcmpError icmp) {
        return new IcmpError(
                icmp.getFrame(),
                Fields.endpoint("reporter", icmp.getReporter()),
                Fields.endpoint("source", icmp.getSource()),
                Fields.endpoint("destination", icmp.getDestination()),
                icmp.getCallIdHash(),
                new IcmpError.Message(icmp.getIpVersion(), icmp.getType(), icmp.getCode()),
                icmp.getBoundCallIdHash(),
                Fields.octets(icmp.getUnknownFields()));
    }

    private static Measured measured(EventsProto.Measured measured) {
        Measured.Figures figures = new Measured.Figures(
                measured.hasPackets() ? count("packets", measured.getPackets()) : -1,
                measured.hasLost() ? count("lost", measured.getLost()) : -1,
                measured.hasLossPercent() ? measured.getLossPercent() : Double.NaN,
                measured.hasJitterMs() ? measured.getJitterMs() : Double.NaN,
                measured.hasRoundTripMs() ? measured.getRoundTripMs() : Double.NaN,
                measured.hasRFactor() ? measured.getRFactor() : Double.NaN,
                measured.hasMos() ? measured.getMos() : Double.NaN);
        return new Measured(
                measured.getCallId(),
                Fields.endpoint("source", measured.getSource()),
                Fields.endpoint("destination", measured.getDestination()),
                measured.hasSsrc() ? Integer.toUnsignedLong(measured.getSsrc()) : -1,
                figures,
                measured.getFrame(),
                Fields.octets(measured.getUnknownFields()));
    }

    /** In the record, -1 stands for what is absent. */
    private static long count(String field, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(field + " is more than " + Long.MAX_VALUE);
        }
        return value;
    }

    private static Drops drops(EventsProto.Drops drops) {
        boolean isUnknown = drops.getPlace() == EventsProto.Drops.Place.UNRECOGNIZED;
        EventRange events = new EventRange(
                drops.getPartition(), drops.getIncarnation(), drops.getFromSequence(), drops.getUntilSequence());
        return new Drops(
                place(drops.getPlace()),
                drops.getCause(),
                drops.getCount(),
                drops.getFromNs(),
                drops.getUntilNs(),
                drops.getShown(),
                events,
                isUnknown
                        ? Fields.octets(
                                drops.getUnknownFields(), EventsProto.Drops.PLACE_FIELD_NUMBER, drops.getPlaceValue())
                        : Fields.octets(drops.getUnknownFields()));
    }

    private static Drops.Place place(EventsProto.Drops.Place place) {
        return switch (place) {
            case INTERFACE -> Drops.Place.INTERFACE;
            case RING -> Drops.Place.RING;
            case LANE -> Drops.Place.LANE;
            case TABLE -> Drops.Place.TABLE;
            case SPOOL -> Drops.Place.SPOOL;
            case TCP_GAP -> Drops.Place.TCP_GAP;
            case PLACE_UNSPECIFIED, UNRECOGNIZED -> Drops.Place.UNSPECIFIED;
        };
    }

    private static Fault fault(EventsProto.Fault fault) {
        return new Fault(fault.getWhat(), fault.getWhere(), fault.getFrame(), Fields.octets(fault.getUnknownFields()));
    }

    private static ClockStep clockStep(EventsProto.ClockStep step) {
        return new ClockStep(
                step.getFromNs(), step.getUntilNs(), step.getStreams(), Fields.octets(step.getUnknownFields()));
    }

    private static Heartbeat heartbeat(EventsProto.Heartbeat beat) {
        return new Heartbeat(
                beat.getLowWatermarkNs(),
                beat.getSentNs(),
                new Heartbeat.Capture(beat.getFrames(), beat.getUdpUnknown(), beat.getRtpLike()),
                beat.getSpoolOctets(),
                optional(beat.hasSpoolOldestNs(), beat.getSpoolOldestNs()),
                new Heartbeat.Clock(
                        optional(beat.hasClockOffsetNs(), beat.getClockOffsetNs()),
                        optional(beat.hasClockErrorNs(), beat.getClockErrorNs())),
                new Heartbeat.About(beat.getVersion(), beat.getSite(), beat.getPacketsUrl()),
                Fields.octets(beat.getUnknownFields()));
    }

    private static OptionalLong optional(boolean isThere, long value) {
        return isThere ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
