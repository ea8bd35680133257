package io.offhook.cli.reproduce;

import io.offhook.calls.CallReport;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.terminal.Terminal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call of which a leg is played, as it was captured.
 *
 * @param found the call and its capture
 * @param legs all of its legs
 * @param chosen the index of the one that is played
 * @param media what its sides sent
 * @param isTcp whether it is played over TCP
 */
record ReproducedCall(CallCommand.Found found, List<CallLeg> legs, int chosen, MediaTracks media, boolean isTcp) {

    /** A call without media. */
    static ReproducedCall of(
            CallCommand.Found found, List<CallLeg> legs, int chosen, ReproduceCommand.@Nullable Transport transport) {
        boolean isTcp = transport == null
                ? legs.get(chosen).transport().isReliable()
                : transport == ReproduceCommand.Transport.TCP;
        return new ReproducedCall(found, legs, chosen, MediaTracks.NONE, isTcp);
    }

    /** The same call with the media of the leg. Reads the files once. */
    ReproducedCall withMedia(RereadableFiles files, Terminal terminal) {
        MediaTracks tracks = MediaTracks.read(
                files, call(), new MediaLines(leg().messages(), List.of()), legs.size() == 1, terminal);
        return new ReproducedCall(found, legs, chosen, tracks, isTcp);
    }

    CallReport call() {
        return found.call();
    }

    CallLeg leg() {
        return legs.get(chosen);
    }

    /** The scenario of all of its messages and media. */
    Reproduction reproduction(long longestPauseNs) {
        return reproduction(leg(), media.caller(), media.callee(), longestPauseNs);
    }

    /** The scenario of some of them. */
    Reproduction reproduction(CallLeg some, Track ofCaller, Track ofCallee, long longestPauseNs) {
        return Reproduction.of(
                some,
                ofCaller,
                ofCallee,
                new Reproduction.Settings(longestPauseNs, isTcp, found.capture().lastNs()));
    }
}
