package io.offhook.cli.threads;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.monitor.Processes;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingWriter;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code --record FILE}: keeps what is watched. A disk that is full ends neither the watch nor the recording. */
final class ThreadRecorder implements AutoCloseable {
    private static final String RECORD = "--record";
    private static final String SIZE = "--record-size";
    private static final String STANDARD_SIZE = "32Mi";

    private final Path file;
    private final RecordingWriter writer;
    private boolean isFailing;

    private ThreadRecorder(Path file, RecordingWriter writer) {
        this.file = file;
        this.writer = writer;
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                RECORD,
                "FILE",
                String.class,
                "Record to a new file, also for days; offhook threads play and compare read it (docs/RECORDINGS.md).");
        spec.addOption(
                SIZE,
                "SIZE",
                String.class,
                "The most that the recording takes: default " + STANDARD_SIZE
                        + ". When it is full, older parts become means of 10 s, 1 min, 10 min and 1 h.");
    }

    /** Begins the recording that is asked for; null if none is. @throws MisuseException if it cannot be */
    static @Nullable ThreadRecorder of(ParseResult arguments, Processes.Named process, long everyNs) {
        String size = arguments.optionValue(SIZE, String.class);
        long bytes = Amount.bytes(SIZE, size == null ? STANDARD_SIZE : size);
        String name = arguments.optionValue(RECORD, String.class);
        if (name == null) {
            if (size != null) {
                throw new MisuseException(SIZE + " needs " + RECORD + " FILE");
            }
            return null;
        }
        if (bytes < RecordingWriter.LEAST_BYTES) {
            throw new MisuseException(SIZE + " " + size + " is less than 64Ki, and holds no recording");
        }
        Path file = Path.of(name);
        RecordedProcess recorded = new RecordedProcess(process.pid(), process.commandLine(), Times.epochNs(), everyNs);
        try {
            return new ThreadRecorder(file, RecordingWriter.create(file, recorded, bytes));
        } catch (FileAlreadyExistsException e) {
            throw new MisuseException(
                    RECORD + " " + name + ": the file is there already, and is not overwritten; name another");
        } catch (NoSuchFileException e) {
            throw new MisuseException(RECORD + " " + name + ": there is no such folder");
        } catch (IOException e) {
            throw new MisuseException(RECORD + " " + name + " cannot be written: " + e.getMessage());
        }
    }

    /** @param problems is told when the recording cannot be written, and when it can again */
    void add(RecordedLook look, Consumer<String> problems) {
        writer.add(look);
        IOException fault = writer.fault();
        if (fault != null && !isFailing) {
            problems.accept("the recording " + file + " cannot be written: " + fault.getMessage()
                    + "; what was recorded is kept, and it goes on as soon as there is room");
        } else if (fault == null && isFailing) {
            problems.accept(
                    "the recording " + file + " goes on; one reading has the time that it could not be written");
        }
        isFailing = fault != null;
    }

    /** Ends the recording, and returns a line about it. */
    String end(boolean isProcessOver) {
        try {
            writer.end(isProcessOver ? RecordingEnd.PROCESS_ENDED : RecordingEnd.STOPPED);
        } catch (IOException e) {
            return "The end of the recording " + file + " could not be written: " + e.getMessage()
                    + ". What was recorded before is kept.";
        }
        return "Recorded to " + file + ".";
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            // what was written is in the file
        }
    }
}
