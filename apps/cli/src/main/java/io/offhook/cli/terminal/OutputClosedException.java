package io.offhook.cli.terminal;

import java.io.IOException;

/** The reader of the output closed the pipe, as in {@code offhook calls x.pcap | head}. */
public final class OutputClosedException extends IOException {
    private static final long serialVersionUID = 1;

    OutputClosedException(IOException cause) {
        super(cause);
    }

    /** Whether a write error means that the other end of the pipe is closed, which Java reports only in the message. */
    static boolean isClosedPipe(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Broken pipe")
                || message.contains("pipe is being closed")
                || message.contains("pipe has been ended");
    }
}
