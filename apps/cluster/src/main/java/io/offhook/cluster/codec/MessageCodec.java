package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.offhook.calls.binding.BestCall;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.calls.binding.Taking;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.Candidate;
import io.offhook.cluster.message.Candidates;
import io.offhook.cluster.message.Namings;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamName;
import io.offhook.cluster.message.StreamSpan;
import io.offhook.cluster.message.Takings;
import io.offhook.cluster.proto.OperatorsProto;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads what operators send and keep, as {@code operators.proto} describes it. */
public final class MessageCodec {
    /** The release of the schema that this code knows. */
    public static final int SCHEMA = 1;

    private MessageCodec() {}

    /** A message as octets. */
    public static byte[] write(OperatorMessage message) {
        OperatorsProto.Message.Builder builder =
                OperatorsProto.Message.newBuilder().setSchema(SCHEMA);
        switch (message) {
            case SeenEvent seen -> builder.setEvent(event(seen.event()));
            case Namings namings -> builder.setNamings(namings(namings));
            case StreamSpan span -> builder.setSpan(span(span));
            case Candidates candidates -> builder.setCandidates(candidates(candidates));
            case Takings takings -> builder.setTakings(takings(takings));
            case BoundStream bound -> builder.setBound(bound(bound));
        }
        return builder.build().toByteArray();
    }

