package io.offhook.sip;

import java.util.List;

/**
 * What a media line says of keys (SDES RFC 4568; DTLS-SRTP RFC 5763, RFC 8122). Keys themselves are not kept.
 *
 * @param cryptoSuites the suite of each a=crypto line: AES_CM_128_HMAC_SHA1_80...
 * @param fingerprint hash and value of a=fingerprint, "" where there is none; that of the session counts for its lines
 * @param setup in lower case: active, passive, actpass, holdconn; "" where there is none
 */
public record MediaSecurity(List<String> cryptoSuites, String fingerprint, String setup) {
    /** Copies the list. */
    public MediaSecurity {
        cryptoSuites = List.copyOf(cryptoSuites);
    }

    /** Whether keys are offered or agreed in any way. */
    public boolean hasKeys() {
        return !cryptoSuites.isEmpty() || !fingerprint.isEmpty();
    }
}
