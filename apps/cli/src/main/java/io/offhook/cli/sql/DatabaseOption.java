package io.offhook.cli.sql;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import java.io.IOException;

/** {@code --db} of commands that read captures: what they find is written to a database. */
public final class DatabaseOption {
    static final String NAME = "--db";

    private DatabaseOption() {}

    /** Adds the option. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                NAME,
                "FILE",
                String.class,
                "Also write all calls of the captures to a DuckDB database, listed or not, with their messages, streams"
                        + " and intervals, and the registrations (docs/SCHEMA.md); it is made if it is not there.");
    }

    /** Refuses the option for a capture on the wire. */
    public static void refuseLive(ParseResult arguments) {
        if (arguments.hasMatchedOption(NAME)) {
            throw new MisuseException(
                    NAME + " cannot be combined with -i; write the packets to a file with -w, and load" + " that");
        }
    }

    /** Analyses captures, and writes what is found to the database if one is given. */
    public static AnalysisResult analyse(ParseResult arguments, OpenCapture input) throws IOException {
        AnalysisOptions options = InputOptions.analysis(arguments);
        String file = arguments.optionValue(NAME, String.class);
        return file == null
                ? input.analyse(options)
                : CaptureDatabase.write(file, InputOptions.files(arguments, 0), input, options);
    }
}
