package io.offhook.cluster.codec;

import com.google.protobuf.UnknownFieldSet;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.OtherBody;
import io.offhook.cluster.proto.EventsProto;

/** Writes events as docs/EVENTS.md describes them. Fields that a record holds without knowing them are written, too. */
public final class EventWriter {
    private EventWriter() {}

    /**
     * An event as octets.
     *
     * @return at most {@value Limits#EVENT}
     * @throws IllegalArgumentException if they were more, or if its unknown fields are no protobuf; neither can be the case
     *     for an event that {@link EventReader} has read
     */
    public static byte[] write(Event event) {
        EventOrigin origin = event.origin();
        EventsProto.Event.Builder builder = EventsProto.Event.newBuilder()
                .setSchema(event.schema())
                .setProbe(origin.probe())
                .setIncarnation(origin.incarnation())
                .setSequence(origin.sequence())
                .setAtNs(event.atNs())
                .setKey(event.key())
                .setPartition(origin.partition())
                .setUnknownFields(Fields.unknown(event.unknown()));
        if (event.body() instanceof OtherBody other) {
            UnknownFieldSet body = UnknownFieldSet.newBuilder()
                    .addField(
                            other.number(),
                            UnknownFieldSet.Field.newBuilder()
                                    .addLengthDelimited(Fields.octets(other.content()))
                                    .build())
                    .build();
            builder.mergeUnknownFields(body);
        } else {
            BodyWriter.write(event.body(), builder);
        }
        byte[] octets = builder.build().toByteArray();
        if (octets.length > Limits.EVENT) {
            throw new IllegalArgumentException(
                    "an event of " + octets.length + " octets is longer than " + Limits.EVENT);
        }
        return octets;
    }
}
