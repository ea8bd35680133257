package io.offhook.sip;

import java.util.List;

/**
 * The keying attributes of a media line (SDES, RFC 4568; DTLS-SRTP, RFC 5763 and RFC 8122). Keys themselves are not
 * kept.
 *
 * @param cryptoSuites the suite of each a=crypto line: AES_CM_128_HMAC_SHA1_80...
 * @param fingerprint hash and value of a=fingerprint, inherited from the session level; "" if absent
 * @param setup a=setup in lower case: active, passive, actpass, holdconn; "" if absent
 */
public record MediaSecurity(List<String> cryptoSuites, String fingerprint, String setup) {
    /** Copies the list. */
    public MediaSecurity {
        cryptoSuites = List.copyOf(cryptoSuites);
    }

    /** Whether the line offers or accepts keys by any method. */
    public boolean hasKeys() {
        return !cryptoSuites.isEmpty() || !fingerprint.isEmpty();
    }
}
