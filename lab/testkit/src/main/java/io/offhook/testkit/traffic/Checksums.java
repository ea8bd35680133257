package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;

/** The Internet checksum (RFC 1071) and the pseudo headers that go under it (RFC 768, RFC 8200 section 8.1). */
final class Checksums {
    private Checksums() {}

    /** The value for the checksum field of {@code bytes}, in which that field is still zero. */
    static int internet(byte[] bytes, int offset, int length) {
        return fold(sum(bytes, offset, length));
    }

    /** The value for the checksum field of a UDP, TCP or ICMPv6 message, in which that field is still zero. */
    static int transport(Endpoint source, Endpoint destination, int protocol, byte[] message) {
        long sum = sum(message, 0, message.length) + message.length + protocol;
        byte[] addresses = Addresses.bytes(source, destination);
        return fold(sum + sum(addresses, 0, addresses.length));
    }

    private static long sum(byte[] bytes, int offset, int length) {
        long sum = 0;
        int end = offset + length;
        for (int i = offset; i + 1 < end; i += 2) {
            sum += (bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff;
        }
        return (length & 1) == 0 ? sum : sum + ((bytes[end - 1] & 0xff) << 8);
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) ~folded & 0xffff;
    }
}
