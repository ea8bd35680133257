package io.offhook.decrypt;

import org.jspecify.annotations.Nullable;

/**
 * What a cipher suite of TLS means for records (RFC 5246, 5288, 5289, 7905, 8446): how keys are exchanged does not matter
 * to who has the secrets.
 *
 * @param kind how records are protected
 * @param keyLength bytes of a key: 16 or 32
 * @param mac the HMAC of a suite with CBC: "HmacSHA1"; "" of others
 * @param macLength bytes of its tag; 0 of others
 * @param hash the hash of key derivation, as in names of HMAC: "SHA256" or "SHA384"
 */
record TlsSuite(Kind kind, int keyLength, String mac, int macLength, String hash) {
    enum Kind {
        GCM,
        CHACHA20,
        CBC
    }

    private static final String SHA256 = "SHA256";
    private static final String SHA384 = "SHA384";
    private static final TlsSuite AES_128_GCM = new TlsSuite(Kind.GCM, 16, "", 0, SHA256);
    private static final TlsSuite AES_256_GCM = new TlsSuite(Kind.GCM, 32, "", 0, SHA384);
    private static final TlsSuite CHACHA20 = new TlsSuite(Kind.CHACHA20, 32, "", 0, SHA256);
    private static final TlsSuite AES_128_SHA = new TlsSuite(Kind.CBC, 16, "HmacSHA1", 20, SHA256);
    private static final TlsSuite AES_256_SHA = new TlsSuite(Kind.CBC, 32, "HmacSHA1", 20, SHA256);
    private static final TlsSuite AES_128_SHA256 = new TlsSuite(Kind.CBC, 16, "HmacSHA256", 32, SHA256);
    private static final TlsSuite AES_256_SHA256 = new TlsSuite(Kind.CBC, 32, "HmacSHA256", 32, SHA256);
    private static final TlsSuite AES_256_SHA384 = new TlsSuite(Kind.CBC, 32, "HmacSHA384", 48, SHA384);

    /** The suite of a number in the registry of IANA; null if it is not supported (CCM, Camellia, RC4...). */
    static @Nullable TlsSuite of(int number) {
        return switch (number) {
            case 0x1301, 0x9c, 0x9e, 0xa0, 0xa2, 0xa4, 0xa6, 0xa8, 0xaa, 0xac, 0xc02b, 0xc02d, 0xc02f, 0xc031, 0xd001 ->
                AES_128_GCM;
            case 0x1302, 0x9d, 0x9f, 0xa1, 0xa3, 0xa5, 0xa7, 0xa9, 0xab, 0xad, 0xc02c, 0xc02e, 0xc030, 0xc032, 0xd002 ->
                AES_256_GCM;
            case 0x1303, 0xcca8, 0xcca9, 0xccaa, 0xccab, 0xccac, 0xccad, 0xccae -> CHACHA20;
            case 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x8c, 0x90, 0x94, 0xc004, 0xc009, 0xc00e, 0xc013, 0xc018, 0xc035 ->
                AES_128_SHA;
            case 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x8d, 0x91, 0x95, 0xc005, 0xc00a, 0xc00f, 0xc014, 0xc019, 0xc036 ->
                AES_256_SHA;
            case 0x3c, 0x3e, 0x3f, 0x40, 0x67, 0x6c, 0xae, 0xb2, 0xb6, 0xc023, 0xc025, 0xc027, 0xc029, 0xc037 ->
                AES_128_SHA256;
            case 0x3d, 0x68, 0x69, 0x6a, 0x6b, 0x6d -> AES_256_SHA256;
            case 0xaf, 0xb3, 0xb7, 0xc024, 0xc026, 0xc028, 0xc02a, 0xc038 -> AES_256_SHA384;
            default -> null;
        };
    }

    String hmac() {
        return "Hmac" + hash;
    }

    /** Bytes of the nonce that keys are derived with: 4 of GCM in TLS 1.2, 12 else, 0 with CBC. */
    int fixedNonce(boolean isTls13) {
        return switch (kind) {
            case GCM -> isTls13 ? 12 : 4;
            case CHACHA20 -> 12;
            case CBC -> 0;
        };
    }
}
