package io.offhook.cli.threads;

import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingException;
import io.offhook.monitor.recording.RecordingListener;
import io.offhook.monitor.recording.RecordingReader;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recording of threads, read for a command, and what there is to say of it. */
final class RecordingFile {
    private static final int SECONDS_A_MINUTE = 60;

    private RecordingFile() {}

    /** Reads a recording; null if it cannot be read or has no process, which is reported. */
    static @Nullable RecordingSummary read(String name, RecordingListener listener, Terminal terminal) {
        try {
            RecordingSummary summary = RecordingReader.read(Path.of(name), listener);
            if (summary.process() == null) {
                terminal.error(name + " is a recording that was cut off before it began: it has nothing");
                return null;
            }
            return summary;
        } catch (NoSuchFileException e) {
            terminal.error("there is no file " + name);
        } catch (RecordingException e) {
            terminal.error(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            terminal.error(name + " cannot be read: " + e.getMessage());
        }
        return null;
    }

    /** What is to be known about how complete it is, a sentence each. */
    static List<String> remarks(RecordingSummary summary, Times times) {
        List<String> remarks = new ArrayList<>();
        if (summary.gone().looks() > 0) {
            remarks.add("What was recorded until " + dayAndTime(summary.gone().untilNs(), times) + " ("
                    + Words.count(summary.gone().looks(), "reading") + ") is gone, for the limit of the file.");
        }
        for (RecordingSummary.Thinned thinned : summary.thinned()) {
            remarks.add("From " + dayAndTime(thinned.fromNs(), times) + " to " + dayAndTime(thinned.toNs(), times)
                    + ", means of " + length(thinned.meanOf()) + " are left.");
        }
        RecordingSummary.Extent extent = summary.extent();
        if (!extent.isWhole()) {
            remarks.add("The file is cut off or damaged behind byte " + Decimals.grouped(extent.wholeBytes())
                    + "; what was recorded until " + dayAndTime(summary.lastNs(), times) + " is here.");
        } else if (extent.end() == null) {
            remarks.add("The recording has no end: it goes on, or the process that recorded was killed.");
        } else if (extent.end() == RecordingEnd.PROCESS_ENDED) {
            remarks.add("The process has ended.");
        }
        return remarks;
    }

    private static String length(int seconds) {
        return seconds < SECONDS_A_MINUTE ? seconds + " s" : seconds / SECONDS_A_MINUTE + " min";
    }

    /** "2026-11-21 14:03:07". */
    static String dayAndTime(long ns, Times times) {
        return times.date(ns) + " " + timeOfDay(ns, times);
    }

    /** "14:03:07". */
    static String timeOfDay(long ns, Times times) {
        String text = times.timeOfDay(ns);
        return text.substring(0, text.indexOf('.'));
    }
}
