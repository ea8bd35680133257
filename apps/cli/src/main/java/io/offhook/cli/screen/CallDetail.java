package io.offhook.cli.screen;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.ladder.CallLadder;
import io.offhook.cli.messages.KeptMessage;
import java.util.List;

/**
 * A call with all that its pages show.
 *
 * @param call as reported
 * @param messages in the order of capture
 * @param leftOut how many messages are beyond the limits
 * @param ladder of the messages and media
 * @param streams the figures of its media, as they were
 */
record CallDetail(
        CallReport call, List<KeptMessage> messages, long leftOut, CallLadder ladder, List<StreamPicture> streams) {

    /** Copies what is shown of a call, by the thread that may read its statistics. */
    static CallDetail of(CallReport call, List<KeptMessage> messages, long leftOut) {
        List<StreamPicture> pictures = call.streams().stream()
                .map((StreamReport stream) -> StreamPicture.of(stream))
                .toList();
        List<KeptMessage> kept = List.copyOf(messages);
        return new CallDetail(call, kept, leftOut, CallLadder.of(call, kept), pictures);
    }
}
