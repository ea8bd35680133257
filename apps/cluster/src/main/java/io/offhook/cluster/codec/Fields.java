package io.offhook.cluster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnsafeByteOperations;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.proto.EventsProto;
import io.offhook.packet.Endpoint;
import java.nio.ByteBuffer;

/** What several bodies consist of. */
final class Fields {
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;

    private Fields() {}

    static Octets octets(ByteString octets) {
        return octets.isEmpty() ? Octets.EMPTY : Octets.of(octets.toByteArray());
    }

    static ByteString octets(Octets octets) {
        return octets.isEmpty() ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(octets.toArray());
    }

    static Octets octets(UnknownFieldSet fields) {
        return fields.isEmpty() ? Octets.EMPTY : Octets.of(fields.toByteArray());
    }

    /** Unknown fields, and with them the value of an enum that this release does not know: it is written where it was. */
    static Octets octets(UnknownFieldSet fields, int number, int unknownValue) {
        return octets(UnknownFieldSet.newBuilder(fields)
                .mergeVarintField(number, unknownValue)
                .build());
    }

    static UnknownFieldSet unknown(Octets octets) {
        if (octets.isEmpty()) {
            return UnknownFieldSet.getDefaultInstance();
        }
        try {
            return UnknownFieldSet.parseFrom(octets.toArray());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("unknown fields are no protobuf: " + e.getMessage(), e);
        }
    }

    static StreamId stream(EventsProto.StreamId stream) {
        return new StreamId(stream.getHash(), stream.getOrdinal());
    }

    static EventsProto.StreamId stream(StreamId stream) {
        return EventsProto.StreamId.newBuilder()
                .setHash(stream.hash())
                .setOrdinal(stream.ordinal())
                .build();
    }

    /** A count or size of 32 bits, which is never negative. */
    static int count(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("a count is more than " + Integer.MAX_VALUE);
        }
        return value;
    }

    /** A count or duration of 64 bits, which is never negative. */
    static long count(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a count is more than " + Long.MAX_VALUE);
        }
        return value;
    }

    static void atMost(int size, int most, String what) {
        if (size > most) {
            throw new IllegalArgumentException(size + " " + what + " are more than " + most);
        }
    }

    static Endpoint endpoint(String field, EventsProto.Address address) {
        ByteString ip = address.getIp();
        if (ip.size() == IPV4) {
            return Endpoint.ofIpv4(ip.asReadOnlyByteBuffer().getInt(), address.getPort());
        }
        if (ip.size() == IPV6) {
            ByteBuffer octets = ip.asReadOnlyByteBuffer();
            return new Endpoint(octets.getLong(), octets.getLong(), address.getPort());
        }
        throw new IllegalArgumentException(field + " has an address of " + ip.size() + " octets, not 4 or 16");
    }

    static EventsProto.Address address(Endpoint endpoint) {
        ByteBuffer octets = endpoint.isIpv4()
                ? ByteBuffer.allocate(IPV4).putInt((int) endpoint.low())
                : ByteBuffer.allocate(IPV6).putLong(endpoint.high()).putLong(endpoint.low());
        return EventsProto.Address.newBuilder()
                .setIp(UnsafeByteOperations.unsafeWrap(octets.flip()))
                .setPort(endpoint.port())
                .build();
    }
}
