package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.ladder.CallLadder;
import io.offhook.cli.messages.KeptMessage;
import java.util.List;

/**
 * A call, or several in one ladder, with all that their pages show.
 *
 * @param calls as reported, one or more
 * @param messages in the order of capture
 * @param leftOut how many messages are beyond the limits
 * @param ladder of the messages and media
 * @param streams the figures of its media, as they were
 */
record CallDetail(
        List<CallReport> calls,
        List<KeptMessage> messages,
        long leftOut,
        CallLadder ladder,
        List<StreamPicture> streams) {

    /** Copies what is shown of calls, by the thread that may read their statistics. */
    static CallDetail of(List<CallReport> calls, List<KeptMessage> messages, long leftOut) {
        List<StreamPicture> pictures = calls.stream()
                .flatMap(call -> call.streams().stream())
                .map((StreamReport stream) -> StreamPicture.of(stream))
                .toList();
        List<KeptMessage> kept = List.copyOf(messages);
        return new CallDetail(List.copyOf(calls), kept, leftOut, CallLadder.of(calls, kept), pictures);
    }

    /** "call 1-4095@127.0.1.11", "2 calls, the first 1-4095@127.0.1.11". */
    static String name(List<CallReport> calls) {
        String first = calls.getFirst().callId();
        return calls.size() == 1 ? "call " + first : calls.size() + " calls, the first " + first;
    }
}
