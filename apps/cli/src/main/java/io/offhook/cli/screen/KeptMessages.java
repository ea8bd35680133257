package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages of live calls by Call-ID, within a limit of bytes: those of the dialogs that began first go first. Single-threaded:
 * the analysis adds messages, and reads them between rounds.
 */
final class KeptMessages implements SipListener {
    /** What a message takes besides its bytes: its texts, twice. */
    private static final int OVERHEAD_BYTES = 1000;

    /** Requests that make no call. */
    private static final Set<String> OF_NO_CALL = Set.of("REGISTER", "OPTIONS", "PUBLISH", "SUBSCRIBE");

    private final long mostBytes;
    private final Map<String, List<KeptMessage>> dialogs = new LinkedHashMap<>();
    private final SipMultipart part = new SipMultipart();
    private long bytes;
    private long forgotten;

    KeptMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    @Override
    public void message(SipMessageView message, SipPacket packet, Copy copy) {
        if (OF_NO_CALL.contains(message.cseqMethodText())) {
            return;
        }
        KeptMessage kept = KeptMessage.of(message, packet, copy, part);
        dialogs.computeIfAbsent(kept.callId(), _ -> new ArrayList<>()).add(kept);
        bytes += size(kept);
        Iterator<List<KeptMessage>> oldest = dialogs.values().iterator();
        while (bytes > mostBytes && oldest.hasNext()) {
            List<KeptMessage> gone = oldest.next();
            oldest.remove();
            forgotten++;
            gone.forEach(one -> bytes -= size(one));
        }
    }

    private static long size(KeptMessage message) {
        return message.bytes().length * 2L + OVERHEAD_BYTES;
    }

    /** The messages of all dialogs of calls, in the order of capture. */
    List<KeptMessage> of(List<CallReport> calls) {
        List<KeptMessage> messages = new ArrayList<>();
        for (CallReport call : calls) {
            for (CallReport.Dialog dialog : call.dialogs()) {
                messages.addAll(dialogs.getOrDefault(dialog.callId(), List.of()));
            }
        }
        messages.sort(Comparator.comparingLong(KeptMessage::frameNumber));
        return messages;
    }

    /** The dialogs whose messages are gone. */
    long forgotten() {
        return forgotten;
    }
}
