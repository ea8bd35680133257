package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.proto.EventsProto;
import java.util.ArrayList;
import java.util.List;

/** Messages in which each field that the schema has is set, to values that are allowed and differ from each other. */
final class FullMessages {
    private int next = 10;

    private FullMessages() {}

    /** An event with each body, and each field of it. */
    static List<EventsProto.Event> events() {
        List<EventsProto.Event> events = new ArrayList<>();
        Descriptor type = EventsProto.Event.getDescriptor();
        for (FieldDescriptor body : type.getOneofs().getFirst().getFields()) {
            FullMessages filler = new FullMessages();
            EventsProto.Event.Builder event = EventsProto.Event.newBuilder();
            type.getFields().stream()
                    .filter(field -> field.getContainingOneof() == null)
                    .forEach(field -> filler.fill(event, field));
            filler.fill(event, body);
            events.add(event.setProbe("probe-1." + body.getName())
                    .setSchema(Event.SCHEMA)
                    .setSequence(body.getNumber())
                    .build());
        }
        return events;
    }

    private void fill(Message.Builder message, FieldDescriptor field) {
        if (field.isRepeated()) {
            message.addRepeatedField(field, value(message, field));
            message.addRepeatedField(field, value(message, field));
        } else {
            message.setField(field, value(message, field));
        }
    }

    private Object value(Message.Builder message, FieldDescriptor field) {
        next++;
        return switch (field.getJavaType()) {
            case INT ->
                switch (field.getName()) {
                    case "ip_version" -> 6;
                    case "index" -> next % 8;
                    case "payload_type", "pace_payload_type" -> next % 128;
                    default -> next;
                };
            case LONG ->
                field.getType() == FieldDescriptor.Type.SFIXED64 ? 1_790_000_000_000_000_000L + next : (long) next;
            case FLOAT -> next + 0.25f;
            case DOUBLE -> next + 0.1;
            case BOOLEAN -> true;
            case STRING -> field.getName() + " \u00e9" + next;
            case BYTE_STRING ->
                ByteString.copyFrom(new byte[] {(byte) next, (byte) 200, (byte) field.getNumber(), (byte) 0});
            case ENUM -> field.getEnumType().getValues().getLast();
            case MESSAGE -> {
                Message.Builder inner = message.newBuilderForField(field);
                inner.getDescriptorForType().getFields().forEach(each -> fill(inner, each));
                yield inner.build();
            }
        };
    }
}
