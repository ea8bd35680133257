package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.messages.CallMessages;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The scenario of a call whose messages were read already. */
public final class CallScenario {
    private CallScenario() {}

    /**
     * Writes what {@code offhook reproduce} writes without options: the first leg with an INVITE, with its media, which the files
     * are read for once more.
     *
     * @param folder made if it is not there
     * @throws io.offhook.cli.command.MisuseException if the call has no request that could be played
     */
    public static void write(
            CallCommand.Found found,
            CallMessages messages,
            RereadableFiles files,
            AnalysisOptions options,
            Path folder,
            Terminal terminal)
            throws IOException {
        List<CallLeg> legs = CallLeg.of(messages.kept());
        ReproducedCall call = ReproducedCall.of(found, legs, ReproduceCommand.leg(legs, 0), null)
                .withMedia(files, terminal);
        new ReproduceRun(call, folder, options, Long.MAX_VALUE, false, terminal).run(-1, null, 0);
    }
}
