package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Writes STUN binding requests and responses (RFC 8489) as ICE checks (RFC 8445) use them. */
final class Stun {
    private static final long COOKIE = 0x2112_a442L;

    private Stun() {}

    static byte[] bindingRequest(byte[] transaction, String user, String password) {
        Octets attributes = new Octets();
        attribute(attributes, 0x0006, user.getBytes(StandardCharsets.US_ASCII)); // USERNAME
        attribute(attributes, 0x0024, new Octets().u32(0x6e00_1effL).toArray()); // PRIORITY
        attribute(attributes, 0x802a, new Octets().u64(0x0123_4567_89ab_cdefL).toArray()); // ICE-CONTROLLING
        attribute(attributes, 0x0025, new byte[0]); // USE-CANDIDATE
        return message(0x0001, transaction, attributes, password);
    }

    static byte[] bindingResponse(byte[] transaction, Endpoint mapped, String password) {
        byte[] address = Addresses.bytes(mapped);
        byte[] mask = new Octets().u32(COOKIE).bytes(transaction).toArray();
        for (int i = 0; i < address.length; i++) {
            address[i] ^= mask[i];
        }
        Octets attributes = new Octets();
        attribute(
                attributes,
                0x0020, // XOR-MAPPED-ADDRESS
                new Octets()
                        .u8(0)
                        .u8(mapped.isIpv4() ? 1 : 2)
                        .u16(mapped.port() ^ (int) (COOKIE >>> 16))
                        .bytes(address)
                        .toArray());
        return message(0x0101, transaction, attributes, password);
    }

    private static void attribute(Octets to, int type, byte[] value) {
        to.u16(type).u16(value.length).bytes(value).padTo(4);
    }

    private static byte[] message(int type, byte[] transaction, Octets attributes, String password) {
        byte[] body = attributes.toArray();
        // each of the two checks is computed with a length that ends with itself
        byte[] unsigned = head(type, body.length + 24, transaction).bytes(body).toArray();
        attribute(attributes, 0x0008, hmac(unsigned, password));
        byte[] signed = attributes.toArray();
        byte[] unchecked =
                head(type, signed.length + 8, transaction).bytes(signed).toArray();
        CRC32 crc = new CRC32();
        crc.update(unchecked);
        attribute(
                attributes,
                0x8028,
                new Octets().u32(crc.getValue() ^ 0x5354_554eL).toArray());
        byte[] all = attributes.toArray();
        return head(type, all.length, transaction).bytes(all).toArray();
    }

    private static Octets head(int type, int length, byte[] transaction) {
        return new Octets().u16(type).u16(length).u32(COOKIE).bytes(transaction);
    }

    private static byte[] hmac(byte[] bytes, String password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(password.getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA1", e);
        }
    }
}
