package io.offhook.proxy.policy;

import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.limit.BanTable;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestVerdict;
import java.time.InstantSource;

/** What is held against senders, and for them, as the bans count it. Thread-safe. */
final class SenderConduct {
    private final BanTable bans;
    private final InstantSource clock;

    SenderConduct(BanTable bans, InstantSource clock) {
        this.bans = bans;
        this.clock = clock;
    }

    /** Counts an event. Only over a connection is it sure who the sender was. */
    void count(SipHop source, BadEvent event) {
        boolean _ = bans.count(source.address(), event, source.transport().isReliable(), clock.millis());
    }

    /** Counts an answer that sends away: 403 or 404. */
    void countAnswer(SipHop source, int status) {
        if (status == 403) {
            count(source, BadEvent.FORBIDDEN);
        } else if (status == 404) {
            count(source, BadEvent.NOT_FOUND);
        }
    }

    /** Takes account of credentials that were looked at. */
    void credentials(SipHop source, DigestVerdict verdict) {
        switch (verdict.finding()) {
            case AUTHENTIC -> bans.succeeded(source.address(), clock.millis());
            case ABSENT, NOT_OFFERED, REPLAYED -> count(source, BadEvent.CHALLENGED);
            case UNKNOWN_USER, WRONG_RESPONSE -> count(source, BadEvent.WRONG_CREDENTIALS);
            case MALFORMED, OTHER_URI -> count(source, BadEvent.MALFORMED);
            case STALE -> {
                // the password was right: any phone comes to this when a nonce has grown old
            }
        }
    }

    /** Whether a request says that it is a scanner's; if so, it is counted. */
    boolean isScanner(SipHop source, SipMessageView request) {
        int line = request.find(SipHeader.USER_AGENT, 0);
        if (line < 0 || !bans.isScanner(request.value(line))) {
            return false;
        }
        count(source, BadEvent.SCANNER);
        return true;
    }
}
