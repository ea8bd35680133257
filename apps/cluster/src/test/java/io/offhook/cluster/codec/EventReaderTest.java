package io.offhook.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.OtherBody;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventReaderTest {
    private final EventReader reader = new EventReader();

    private static EventsProto.Event sip() {
        return FullMessages.events().getFirst();
    }

    private static EventsProto.Event changed(Consumer<EventsProto.Event.Builder> change) {
        EventsProto.Event.Builder builder = sip().toBuilder();
        change.accept(builder);
        return builder.build();
    }

    private Event read(EventsProto.Event event) {
        EventStatus status = reader.read(event.toByteArray());
        assertThat(status.isEvent()).as(reader.reason()).isTrue();
        return reader.event();
    }

    /** What passes an event on: read, and written again. */
    private void assertPassedOn(EventsProto.Event event) throws InvalidProtocolBufferException {
        assertThat(EventsProto.Event.parseFrom(EventWriter.write(read(event)))).isEqualTo(event);
    }

    @Test
    void everyFieldOfEveryBodyIsReadAndWritten() throws InvalidProtocolBufferException {
        for (EventsProto.Event event : FullMessages.events()) {
            assertPassedOn(event);
        }
        // rows of streams have no record yet
        assertThat(reader.count(EventStatus.OK)).isEqualTo(11);
        assertThat(reader.count(EventStatus.UNKNOWN_BODY)).isEqualTo(1);
    }

    @Test
    void aSipMessageHasItsValues() {
        EventsProto.SipMessage.Builder sip = EventsProto.SipMessage.newBuilder()
                .setMessage(ByteString.copyFromUtf8("OPTIONS sip:a SIP/2.0\r\n"))
                .setCallIdHash(-5)
                .setSource(EventsProto.Address.newBuilder()
                        .setIp(ByteString.copyFrom(new byte[] {(byte) 192, 0, 2, 1}))
                        .setPort(5060))
                .setDestination(EventsProto.Address.newBuilder()
                        .setIp(ByteString.copyFrom(
                                new byte[] {0x20, 1, 0xd, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}))
                        .setPort(65_535))
                .setTransport(EventsProto.SipMessage.Transport.WSS)
                .setFrame(7);
        Event event = read(changed(builder -> builder.setSip(sip)));
        assertThat(event.origin().probe()).isEqualTo("probe-1.sip");
        assertThat(event.body()).isInstanceOfSatisfying(SipMessage.class, read -> {
            assertThat(read.message().size()).isEqualTo(23);
            assertThat(read.callIdHash()).isEqualTo(-5);
            assertThat(read.source()).isEqualTo(Endpoint.of("192.0.2.1", 5060));
            assertThat(read.destination()).isEqualTo(Endpoint.of("2001:db8::1", 65_535));
            assertThat(read.transport()).isEqualTo(SipTransport.WSS);
            assertThat(read.ipIdentification()).as("absent").isEqualTo(-1);
            assertThat(read.frame()).isEqualTo(7);
        });
    }

    @Test
    void absentAndZeroDiffer() throws InvalidProtocolBufferException {
        assertPassedOn(changed(builder -> builder.getSipBuilder().setIpIdentification(0)));
        assertPassedOn(changed(builder -> builder.getSipBuilder().clearIpIdentification()));
        EventsProto.Measured.Builder none = EventsProto.Measured.newBuilder()
                .setSource(sip().getSip().getSource())
                .setDestination(sip().getSip().getDestination());
        assertPassedOn(changed(builder -> builder.setMeasured(none)));
        assertPassedOn(changed(builder -> builder.setMeasured(none.setSsrc(0)
                .setPackets(0)
                .setLost(0)
                .setLossPercent(0)
                .setJitterMs(0)
                .setRoundTripMs(0)
                .setRFactor(0)
                .setMos(0))));
        assertPassedOn(changed(builder -> builder.setHeartbeat(EventsProto.Heartbeat.getDefaultInstance())));
        assertPassedOn(changed(builder -> builder.setHeartbeat(EventsProto.Heartbeat.newBuilder()
                .setSpoolOldestNs(0)
                .setClockOffsetNs(-3)
                .setClockErrorNs(0))));
    }

    private static UnknownFieldSet later() {
        return UnknownFieldSet.newBuilder()
                .mergeVarintField(1000, 77)
                .mergeLengthDelimitedField(2000, ByteString.copyFromUtf8("later"))
                .build();
    }

    @Test
    void fieldsThatItDoesNotKnowArePassedOn() throws InvalidProtocolBufferException {
        for (EventsProto.Event event : FullMessages.events()) {
            EventsProto.Event.Builder later = event.toBuilder().setUnknownFields(later());
            later.getAllFields().keySet().stream()
                    .filter(field -> field.getContainingOneof() != null)
                    .forEach(body -> later.setField(
                            body,
                            ((Message) event.getField(body))
                                    .toBuilder().setUnknownFields(later()).build()));
            assertPassedOn(later.build());
        }
    }

    @Test
    void valuesOfEnumsThatItDoesNotKnowArePassedOn() throws InvalidProtocolBufferException {
        EventsProto.Event sip = changed(builder -> builder.getSipBuilder().setTransportValue(19));
        assertPassedOn(sip);
        assertThat(((SipMessage) read(sip).body()).transport()).isNull();
        EventsProto.Event drops = changed(
                builder -> builder.setDrops(EventsProto.Drops.newBuilder().setPlaceValue(300)));
        assertPassedOn(drops);
        assertThat(((Drops) read(drops).body()).place()).isEqualTo(Drops.Place.UNSPECIFIED);
    }

    @Test
    void aBodyThatItDoesNotKnowIsCountedAndPassedOn() throws InvalidProtocolBufferException {
        EventsProto.Event event = changed(builder -> builder.clearSip()
                .setUnknownFields(UnknownFieldSet.newBuilder(later())
                        .mergeLengthDelimitedField(42, ByteString.copyFromUtf8("\b\1"))
                        .build()));
        assertThat(reader.read(event.toByteArray())).isEqualTo(EventStatus.UNKNOWN_BODY);
        assertThat(reader.event().body())
                .isInstanceOfSatisfying(
                        OtherBody.class, body -> assertThat(body.number()).isEqualTo(42));
        assertThat(reader.event().origin().sequence()).as("its place counts").isEqualTo(10);
        assertPassedOn(event);
    }

    /** protobuf lets a message come in parts. */
    @Test
    void aBodyInTwoPartsIsOne() throws InvalidProtocolBufferException {
        byte[] first = changed(builder -> builder.getSipBuilder().clearFrame()).toByteArray();
        byte[] second = EventsProto.Event.newBuilder()
                .setSip(EventsProto.SipMessage.newBuilder().setFrame(99))
                .build()
                .toByteArray();
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        assertThat(reader.read(both)).isEqualTo(EventStatus.OK);
        assertThat(EventsProto.Event.parseFrom(EventWriter.write(reader.event())))
                .isEqualTo(EventsProto.Event.parseFrom(both));
    }

    static Stream<Arguments> outOfRange() {
        EventsProto.Event two = changed(builder -> builder.setUnknownFields(UnknownFieldSet.newBuilder()
                .mergeLengthDelimitedField(42, ByteString.EMPTY)
                .build()));
        EventsProto.Event noMessage = changed(builder -> builder.clearSip()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().mergeVarintField(42, 1).build()));
        return Stream.of(
                Arguments.of("there is no body", changed(EventsProto.Event.Builder::clearBody)),
                Arguments.of("there are two bodies, 10 and 42", two),
                Arguments.of("body 42 is no message", noMessage),
                Arguments.of("schema 0 is not in 1", changed(builder -> builder.setSchema(0))),
                Arguments.of("probe \"\" is not 1 to 235", changed(builder -> builder.setProbe(""))),
                Arguments.of("probe \"a/b\" is not", changed(builder -> builder.setProbe("a/b"))),
                Arguments.of("is not 1 to 235", changed(builder -> builder.setProbe("x".repeat(236)))),
                Arguments.of("incarnation 0", changed(builder -> builder.setIncarnation(0))),
                Arguments.of("sequence 0", changed(builder -> builder.setSequence(0))),
                Arguments.of("sequence -1", changed(builder -> builder.setSequence(-1))),
                Arguments.of("partition -1", changed(builder -> builder.setPartition(-1))),
                Arguments.of(
                        "message 0 is not in 1 to 900000",
                        changed(builder -> builder.getSipBuilder().clearMessage())),
                Arguments.of(
                        "cut 65536 is not in 0 to 65535",
                        changed(builder -> builder.getSipBuilder().setCut(ByteString.copyFrom(new byte[65_536])))),
                Arguments.of(
                        "source has an address of 0 octets",
                        changed(builder -> builder.getSipBuilder().clearSource())),
                Arguments.of(
                        "destination has an address of 5 octets",
                        changed(builder -> builder.getSipBuilder()
                                .getDestinationBuilder()
                                .setIp(ByteString.copyFrom(new byte[5])))),
                Arguments.of(
                        "port 65536 is not",
                        changed(builder ->
                                builder.getSipBuilder().getSourceBuilder().setPort(65_536))),
                Arguments.of(
                        "ip_identification 65536",
                        changed(builder -> builder.getSipBuilder().setIpIdentification(65_536))),
                Arguments.of(
                        "ip_identification is more than 65535",
                        changed(builder -> builder.getSipBuilder().setIpIdentification(-1))),
                Arguments.of(
                        "frame -1", changed(builder -> builder.getSipBuilder().setFrame(-1))),
                Arguments.of(
                        "interface -1",
                        changed(builder -> builder.getSipBuilder().setInterface(-1))),
                Arguments.of(
                        "where 1025 is not in 0 to 1024",
                        changed(builder ->
                                builder.setFault(EventsProto.Fault.newBuilder().setWhere("x".repeat(1025))))),
                Arguments.of(
                        "until_sequence 4 is not in 5",
                        changed(builder -> builder.setDrops(EventsProto.Drops.newBuilder()
                                .setFromSequence(5)
                                .setUntilSequence(4)))),
                Arguments.of(
                        "packets is more than",
                        changed(builder -> builder.setMeasured(EventsProto.Measured.newBuilder()
                                .setSource(sip().getSip().getSource())
                                .setDestination(sip().getSip().getDestination())
                                .setPackets(-1)))),
                Arguments.of(
                        "ip_version 5 is neither 4 nor 6",
                        changed(builder -> builder.setIcmp(FullMessages.events().get(6).getIcmp().toBuilder()
                                .setIpVersion(5)))),
                Arguments.of(
                        "type 256",
                        changed(builder -> builder.setIcmp(FullMessages.events().get(6).getIcmp().toBuilder()
                                .setType(256)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outOfRange")
    void whatIsOutOfRangeIsAStatusWithAReason(String reason, EventsProto.Event event) {
        assertThat(reader.read(event.toByteArray())).isEqualTo(EventStatus.OUT_OF_RANGE);
        assertThat(reader.reason()).contains(reason);
        assertThat(reader.count(EventStatus.OUT_OF_RANGE)).isOne();
        assertThatThrownBy(reader::event)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(reader.reason());
        assertThat(reader.read(sip().toByteArray())).as("and goes on").isEqualTo(EventStatus.OK);
    }

    @Test
    void whatIsTooLongIsNotLookedAt() {
        EventsProto.Event event = changed(builder -> builder.setUnknownFields(UnknownFieldSet.newBuilder()
                .mergeLengthDelimitedField(1000, ByteString.copyFrom(new byte[Limits.EVENT]))
                .build()));
        assertThat(reader.read(event.toByteArray())).isEqualTo(EventStatus.TOO_LONG);
        assertThat(reader.reason()).contains("more than 1000000");
        assertThat(reader.count(EventStatus.TOO_LONG)).isOne();
    }

    @Test
    void theLongestMessageFits() throws InvalidProtocolBufferException {
        assertPassedOn(changed(builder -> builder.getSipBuilder()
                .setMessage(ByteString.copyFrom(new byte[Limits.MESSAGE]))
                .setCut(ByteString.copyFrom(new byte[Limits.CUT]))));
    }

    @Test
    void everyTruncationIsAStatus() {
        for (EventsProto.Event event : FullMessages.events()) {
            byte[] whole = event.toByteArray();
            int broken = 0;
            for (int length = 0; length < whole.length; length++) {
                broken += reader.read(whole, 0, length) == EventStatus.BROKEN ? 1 : 0;
            }
            // between two fields of the envelope it is whole protobuf
            assertThat(broken).isGreaterThan(whole.length - 12);
        }
    }

    @Test
    void noOctetsMakeItThrow() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<EventsProto.Event> events = FullMessages.events();
        long read = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] octets = events.get(random.nextInt(events.size())).toByteArray();
            if (round % 4 == 0) {
                random.nextBytes(octets);
            } else {
                for (int i = 0; i <= random.nextInt(4); i++) {
                    octets[random.nextInt(octets.length)] = (byte) random.nextInt();
                }
            }
            EventStatus status = reader.read(octets);
            if (status.isEvent()) {
                byte[] passedOn = EventWriter.write(reader.event());
                assertThat(reader.read(passedOn)).as("seed " + seed).isEqualTo(status);
                assertThat(EventWriter.write(reader.event())).as("seed " + seed).isEqualTo(passedOn);
                read += 2;
            }
        }
        assertThat(read).isPositive();
        assertThat(Stream.of(EventStatus.values()).mapToLong(reader::count).sum())
                .as("seed " + seed)
                .isEqualTo(20_000 + read / 2);
    }

    @Test
    void unknownFieldsThatAreNoProtobufAreAMisuse() {
        Event event = read(sip());
        Event broken = new Event(1, event.origin(), 0, 0, event.body(), Octets.of(new byte[] {(byte) 0xff}));
        assertThatThrownBy(() -> EventWriter.write(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown fields are no protobuf");
    }
}
