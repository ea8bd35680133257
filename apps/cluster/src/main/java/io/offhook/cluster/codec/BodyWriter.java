package io.offhook.cluster.codec;

import io.offhook.cluster.event.ClockStep;
import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.OtherBody;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.sip.SipTransport;
import org.jspecify.annotations.Nullable;

/** Writes bodies. */
final class BodyWriter {
    private BodyWriter() {}

    /** Puts a body that the schema knows into an event. */
    static void write(EventBody body, EventsProto.Event.Builder event) {
        switch (body) {
            case SipMessage sip -> event.setSip(sip(sip));
            case StreamBegin begin -> event.setStreamBegin(begin(begin));
            case StreamInterval interval -> event.setStreamInterval(StreamWriter.interval(interval));
            case StreamEnd end -> event.setStreamEnd(end(end));
            case Conversation conversation -> event.setRtcp(ConversationWriter.conversation(conversation));
            case IcmpError icmp -> event.setIcmp(icmp(icmp));
            case Measured measured -> event.setMeasured(measured(measured));
            case Drops drops -> event.setDrops(drops(drops));
            case Fault fault -> event.setFault(fault(fault));
            case ClockStep step -> event.setClockStep(clockStep(step));
            case Heartbeat beat -> event.setHeartbeat(heartbeat(beat));
            case OtherBody other -> throw new IllegalArgumentException("body " + other.number() + " has no record");
        }
    }

    private static EventsProto.SipMessage.Builder sip(SipMessage sip) {
        EventsProto.SipMessage.Builder builder = EventsProto.SipMessage.newBuilder()
                .setMessage(Fields.octets(sip.message()))
                .setCallIdHash(sip.callIdHash())
                .setSource(Fields.address(sip.source()))
                .setDestination(Fields.address(sip.destination()))
                .setTransport(transport(sip.transport()))
                .setFrame(sip.frame())
                .setCut(Fields.octets(sip.cut()))
                .setByAgent(sip.isByAgent())
                .setInterface(sip.interfaceIndex())
                .setUnknownFields(Fields.unknown(sip.unknown()));
        if (sip.ipIdentification() >= 0) {
            builder.setIpIdentification(sip.ipIdentification());
        }
        return builder;
    }

    private static EventsProto.SipMessage.Transport transport(@Nullable SipTransport transport) {
        return switch (transport) {
            case null -> EventsProto.SipMessage.Transport.TRANSPORT_UNSPECIFIED;
            case UDP -> EventsProto.SipMessage.Transport.UDP;
            case TCP -> EventsProto.SipMessage.Transport.TCP;
            case TLS -> EventsProto.SipMessage.Transport.TLS;
            case WS -> EventsProto.SipMessage.Transport.WS;
            case WSS -> EventsProto.SipMessage.Transport.WSS;
            case SCTP -> EventsProto.SipMessage.Transport.SCTP;
        };
    }

    private static EventsProto.StreamBegin.Builder begin(StreamBegin begin) {
        return EventsProto.StreamBegin.newBuilder()
                .setStream(Fields.stream(begin.stream()))
                .setSource(Fields.address(begin.source()))
                .setDestination(Fields.address(begin.destination()))
                .setSsrc((int) begin.ssrc())
                .setFirstFrame(begin.firstFrame())
                .setMode(
                        switch (begin.mode()) {
                            case FIGURES -> EventsProto.StreamBegin.Mode.FIGURES;
                            case ROWS -> EventsProto.StreamBegin.Mode.ROWS;
                            case UNSPECIFIED -> EventsProto.StreamBegin.Mode.MODE_UNSPECIFIED;
                        })
                .setUnknownFields(Fields.unknown(begin.unknown()));
    }

    private static EventsProto.StreamEnd.Builder end(StreamEnd end) {
        return EventsProto.StreamEnd.newBuilder()
                .setStream(Fields.stream(end.stream()))
                .setWhy(
                        switch (end.why()) {
                            case SILENT -> EventsProto.StreamEnd.Why.SILENT;
                            case REPLACED -> EventsProto.StreamEnd.Why.REPLACED;
                            case EVICTED -> EventsProto.StreamEnd.Why.EVICTED;
                            case PROBE_STOPPED -> EventsProto.StreamEnd.Why.PROBE_STOPPED;
                            case UNSPECIFIED -> EventsProto.StreamEnd.Why.WHY_UNSPECIFIED;
                        })
                .setUnknownFields(Fields.unknown(end.unknown()));
    }

