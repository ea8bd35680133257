package io.offhook.flow.table;

import io.offhook.flow.state.Require;
import io.offhook.packet.Endpoint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Community ID, version 1 (github.com/corelight/community-id-spec): an identifier of a flow that Zeek, Suricata,
 * Wireshark and others compute identically, so that their records can be joined. It is {@code "1:"} and the Base64 form
 * of a SHA-1 over seed, addresses, protocol and ports in network byte order, the lower endpoint first. Ports are
 * omitted for protocols that have none. VLANs and tunnels are not part of it.
 */
public final class CommunityId {
    private CommunityId() {}

    /**
     * The Community ID of a flow, equal for both directions.
     *
     * @param seed 0 to 65535; sites use different seeds to keep their identifiers apart, 0 is the default
     */
    public static String of(FlowKey key, int seed) {
        Require.inRange("seed", seed, 0, 0xffff);
        boolean isInOrder = key.isOneWay() || isInOrder(key.source(), key.destination());
        Endpoint low = isInOrder ? key.source() : key.destination();
        Endpoint high = isInOrder ? key.destination() : key.source();
        ByteBuffer hashed = ByteBuffer.allocate(40);
        hashed.putShort((short) seed);
        put(hashed, low, key.version());
        put(hashed, high, key.version());
        hashed.put((byte) key.protocol()).put((byte) 0);
        if (key.hasPorts() && isHashed(key.protocol())) {
            hashed.putShort((short) low.port()).putShort((short) high.port());
        }
        return "1:" + Base64.getEncoder().encodeToString(sha1(hashed.flip()));
    }

    private static boolean isInOrder(Endpoint source, Endpoint destination) {
        int order = Long.compareUnsigned(source.high(), destination.high());
        if (order == 0) {
            order = Long.compareUnsigned(source.low(), destination.low());
        }
        return order < 0 || order == 0 && source.port() < destination.port();
    }

    /** Whether the ports of the protocol are hashed: ICMP, TCP, UDP, ICMPv6, SCTP. */
    private static boolean isHashed(int protocol) {
        return switch (protocol) {
            case 1, 6, 17, 58, 132 -> true;
            default -> false;
        };
    }

    private static void put(ByteBuffer to, Endpoint endpoint, int version) {
        if (version == 4) {
            to.putInt((int) endpoint.low());
        } else {
            to.putLong(endpoint.high()).putLong(endpoint.low());
        }
    }

    private static byte[] sha1(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            digest.update(bytes);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-1", e);
        }
    }
}
