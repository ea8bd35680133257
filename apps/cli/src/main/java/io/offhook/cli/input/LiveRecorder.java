package io.offhook.cli.input;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the packets of a live capture to a file while another command analyses them. */
public interface LiveRecorder {

    /** Adds the options. */
    void describe(CommandSpec spec);

    /**
     * The recording that the arguments ask for; null if they ask for none.
     *
     * @throws IOException if its file cannot be written
     */
    @Nullable
    Recording of(ParseResult arguments, OutputOptions output, Terminal terminal) throws IOException;

    /** A recording to one file. */
    interface Recording {

        /** Opens the file, and puts the recording in front of the source of an input. */
        void start(LiveInput input, LiveOptions options, Terminal terminal) throws IOException;

        /**
         * Writes everything, closes the file, and reports how many packets it has on standard error.
         *
         * @throws IOException if a packet cannot be written
         */
        void finish(Terminal terminal) throws IOException;
    }
}