    private static EventsProto.IcmpError.Builder icmp(IcmpError icmp) {
        return EventsProto.IcmpError.newBuilder()
                .setFrame(icmp.frame())
                .setReporter(Fields.address(icmp.reporter()))
                .setSource(Fields.address(icmp.source()))
                .setDestination(Fields.address(icmp.destination()))
                .setCallIdHash(icmp.callIdHash())
                .setIpVersion(icmp.message().ipVersion())
                .setType(icmp.message().type())
                .setCode(icmp.message().code())
                .setBoundCallIdHash(icmp.boundCallIdHash())
                .setUnknownFields(Fields.unknown(icmp.unknown()));
    }

    private static EventsProto.Measured.Builder measured(Measured measured) {
        EventsProto.Measured.Builder builder = EventsProto.Measured.newBuilder()
                .setCallId(measured.callId())
                .setSource(Fields.address(measured.source()))
                .setDestination(Fields.address(measured.destination()))
                .setFrame(measured.frame())
                .setUnknownFields(Fields.unknown(measured.unknown()));
        if (measured.ssrc() >= 0) {
            builder.setSsrc((int) measured.ssrc());
        }
        Measured.Figures figures = measured.figures();
        if (figures.packets() >= 0) {
            builder.setPackets(figures.packets());
        }
        if (figures.lost() >= 0) {
            builder.setLost(figures.lost());
        }
        if (!Double.isNaN(figures.lossPercent())) {
            builder.setLossPercent(figures.lossPercent());
        }
        if (!Double.isNaN(figures.jitterMs())) {
            builder.setJitterMs(figures.jitterMs());
        }
        if (!Double.isNaN(figures.roundTripMs())) {
            builder.setRoundTripMs(figures.roundTripMs());
        }
        if (!Double.isNaN(figures.rFactor())) {
            builder.setRFactor(figures.rFactor());
        }
        if (!Double.isNaN(figures.mos())) {
            builder.setMos(figures.mos());
        }
        return builder;
    }

    private static EventsProto.Drops.Builder drops(Drops drops) {
        return EventsProto.Drops.newBuilder()
                .setPlace(place(drops.place()))
                .setCause(drops.cause())
                .setCount(drops.count())
                .setFromNs(drops.fromNs())
                .setUntilNs(drops.untilNs())
                .setShown(drops.isShown())
                .setPartition(drops.events().partition())
                .setIncarnation(drops.events().incarnation())
                .setFromSequence(drops.events().from())
                .setUntilSequence(drops.events().until())
                .setUnknownFields(Fields.unknown(drops.unknown()));
    }

    private static EventsProto.Drops.Place place(Drops.Place place) {
        return switch (place) {
            case INTERFACE -> EventsProto.Drops.Place.INTERFACE;
            case RING -> EventsProto.Drops.Place.RING;
            case LANE -> EventsProto.Drops.Place.LANE;
            case TABLE -> EventsProto.Drops.Place.TABLE;
            case SPOOL -> EventsProto.Drops.Place.SPOOL;
            case TCP_GAP -> EventsProto.Drops.Place.TCP_GAP;
            case UNSPECIFIED -> EventsProto.Drops.Place.PLACE_UNSPECIFIED;
        };
    }

    private static EventsProto.Fault.Builder fault(Fault fault) {
        return EventsProto.Fault.newBuilder()
                .setWhat(fault.what())
                .setWhere(fault.where())
                .setFrame(fault.frame())
                .setUnknownFields(Fields.unknown(fault.unknown()));
    }

    private static EventsProto.ClockStep.Builder clockStep(ClockStep step) {
        return EventsProto.ClockStep.newBuilder()
                .setFromNs(step.fromNs())
                .setUntilNs(step.untilNs())
                .setStreams(step.streams())
                .setUnknownFields(Fields.unknown(step.unknown()));
    }

    private static EventsProto.Heartbeat.Builder heartbeat(Heartbeat beat) {
        EventsProto.Heartbeat.Builder builder = EventsProto.Heartbeat.newBuilder()
                .setLowWatermarkNs(beat.lowWatermarkNs())
                .setSentNs(beat.sentNs())
                .setFrames(beat.capture().frames())
                .setUdpUnknown(beat.capture().udpUnknown())
                .setRtpLike(beat.capture().rtpLike())
                .setSpoolOctets(beat.spoolOctets())
                .setVersion(beat.about().version())
                .setSite(beat.about().site())
                .setPacketsUrl(beat.about().packetsUrl())
                .setUnknownFields(Fields.unknown(beat.unknown()));
        beat.spoolOldestNs().ifPresent(builder::setSpoolOldestNs);
        beat.clock().offsetNs().ifPresent(builder::setClockOffsetNs);
        beat.clock().errorNs().ifPresent(builder::setClockErrorNs);
        return builder;
    }
}
