package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The published test vectors of RFC 3711, 6188 and 7714. */
class SrtpVectorsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String SALT = "f0f1f2f3f4f5f6f7f8f9fafbfcfd";
    private static final String GCM_SALT = "517569642070726f2071756f";
    private static final String GCM_RTP =
            "8040f17b8041f8d35501a0b2" + "47616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573";
    private static final String GCM_RTCP =
            "81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef";

    private final SecretMemory memory = new SecretMemory();

    @AfterEach
    void close() {
        memory.close();
    }

    /** RFC 3711, B.3. */
    @Test
    void derivesKeysOf128Bits() {
        SrtpKey key =
                key(SrtpSuite.AES_CM_128_HMAC_SHA1_80, "e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6");
        assertThat(derived(key, SrtpKeyDerivation.ENCRYPTION, 16)).isEqualTo("c61e7a93744f39ee10734afe3ff7a087");
        assertThat(derived(key, SrtpKeyDerivation.SALT, 14)).isEqualTo("30cbbc08863d8c85d49db34a9ae1");
        assertThat(derived(key, SrtpKeyDerivation.AUTHENTICATION, 20))
                .isEqualTo("cebe321f6ff7716b6fd4ab49af256a156d38baa4");
    }

    /** RFC 6188, 7.2. */
    @Test
    void derivesKeysOf256Bits() {
        SrtpKey key = key(
                SrtpSuite.AES_256_CM_HMAC_SHA1_80,
                "f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b63b04803de51ee7c96423ab5b78d2");
        assertThat(derived(key, SrtpKeyDerivation.ENCRYPTION, 32))
                .isEqualTo("5ba1064e30ec51613cad926c5a28ef731ec7fb397f70a960653caf06554cd8c4");
        assertThat(derived(key, SrtpKeyDerivation.SALT, 14)).isEqualTo("fa31791685ca444a9e07c6c64e93");
        assertThat(derived(key, SrtpKeyDerivation.AUTHENTICATION, 20))
                .isEqualTo("fd9c32d39ed5fbb5a9dc96b30818454d1313dc05");
    }

    /** RFC 6188, 7.4. */
    @Test
    void derivesKeysOf192Bits() {
        SrtpKey key = key(
                SrtpSuite.AES_192_CM_HMAC_SHA1_80,
                "73edc66c4fa15776fb57f9505c17136550ffda71f3e8e5f1c8522f3acd4ce86d5add78edbb11");
        assertThat(derived(key, SrtpKeyDerivation.ENCRYPTION, 24))
                .isEqualTo("31874736a8f1143870c26e4857d8a5b2c4a354407faadabb");
        assertThat(derived(key, SrtpKeyDerivation.SALT, 14)).isEqualTo("2372b82d639b6d8503a47adc0a6c");
        assertThat(derived(key, SrtpKeyDerivation.AUTHENTICATION, 20))
                .isEqualTo("355b10973cd95b9eacf4061c7e1a7151e7cfbfcb");
    }

    /** RFC 3711, B.2. */
    @Test
    void makesTheKeyStreamOf128Bits() {
        assertThat(keyStream(SrtpSuite.AES_CM_128_HMAC_SHA1_80, "2b7e151628aed2a6abf7158809cf4f3c"))
                .isEqualTo(
                        "e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0");
    }

    /** RFC 6188, 7.1. */
    @Test
    void makesTheKeyStreamOf256Bits() {
        assertThat(keyStream(
                        SrtpSuite.AES_256_CM_HMAC_SHA1_80,
                        "57f82fe3613fd170a85ec93c40b1f0922ec4cb0dc025b58272147cc438944a98"))
                .isEqualTo(
                        "92bdd28a93c3f52511c677d08b5515a49da71b2378a854f67050756ded165bac63c4868b7096d88421b563b8c94c9a31");
    }

    /** RFC 7714, 16.1.1 and 16.2.1. */
    @Test
    void opensRtpOfGcm() {
        assertThat(gcmRtp(
                        "000102030405060708090a0b0c0d0e0f",
                        "8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833"
                                + "899d7f27beb16a9152cf765ee4390cce"))
                .isEqualTo(GCM_RTP);
        assertThat(gcmRtp(
                        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                        "8040f17b8041f8d35501a0b232b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b"
                                + "7aa3db36dfffd6b0f9bb7878d7a76c13"))
                .isEqualTo(GCM_RTP);
    }

    /** RFC 7714, 17.1. */
    @Test
    void opensRtcpOfGcm() {
        byte[] packet = HEX.parseHex("81c8000d4d61727363e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda"
                + "4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade800005d4");
        byte[] opened = new byte[packet.length];
        int length = gcm("000102030405060708090a0b0c0d0e0f").rtcp(packet, packet.length, opened);
        assertThat(HEX.formatHex(opened, 0, Math.max(0, length))).isEqualTo(GCM_RTCP);
        packet[20] ^= 1;
        assertThat(gcm("000102030405060708090a0b0c0d0e0f").rtcp(packet, packet.length, opened))
                .isEqualTo(SrtpPacketCipher.CLOSED);
    }

    private String gcmRtp(String key, String hex) {
        byte[] packet = HEX.parseHex(hex);
        byte[] opened = new byte[packet.length];
        int length = gcm(key).rtp(packet, 12, packet.length, 0, opened);
        return HEX.formatHex(opened, 0, Math.max(0, length));
    }

    private SrtpGcm gcm(String key) {
        return new SrtpGcm(SrtpKey.of(SrtpSuite.AEAD_AES_128_GCM, memory.allocate(28)), secret(key), secret(GCM_SALT));
    }

    /** The payload of zeros without a tag. */
    private String keyStream(SrtpSuite suite, String key) {
        SrtpKey open = new SrtpKey(suite, memory.allocate(46), null, false, false, true);
        byte[] packet = new byte[12 + 48];
        packet[0] = (byte) 0x80;
        byte[] opened = new byte[packet.length];
        new SrtpCounterMode(open, secret(key), memory.allocate(20), secret(SALT))
                .rtp(packet, 12, packet.length, 0, opened);
        return HEX.formatHex(Arrays.copyOfRange(opened, 12, opened.length));
    }

    private String derived(SrtpKey key, int label, int length) {
        return HEX.formatHex(
                SrtpKeyDerivation.derive(memory, key, label, length).getEncoded());
    }

    private SrtpKey key(SrtpSuite suite, String hex) {
        return SrtpKey.of(suite, secret(hex));
    }

    private Secret secret(String hex) {
        return memory.take(HEX.parseHex(hex));
    }
}
