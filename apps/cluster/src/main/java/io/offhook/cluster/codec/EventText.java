package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.packet.Endpoint;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Events as text, to be looked at: JSON with the names of the schema, of fields that are there. Addresses are text, hashes and
 * other numbers of 64 bits without meaning are hexadecimal, messages are text with each octet as a character (ISO 8859-1), and
 * other octets hexadecimal.
 */
public final class EventText {
    private EventText() {}

    /** One line, without its end. */
    public static String json(Event event) {
        Message message;
        try {
            message = EventsProto.Event.parseFrom(EventWriter.write(event));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an event that was just written cannot be read", e);
        }
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (JsonFields json = new JsonFields(octets, TimeForm.EPOCH)) {
            json.object();
            fields(json, message);
            json.end();
        }
        return octets.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static void fields(JsonFields json, Message message) {
        message.getAllFields().forEach((field, value) -> {
            if (value instanceof List<?> list) {
                json.array(field.getJsonName());
                list.forEach(each -> element(json, field, each));
                json.end();
            } else if (value instanceof EventsProto.Address address) {
                json.field(field.getJsonName(), address(address));
            } else if (value instanceof Message inner) {
                json.object(field.getJsonName());
                fields(json, inner);
                json.end();
            } else {
                scalar(json, field, value);
            }
        });
    }

    private static void element(JsonFields json, FieldDescriptor field, Object value) {
        if (value instanceof Message inner) {
            json.object();
            fields(json, inner);
            json.end();
        } else if (field.getType() == FieldDescriptor.Type.FIXED64) {
            json.element(text(field, value));
        } else {
            json.element(((Number) value).doubleValue(), 0);
        }
    }

    private static void scalar(JsonFields json, FieldDescriptor field, Object value) {
        String name = field.getJsonName();
        switch (field.getType()) {
            case BOOL -> json.field(name, (Boolean) value);
            case DOUBLE, FLOAT -> json.number(name, decimal(((Number) value).doubleValue()));
            case FIXED32 -> json.field(name, Integer.toUnsignedLong((Integer) value));
            case STRING, BYTES, ENUM, FIXED64 -> json.field(name, text(field, value));
            default -> json.field(name, ((Number) value).longValue());
        }
    }

    /** JSON has no infinite numbers. */
    private static String decimal(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    private static String text(FieldDescriptor field, Object value) {
        return switch (value) {
            case Long number -> HexFormat.of().toHexDigits(number);
            case EnumValueDescriptor constant -> constant.getName();
            case ByteString octets ->
                field.getContainingType() == EventsProto.SipMessage.getDescriptor()
                        ? octets.toString(StandardCharsets.ISO_8859_1)
                        : HexFormat.of().formatHex(octets.toByteArray());
            default -> value.toString();
        };
    }

    private static String address(EventsProto.Address address) {
        Endpoint endpoint = Fields.endpoint("address", address);
        return endpoint.toString();
    }
}
