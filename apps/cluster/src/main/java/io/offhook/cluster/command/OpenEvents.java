package io.offhook.cluster.command;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.file.EventFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Files of events, one after the other. What cannot be read, or is damaged, is reported on standard error. */
final class OpenEvents {
    private final Terminal terminal;
    private boolean isDamaged;

    /** Receives an open file, which it reads to the end. */
    @FunctionalInterface
    interface Reader {
        void read(EventFile file) throws IOException;
    }

    OpenEvents(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Reads all files.
     *
     * @throws IOException only if the output cannot be written, which is passed through
     */
    void read(List<String> files, Reader reader) throws IOException {
        for (String name : files) {
            try (EventFile file = new EventFile(new Unreadable(Files.newInputStream(Path.of(name))))) {
                reader.read(file);
                report(name, file);
            } catch (NoSuchFileException e) {
                damaged(name + ": there is no such file");
            } catch (InvalidPathException e) {
                damaged(name + ": " + e.getReason());
            } catch (Unreadable.Fault e) {
                damaged(name + ": " + e.getMessage());
            }
        }
    }

    private void report(String name, EventFile file) {
        String fault = file.fault();
        if (fault != null) {
            damaged(name + ": " + fault + "; what precedes it was read");
        }
        for (EventStatus status : EventStatus.values()) {
            if (!status.isEvent() && file.count(status) > 0) {
                damaged(name + ": " + file.count(status) + " events were skipped: "
                        + status.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            }
        }
        if (file.count(EventStatus.UNKNOWN_BODY) > 0) {
            terminal.err()
                    .println("offhook: " + name + ": " + file.count(EventStatus.UNKNOWN_BODY)
                            + " events of kinds that this release does not know");
        }
    }

    private void damaged(String line) {
        isDamaged = true;
        terminal.error(line);
    }

    /** {@link ExitCode#UNREADABLE} if a file was damaged or could not be read. */
    int code() {
        return isDamaged ? ExitCode.UNREADABLE : ExitCode.DONE;
    }
}
