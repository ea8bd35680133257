package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WireFormat;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.OtherBody;
import io.offhook.cluster.proto.EventsProto;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of docs/EVENTS.md, one after the other, and counts what it cannot read. What comes from a network never makes
 * it throw. Bodies that it has no record of stay as they are; fields that it does not know take some tens of times their octets
 * while they are read, and their octets afterwards. Not for several threads at a time.
 */
public final class EventReader {
    private static final int LENGTH_DELIMITED = WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int SCHEMA = tag(EventsProto.Event.SCHEMA_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);
    private static final int PROBE = tag(EventsProto.Event.PROBE_FIELD_NUMBER, LENGTH_DELIMITED);
    private static final int INCARNATION = tag(EventsProto.Event.INCARNATION_FIELD_NUMBER, WireFormat.WIRETYPE_FIXED64);
    private static final int SEQUENCE = tag(EventsProto.Event.SEQUENCE_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);
    private static final int AT_NS = tag(EventsProto.Event.AT_NS_FIELD_NUMBER, WireFormat.WIRETYPE_FIXED64);
    private static final int KEY = tag(EventsProto.Event.KEY_FIELD_NUMBER, WireFormat.WIRETYPE_FIXED64);
    private static final int PARTITION = tag(EventsProto.Event.PARTITION_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);

    private final Map<EventStatus, Long> counts = new EnumMap<>(EventStatus.class);
    private @Nullable Event event;
    private String reason = "";

    // the envelope while it is read
    private int schema;
    private String probe = "";
    private long incarnation;
    private long sequence;
    private long atNs;
    private long key;
    private int partition;
    private int bodyNumber;
    private ByteString bodyContent = ByteString.EMPTY;

    /** All counts are 0. */
    public EventReader() {}

    private static int tag(int number, int type) {
        return number << 3 | type;
    }

    /** Reads an event that an array consists of. */
    public EventStatus read(byte[] octets) {
        return read(octets, 0, octets.length);
    }

    /**
     * Reads an event; the array may be used again afterwards.
     *
     * @param offset of its first octet
     * @param length its octets
     * @throws IndexOutOfBoundsException if the array does not have them
     */
    public EventStatus read(byte[] octets, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, octets.length);
        event = null;
        reason = "";
        EventStatus status = length > Limits.EVENT
                ? failed(EventStatus.TOO_LONG, length + " octets are more than " + Limits.EVENT)
                : parse(CodedInputStream.newInstance(octets, offset, length));
        counts.merge(status, 1L, Long::sum);
        return status;
    }

    private EventStatus failed(EventStatus status, @Nullable String why) {
        event = null;
        reason = why == null ? status.name() : why;
        return status;
    }

    private EventStatus parse(CodedInputStream in) {
        try {
            Event read = envelope(in);
            event = read;
            return read.body() instanceof OtherBody ? EventStatus.UNKNOWN_BODY : EventStatus.OK;
        } catch (InvalidProtocolBufferException e) {
            return failed(EventStatus.BROKEN, e.getMessage());
        } catch (IllegalArgumentException e) {
            // the ranges are stated once, by the records
            return failed(EventStatus.OUT_OF_RANGE, e.getMessage());
        } catch (IOException e) {
            return failed(EventStatus.BROKEN, e.getMessage());
        }
    }

    private Event envelope(CodedInputStream in) throws IOException {
        clear();
        UnknownFieldSet.Builder unknown = UnknownFieldSet.newBuilder();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(tag);
            if (number >= OtherBody.LEAST && number <= OtherBody.MOST) {
                body(in, tag, number);
            } else if (!isKnown(in, tag) && !unknown.mergeFieldFrom(tag, in)) {
                throw new InvalidProtocolBufferException("a group ends that did not begin");
            }
        }
        if (bodyNumber == 0) {
            throw new IllegalArgumentException("there is no body");
        }
        EventOrigin origin = new EventOrigin(probe, incarnation, partition, sequence);
        EventBody body = BodyReader.read(bodyNumber, bodyContent);
        return new Event(schema, origin, atNs, key, body, Fields.octets(unknown.build()));
    }

    private void clear() {
        schema = 0;
        probe = "";
        incarnation = 0;
        sequence = 0;
        atNs = 0;
        key = 0;
        partition = 0;
        bodyNumber = 0;
        bodyContent = ByteString.EMPTY;
    }

    private boolean isKnown(CodedInputStream in, int tag) throws IOException {
        if (tag == SCHEMA) {
            schema = in.readUInt32();
        } else if (tag == PROBE) {
            probe = in.readStringRequireUtf8();
        } else if (tag == INCARNATION) {
            incarnation = in.readFixed64();
        } else if (tag == SEQUENCE) {
            sequence = in.readUInt64();
        } else if (tag == AT_NS) {
            atNs = in.readSFixed64();
        } else if (tag == KEY) {
            key = in.readFixed64();
        } else if (tag == PARTITION) {
            partition = in.readUInt32();
        } else {
            return false;
        }
        return true;
    }

    /** Parts of one message that come one after the other are one message (protobuf, "last one wins" and merging). */
    private void body(CodedInputStream in, int tag, int number) throws IOException {
        if (WireFormat.getTagWireType(tag) != LENGTH_DELIMITED) {
            throw new IllegalArgumentException("body " + number + " is no message");
        }
        if (bodyNumber != 0 && bodyNumber != number) {
            throw new IllegalArgumentException("there are two bodies, " + bodyNumber + " and " + number);
        }
        bodyNumber = number;
        bodyContent = bodyContent.concat(in.readBytes());
    }

    /**
     * The event that was read.
     *
     * @throws IllegalStateException if the last octets were none
     */
    public Event event() {
        if (event == null) {
            throw new IllegalStateException("the last octets are no event: " + reason);
        }
        return event;
    }

    /** Why the last octets are no event; empty if they are one. */
    public String reason() {
        return reason;
    }

    /** How many octets ended with a status so far. */
    public long count(EventStatus status) {
        return counts.getOrDefault(status, 0L);
    }
}