    /**
     * Octets as a message.
     *
     * @throws IllegalArgumentException if they are none
     */
    public static OperatorMessage read(byte[] octets) {
        try {
            OperatorsProto.Message message = OperatorsProto.Message.parseFrom(octets);
            return switch (message.getBodyCase()) {
                case EVENT -> new SeenEvent(event(message.getEvent()));
                case NAMINGS -> namings(message.getNamings());
                case SPAN -> span(message.getSpan());
                case CANDIDATES -> candidates(message.getCandidates());
                case TAKINGS -> takings(message.getTakings());
                case BOUND -> bound(message.getBound());
                case BODY_NOT_SET -> throw new IllegalArgumentException("the message has no body that is known here");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a message of an operator is no protobuf: " + e.getMessage(), e);
        }
    }

    private static ByteString event(Event event) {
        return UnsafeByteOperations.unsafeWrap(EventWriter.write(event));
    }

    private static Event event(ByteString octets) {
        EventReader reader = new EventReader();
        EventStatus status = reader.read(octets.toByteArray());
        if (!status.isEvent()) {
            throw new IllegalArgumentException("a kept event is none: " + reader.reason());
        }
        return reader.event();
    }

    private static OperatorsProto.NamedCall.Builder call(NamedCall call) {
        OperatorsProto.NamedCall.Builder builder = OperatorsProto.NamedCall.newBuilder()
                .setCallIdHash(call.callIdHash())
                .setFirstFrame(call.firstFrame())
                .setFirstSeenNs(call.firstSeenNs());
        if (call.answeredNs() != NamedCall.NEVER) {
            builder.setAnsweredNs(call.answeredNs());
        }
        if (call.endNs() != NamedCall.NEVER) {
            builder.setEndNs(call.endNs());
        }
        if (call.takenOverNs() != NamedCall.NEVER) {
            builder.setTakenOverNs(call.takenOverNs());
        }
        return builder;
    }

    private static NamedCall call(OperatorsProto.NamedCall call) {
        return new NamedCall(
                call.getCallIdHash(),
                call.getFirstFrame(),
                call.getFirstSeenNs(),
                call.hasAnsweredNs() ? call.getAnsweredNs() : NamedCall.NEVER,
                call.hasEndNs() ? call.getEndNs() : NamedCall.NEVER,
                call.hasTakenOverNs() ? call.getTakenOverNs() : NamedCall.NEVER);
    }

    private static OperatorsProto.Naming naming(Naming naming) {
        OperatorsProto.Naming.Builder builder = OperatorsProto.Naming.newBuilder()
                .setCall(call(naming.call()))
                .setOfCaller(naming.ofCaller())
                .setEndpoint(Fields.address(naming.endpoint()))
                .setFromNs(naming.fromNs())
                .setFrame(naming.frame());
        if (naming.rtcp() != null) {
            builder.setRtcp(Fields.address(naming.rtcp()));
        }
        return builder.build();
    }

    private static Naming naming(OperatorsProto.Naming naming) {
        return new Naming(
                call(naming.getCall()),
                naming.getOfCaller(),
                Fields.endpoint("endpoint", naming.getEndpoint()),
                naming.hasRtcp() ? Fields.endpoint("rtcp", naming.getRtcp()) : null,
                naming.getFromNs(),
                naming.getFrame());
    }

    private static OperatorsProto.Namings.Builder namings(Namings namings) {
        OperatorsProto.Namings.Builder builder = OperatorsProto.Namings.newBuilder()
                .setEndpoint(Fields.address(namings.endpoint()))
                .setCallIdHash(namings.callIdHash());
        if (namings.forgottenNs() != Long.MAX_VALUE) {
            builder.setForgottenNs(namings.forgottenNs());
        }
        namings.namings().forEach(naming -> builder.addNamings(naming(naming)));
        return builder;
    }

    private static Namings namings(OperatorsProto.Namings namings) {
        List<Naming> read = new ArrayList<>(namings.getNamingsCount());
        namings.getNamingsList().forEach(naming -> read.add(naming(naming)));
        return new Namings(
                Fields.endpoint("endpoint", namings.getEndpoint()),
                namings.getCallIdHash(),
                read,
                namings.hasForgottenNs() ? namings.getForgottenNs() : Long.MAX_VALUE);
    }

    private static OperatorsProto.StreamName name(StreamName name) {
        return OperatorsProto.StreamName.newBuilder()
                .setProbe(name.probe())
                .setIncarnation(name.incarnation())
                .setStream(Fields.stream(name.stream()))
                .build();
    }

    private static StreamName name(OperatorsProto.StreamName name) {
        return new StreamName(name.getProbe(), name.getIncarnation(), Fields.stream(name.getStream()));
    }

    private static OperatorsProto.End end(BestCall.End end) {
        return switch (end) {
            case SOURCE -> OperatorsProto.End.SOURCE;
            case DESTINATION -> OperatorsProto.End.DESTINATION;
        };
    }

    private static BestCall.End end(OperatorsProto.End end) {
        return switch (end) {
            case SOURCE -> BestCall.End.SOURCE;
            case DESTINATION -> BestCall.End.DESTINATION;
            case END_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("an end that is not known here: " + end);
        };
    }

    private static OperatorsProto.StreamSpan.Builder span(StreamSpan span) {
        OperatorsProto.StreamSpan.Builder builder = OperatorsProto.StreamSpan.newBuilder()
                .setStream(name(span.stream()))
                .setEndpoint(Fields.address(span.endpoint()))
                .setEnd(end(span.end()))
                .setFirstNs(span.firstNs());
        if (span.forgottenNs() != Long.MAX_VALUE) {
            builder.setForgottenNs(span.forgottenNs());
        }
        if (span.lastNs() != Long.MAX_VALUE) {
            builder.setLastNs(span.lastNs());
        }
        return builder;
    }

    private static StreamSpan span(OperatorsProto.StreamSpan span) {
        return new StreamSpan(
                name(span.getStream()),
                Fields.endpoint("endpoint", span.getEndpoint()),
                end(span.getEnd()),
                span.getFirstNs(),
                span.hasLastNs() ? span.getLastNs() : Long.MAX_VALUE,
                span.hasForgottenNs() ? span.getForgottenNs() : Long.MAX_VALUE);
    }

    private static OperatorsProto.Taking taking(Taking taking) {
        return OperatorsProto.Taking.newBuilder()
                .setOfCaller(taking.ofCaller())
                .setBy(taking.by())
                .setFirstSeenNs(taking.firstSeenNs())
                .setFromNs(taking.fromNs())
                .build();
    }

    private static List<Taking> takings(List<OperatorsProto.Taking> takings) {
        List<Taking> read = new ArrayList<>(takings.size());
        takings.forEach(taking -> read.add(
                new Taking(taking.getOfCaller(), taking.getBy(), taking.getFirstSeenNs(), taking.getFromNs())));
        return read;
    }

    private static OperatorsProto.Candidates.Builder candidates(Candidates candidates) {
        OperatorsProto.Candidates.Builder builder = OperatorsProto.Candidates.newBuilder()
                .setStream(name(candidates.stream()))
                .setEnd(end(candidates.end()));
        for (Candidate candidate : candidates.candidates()) {
            OperatorsProto.Candidate.Builder one =
                    OperatorsProto.Candidate.newBuilder().setNaming(naming(candidate.naming()));
            candidate.takings().forEach(taking -> one.addTakings(taking(taking)));
            builder.addCandidates(one);
        }
        return builder;
    }

    private static Candidates candidates(OperatorsProto.Candidates candidates) {
        List<Candidate> read = new ArrayList<>(candidates.getCandidatesCount());
        candidates
                .getCandidatesList()
                .forEach(one -> read.add(new Candidate(naming(one.getNaming()), takings(one.getTakingsList()))));
        return new Candidates(name(candidates.getStream()), end(candidates.getEnd()), read);
    }

    private static OperatorsProto.Takings.Builder takings(Takings takings) {
        OperatorsProto.Takings.Builder builder = OperatorsProto.Takings.newBuilder()
                .setCallIdHash(takings.callIdHash())
                .setEndpoint(Fields.address(takings.endpoint()));
        takings.takings().forEach(taking -> builder.addTakings(taking(taking)));
        return builder;
    }

    private static Takings takings(OperatorsProto.Takings takings) {
        return new Takings(
                takings.getCallIdHash(),
                Fields.endpoint("endpoint", takings.getEndpoint()),
                takings(takings.getTakingsList()));
    }

    private static OperatorsProto.BoundStream.Builder bound(BoundStream bound) {
        OperatorsProto.BoundStream.Builder builder = OperatorsProto.BoundStream.newBuilder()
                .setCallIdHash(bound.callIdHash())
                .setStream(name(bound.stream()));
        Event begin = bound.begin();
        Event interval = bound.interval();
        if (begin != null && interval != null) {
            builder.setBegin(event(begin)).setInterval(event(interval));
        }
        return builder;
    }

    private static BoundStream bound(OperatorsProto.BoundStream bound) {
        boolean isWhole = !bound.getBegin().isEmpty() && !bound.getInterval().isEmpty();
        return new BoundStream(
                bound.getCallIdHash(),
                name(bound.getStream()),
                isWhole ? event(bound.getBegin()) : null,
                isWhole ? event(bound.getInterval()) : null);
    }
}
