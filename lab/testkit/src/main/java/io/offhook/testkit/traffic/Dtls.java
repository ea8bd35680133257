package io.offhook.testkit.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes the records of a DTLS 1.2 handshake (RFC 6347) as DTLS-SRTP has it (RFC 5764), without any real keys. */
final class Dtls {
    private static final int HANDSHAKE = 22;
    private static final int CHANGE_CIPHER_SPEC = 20;

    private Dtls() {}

    /** The client's and the server's datagrams, by turns, the client's first. */
    static List<byte[]> handshake(Random random) {
        byte[] clientRandom = bytes(random, 32);
        byte[] cookie = bytes(random, 16);
        List<byte[]> datagrams = new ArrayList<>();
        datagrams.add(record(HANDSHAKE, 0, 0, message(1, 0, clientHello(clientRandom, new byte[0]))));
        byte[] verify = new Octets().u16(0xfefd).u8(cookie.length).bytes(cookie).toArray();
        datagrams.add(record(HANDSHAKE, 0, 0, message(3, 0, verify)));
        datagrams.add(record(HANDSHAKE, 0, 1, message(1, 1, clientHello(clientRandom, cookie))));
        datagrams.add(new Octets()
                .bytes(record(HANDSHAKE, 0, 1, message(2, 1, serverHello(bytes(random, 32)))))
                .bytes(record(HANDSHAKE, 0, 2, message(14, 2, new byte[0])))
                .toArray());
        datagrams.add(finish(random, 2));
        datagrams.add(finish(random, 3));
        return datagrams;
    }

    private static byte[] finish(Random random, int sequence) {
        return new Octets()
                .bytes(record(CHANGE_CIPHER_SPEC, 0, sequence, new byte[] {1}))
                .bytes(record(HANDSHAKE, 1, 0, bytes(random, 48)))
                .toArray();
    }

    private static byte[] clientHello(byte[] random, byte[] cookie) {
        byte[] extensions = new Octets()
                .u16(14) // use_srtp
                .u16(5)
                .u16(2)
                .u16(1) // SRTP_AES128_CM_HMAC_SHA1_80
                .u8(0)
                .toArray();
        return new Octets()
                .u16(0xfefd)
                .bytes(random)
                .u8(0)
                .u8(cookie.length)
                .bytes(cookie)
                .u16(2)
                .u16(0xc02b) // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
                .u8(1)
                .u8(0)
                .u16(extensions.length)
                .bytes(extensions)
                .toArray();
    }

    private static byte[] serverHello(byte[] random) {
        return new Octets()
                .u16(0xfefd)
                .bytes(random)
                .u8(0)
                .u16(0xc02b)
                .u8(0)
                .u16(9)
                .u16(14)
                .u16(5)
                .u16(2)
                .u16(1)
                .u8(0)
                .toArray();
    }

    private static byte[] message(int type, int sequence, byte[] body) {
        return new Octets()
                .u8(type)
                .u24(body.length)
                .u16(sequence)
                .u24(0)
                .u24(body.length)
                .bytes(body)
                .toArray();
    }

    private static byte[] record(int type, int epoch, int sequence, byte[] body) {
        return new Octets()
                .u8(type)
                .u16(0xfefd)
                .u16(epoch)
                .zeros(4)
                .u16(sequence)
                .u16(body.length)
                .bytes(body)
                .toArray();
    }

    private static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
