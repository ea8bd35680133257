package io.offhook.cli.messages;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.cli.input.OpenCapture;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The messages of a call, or of several, up to a limit of number and size. */
public final class CallMessages {
    private static final int MAX_MESSAGES = 20_000;
    private static final long MAX_MESSAGE_BYTES = 32L << 20;

    private final List<KeptMessage> kept = new ArrayList<>();
    private long bytes;
    private long leftOut;

    /** Creates a list without messages. */
    public CallMessages() {}

    /** Reads a capture to its end, and keeps the messages of calls that were found in it. */
    public void read(OpenCapture input, AnalysisOptions options, List<CallReport> calls) {
        SipMultipart part = new SipMultipart();
        List<String> callIds = calls.stream()
                .flatMap(call -> call.dialogs().stream())
                .filter(dialog -> !dialog.isCallIdPartial())
                .map(CallReport.Dialog::callId)
                .toList();
        Set<Long> cutFrames =
                calls.stream().flatMap(call -> call.cutFrames().stream()).collect(Collectors.toSet());
        input.analyse(options.withListener((message, packet, copy) -> {
            boolean isCut = packet.callIdHash() == 0;
            if (isCut ? !cutFrames.contains(packet.frameNumber()) : !isOf(message, callIds)) {
                return;
            }
            if (kept.size() == MAX_MESSAGES || bytes + message.length() > MAX_MESSAGE_BYTES) {
                leftOut++;
                return;
            }
            bytes += message.length();
            kept.add(KeptMessage.of(message, packet, copy, part));
        }));
    }

    private static boolean isOf(SipMessageView message, List<String> callIds) {
        for (String callId : callIds) {
            if (message.callIdEquals(callId)) {
                return true;
            }
        }
        return false;
    }

    /** The messages, in the order of the capture. */
    public List<KeptMessage> kept() {
        return List.copyOf(kept);
    }

    /** How many more there were, beyond the limit. */
    public long leftOut() {
        return leftOut;
    }
}
