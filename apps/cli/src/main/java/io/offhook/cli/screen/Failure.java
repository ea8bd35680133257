package io.offhook.cli.screen;

import io.offhook.cli.command.MisuseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;

/** What is said of work that failed in the background. */
final class Failure {
    private Failure() {}

    static String text(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof OutOfMemoryError) {
            return "out of memory; raise the limit of the heap with OFFHOOK_JAVA_OPTIONS=-Xmx...";
        }
        boolean isExpected = cause instanceof MisuseException || cause instanceof IOException;
        return isExpected && cause.getMessage() != null
                // the messages of options name the option
                ? cause.getMessage().replaceFirst("^-w ", "")
                : "internal error (a bug in Offhook): " + cause;
    }
}
