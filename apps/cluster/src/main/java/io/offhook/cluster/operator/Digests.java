package io.offhook.cluster.operator;

import io.offhook.cluster.codec.MessageCodec;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.packet.Endpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What was sent last to each receiver, as 8 octets: the same is not sent again. */
final class Digests {
    private static final long PRIME = 0x100_0000_01b3L;
    private static final long BASIS = 0xcbf2_9ce4_8422_2325L;

    private Digests() {}

    /** Whether a message differs from the last one to a receiver, which it is from now on. */
    static boolean isNew(Keep keep, String name, String receiver, OperatorMessage message) {
        long digest = of(MessageCodec.write(message));
        byte[] known = keep.entry(name, receiver);
        if (known != null && ByteBuffer.wrap(known).getLong() == digest) {
            return false;
        }
        keep.put(name, receiver, ByteBuffer.allocate(Long.BYTES).putLong(digest).array());
        return true;
    }

    /** FNV-1a (RFC 9923, 2), 64 bits. */
    private static long of(byte[] octets) {
        long hash = BASIS;
        for (byte octet : octets) {
            hash = (hash ^ octet & 0xff) * PRIME;
        }
        return hash;
    }

    /** The receivers, where these are endpoints. */
    static List<Endpoint> endpoints(Keep keep, String name) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String text : keep.map(name).keySet()) {
            Endpoint endpoint = Endpoint.parse(text);
            if (endpoint != null) {
                endpoints.add(endpoint);
            }
        }
        return endpoints;
    }
}
