package io.offhook.calls;

import io.offhook.calls.CallReport.KeyPress;
import io.offhook.rtp.TelephoneEvent;
import io.offhook.rtp.TelephoneEvents;
import io.offhook.rtp.tones.AudioKeys;
import io.offhook.rtp.tones.ToneKey;
import io.offhook.sip.InfoKey;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The key presses of a call: collects those that are sent by INFO, the first {@value #LIMIT}, counting later ones, and
 * lists all of them, with those in its streams.
 */
final class CallKeys {
    static final int LIMIT = 256;

    /** The longest that a relay or a B2BUA takes to pass a key on; it may have a jitter buffer of its own. */
    private static final long PASSED_ON_NS = 500_000_000;

    private final List<KeyPress> presses = new ArrayList<>(0);
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
            presses.add(new KeyPress(timestampNs, by, key.key(), key.durationMs(), KeyPress.Means.INFO));
        }
    }

    /** Those sent by INFO. */
    List<KeyPress> presses() {
        return List.copyOf(presses);
    }

    int dropped() {
        return dropped;
    }

    /** All of a call, by time. One that several streams of a side have, as a relay passed it on, counts once. */
    static List<KeyPress> all(List<KeyPress> byInfo, List<StreamReport> streams) {
        List<StreamReport> ordered = new ArrayList<>(streams);
        ordered.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        List<KeyPress> all = new ArrayList<>(byInfo);
        for (StreamReport stream : ordered) {
            add(all, in(stream));
        }
        all.sort((a, b) -> Long.compare(a.atNs(), b.atNs()));
        return List.copyOf(all);
    }

    /** Adds the keys of a stream, except for those that earlier ones have. */
    private static void add(List<KeyPress> all, List<KeyPress> added) {
        int earlier = all.size();
        BitSet passedOn = new BitSet(earlier);
        for (KeyPress press : added) {
            int at = 0;
            while (at < earlier && (passedOn.get(at) || !isPassedOn(all.get(at), press))) {
                at++;
            }
            if (at < earlier) {
                passedOn.set(at);
            } else {
                all.add(press);
            }
        }
    }

    private static boolean isPassedOn(KeyPress first, KeyPress second) {
        return first.key() == second.key()
                && first.by() == second.by()
                && first.means() == second.means()
                && Math.abs(second.atNs() - first.atNs()) <= PASSED_ON_NS;
    }

    /** The keys in a stream: its telephone-events, and those in its audio. */
    private static List<KeyPress> in(StreamReport stream) {
        Side from = stream.from();
        List<KeyPress> found = new ArrayList<>(0);
        if (from == null) {
            return found;
        }
        TelephoneEvents events = stream.telephoneEvents();
        for (TelephoneEvent event : events == null ? List.<TelephoneEvent>of() : events.events()) {
            if (event.key() != 0) {
                int durationMs = (int) Math.round(event.durationMs());
                found.add(new KeyPress(event.startedNs(), from, event.key(), durationMs, KeyPress.Means.EVENT));
            }
        }
        AudioKeys heard = stream.audioKeys();
        for (ToneKey key : heard == null ? List.<ToneKey>of() : heard.keys()) {
            found.add(new KeyPress(key.atNs(), from, key.key(), key.durationMs(), KeyPress.Means.AUDIO));
        }
        return found;
    }
}
