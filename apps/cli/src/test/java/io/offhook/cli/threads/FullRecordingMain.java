package io.offhook.cli.threads;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingListener;
import io.offhook.monitor.recording.RecordingReader;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.monitor.recording.RecordingWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Records on a small disk, which is full for a while, and prints how many looks were added, how many were refused, how many are
 * read, the time of the first thread that was recorded and that is read, and the failure.
 */
final class FullRecordingMain {
    private static final long SECOND = 1_000_000_000L;
    private static final int BALLAST = 23 << 20;
    private static final int THREADS = 500;
    /** Of the lane, in each look. */
    private static final long FRAMES = 1000;

    private static final Random RANDOM = new Random(1);

    private FullRecordingMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path file = folder.resolve("recording");
        Path ballast = Files.write(folder.resolve("ballast"), new byte[BALLAST]);
        int added = 0;
        int refused = 0;
        long ranNs = 0;
        String failure = "";
        RecordedProcess process = new RecordedProcess(1, "full", 0, SECOND);
        try (RecordingWriter writer = RecordingWriter.create(file, process, 8 << 20)) {
            while (refused < 10) {
                ranNs += add(writer, ++added);
                if (writer.fault() != null) {
                    refused++;
                    failure = String.valueOf(writer.fault().getMessage());
                }
            }
            Files.delete(ballast);
            do {
                ranNs += add(writer, ++added);
            } while (writer.fault() != null);
            ranNs += add(writer, ++added);
            writer.end(RecordingEnd.STOPPED);
        }
        long[] readNs = new long[1];
        long[] readFrames = new long[1];
        RecordingSummary summary = RecordingReader.read(file, new RecordingListener() {
            @Override
            public void look(RecordedLook look) {
                readNs[0] += look.rows().getFirst().last().userNs();
                look.lanes().forEach(lane -> readFrames[0] += lane.last().frames());
            }
        });
        System.out.println(added + " " + refused + " " + summary.looks() + " " + ranNs + " " + readNs[0] + " "
                + summary.extent().isWhole() + " " + added * FRAMES + " " + readFrames[0] + " " + failure);
    }

    private static long add(RecordingWriter writer, int number) {
        List<ThreadRow> rows = new ArrayList<>();
        for (int id = 1; id <= THREADS; id++) {
            ThreadUse use = new ThreadUse(SECOND, RANDOM.nextInt(900_000) * 1000L, 0, 0, RANDOM.nextInt(900), 0, 0);
            rows.add(new ThreadRow(id, "thread" + id, 'R', RANDOM.nextInt(8), use, use, use));
        }
        writer.add(new RecordedLook(number * SECOND, 0, rows, JavaLook.NOTHING, List.of(lane(number)), 0, Map.of()));
        return rows.getFirst().last().userNs();
    }

    private static LaneRow lane(int number) {
        LaneUse last = new LaneUse(SECOND, SECOND / 2, SECOND / 2, 1, FRAMES, 0, 0);
        LaneReport report = new LaneReport(
                new LaneReport.Identity("calls-0", 1, -1),
                LaneReport.State.WORKING,
                0,
                new LaneReport.Counts(number * SECOND / 2, number * SECOND / 2, number, number * FRAMES, 0, 0, 0),
                null);
        return new LaneRow(report, 0, new TreeMap<>(), last, last);
    }
}
