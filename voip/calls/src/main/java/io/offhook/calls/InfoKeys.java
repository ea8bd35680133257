package io.offhook.calls;

import io.offhook.sip.InfoKey;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;

/** The key presses of a call that were sent by INFO: the first {@value #LIMIT}; later ones are counted. */
final class InfoKeys {
    static final int LIMIT = 256;

    private final List<CallReport.KeyPress> presses = new ArrayList<>(0);
    private long callersCseq = -1;
    private long calleesCseq = -1;
    private int dropped;

    /** Notes a message; an INFO that passes several hops counts once. */
    void message(SipMessageView message, Side by, long timestampNs) {
        InfoKey key = InfoKey.of(message);
        boolean isKnown = message.cseqNumber() <= (by == Side.CALLER ? callersCseq : calleesCseq);
        if (key == null || isKnown) {
            return;
        }
        if (by == Side.CALLER) {
            callersCseq = message.cseqNumber();
        } else {
            calleesCseq = message.cseqNumber();
        }
        if (presses.size() == LIMIT) {
            dropped++;
        } else {
            presses.add(new CallReport.KeyPress(timestampNs, by, key.key(), key.durationMs()));
        }
    }

    List<CallReport.KeyPress> presses() {
        return List.copyOf(presses);
    }

    int dropped() {
        return dropped;
    }
}
