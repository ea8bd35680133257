package io.offhook.decrypt;

import io.offhook.analysis.Round;
import io.offhook.analysis.RoundSink;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that SDP shows in clear: a=crypto (RFC 4568), by Call-ID. Each is of the media that the author of the SDP sends
 * (RFC 4568, 6.1). Of each call {@link #MOST_KEYS} are kept, of {@link #MOST_CALLS} calls; further ones are counted, or take the
 * place of the eldest. Single-threaded.
 */
final class SdesKeys implements RoundSink, AutoCloseable {
    static final int MOST_CALLS = 100_000;
    static final int MOST_KEYS = 32;

    private static final String CRYPTO = "a=crypto:";

    private final SecretMemory memory = new SecretMemory();
    private final Map<String, Keys> calls = new LinkedHashMap<>();
    private final int mostCalls;
    private final boolean makesRoom;
    private final SipMessageView view = new SipMessageView();
    private long unsupported;
    private long refused;

    /** The keys of a Call-ID. */
    private static final class Keys {
        /** The hash of the tag of who sent the first message. */
        final long callerTag;

        final List<SrtpKey> caller = new ArrayList<>(2);
        final List<SrtpKey> callee = new ArrayList<>(2);

        Keys(long callerTag) {
            this.callerTag = callerTag;
        }
    }

    SdesKeys() {
        this(MOST_CALLS, false);
    }

    private SdesKeys(int mostCalls, boolean makesRoom) {
        this.mostCalls = mostCalls;
        this.makesRoom = makesRoom;
    }

    /** Keys of so many calls, of which the eldest are forgotten. */
    static SdesKeys ofTheLatest(int calls) {
        return new SdesKeys(calls, true);
    }

    @Override
    public void round(Round round) {
        round.messages().forEach(this::message);
    }

    void message(SipPacket message) {
        KeyText text = new KeyText(message.segment(), message.offset(), message.offset() + message.length());
        List<SrtpKey> keys = null;
        while (!text.isEmpty()) {
            KeyText line = text.line();
            if (line.peek() == 'a' && line.skip(CRYPTO)) {
                line.word();
                List<SrtpKey> found = SrtpKeyText.keys(line, memory);
                unsupported += found.isEmpty() ? 1 : 0;
                keys = keys == null ? new ArrayList<>() : keys;
                keys.addAll(found);
            }
        }
        if (keys != null && !keys.isEmpty()) {
            add(message, keys);
        }
    }

    private void add(SipPacket message, List<SrtpKey> found) {
        if (view.wrap(message.segment(), message.offset(), message.length()) != WrapStatus.OK) {
            forget(found);
            return;
        }
        Keys keys = calls.get(view.callId());
        if (keys == null && makesRoom && calls.size() >= mostCalls) {
            forgetEldest();
        }
        if (keys == null && calls.size() < mostCalls) {
            keys = new Keys(view.isRequest() ? view.fromTagHash() : view.toTagHash());
            calls.put(view.callId(), keys);
        }
        if (keys == null) {
            refused++;
            forget(found);
            return;
        }
        boolean isFromCaller = view.fromTagHash() == keys.callerTag;
        List<SrtpKey> to = isFromCaller == view.isRequest() ? keys.caller : keys.callee;
        for (SrtpKey key : found) {
            boolean isKnown = to.stream().anyMatch(known -> known.master().isSame(key.master()));
            if (isKnown || to.size() >= MOST_KEYS) {
                refused += isKnown ? 0 : 1;
                memory.free(key.master());
            } else {
                to.add(key);
            }
        }
    }

    private void forgetEldest() {
        Iterator<Keys> eldest = calls.values().iterator();
        Keys gone = eldest.next();
        eldest.remove();
        forget(gone.caller);
        forget(gone.callee);
    }

    private void forget(List<SrtpKey> keys) {
        keys.forEach(key -> memory.free(key.master()));
    }

    /** Adds the keys that a stream may have: the last ones that its sender announced first, then those of the other side. */
    void of(StreamReport stream, List<SrtpKey> to) {
        @Nullable Keys keys = stream.callId() == null ? null : calls.get(stream.callId());
        if (keys != null) {
            boolean isCaller = stream.from() != Side.CALLEE;
            to.addAll((isCaller ? keys.caller : keys.callee).reversed());
            to.addAll((isCaller ? keys.callee : keys.caller).reversed());
        }
    }

    /** Adds all keys of a Call-ID, the last ones of each side first. */
    void of(String callId, List<SrtpKey> to) {
        Keys keys = calls.get(callId);
        if (keys != null) {
            to.addAll(keys.caller.reversed());
            to.addAll(keys.callee.reversed());
        }
    }

    /** Lines of a=crypto that are not understood: another suite, or a malformed key. */
    long unsupported() {
        return unsupported;
    }

    /** Keys that found no room. */
    long refused() {
        return refused;
    }

    @Override
    public void close() {
        memory.close();
        calls.clear();
    }

    /** Of how many calls there are keys. */
    @Override
    public String toString() {
        return "SDES keys of " + calls.size() + " calls";
    }
}
