package io.offhook.cli.serve;

import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import io.offhook.web.data.InputState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A live capture and files that fill one database. */
final class FilledByBoth implements ServedCalls.Filling {
    private final ServedCalls.Filling live;
    private final FilledByFiles files;

    FilledByBoth(ServedCalls.Filling live, FilledByFiles files) {
        this.live = live;
        this.files = files;
    }

    @Override
    public long revision() {
        return live.revision() + files.revision();
    }

    @Override
    public List<InputState> inputs() {
        List<InputState> all = new ArrayList<>(live.inputs());
        all.addAll(files.inputs());
        return all;
    }

    @Override
    public List<CallData.Drop> drops() {
        Map<String, Long> sums = new LinkedHashMap<>();
        live.drops().forEach(drop -> sums.merge(drop.cause(), drop.count(), Long::sum));
        files.drops().forEach(drop -> sums.merge(drop.cause(), drop.count(), Long::sum));
        List<CallData.Drop> all = new ArrayList<>(sums.size());
        sums.forEach((cause, count) -> all.add(new CallData.Drop(cause, count)));
        return all;
    }

    @Override
    public List<String> notes() {
        return files.notes();
    }

    @Override
    public long lost() {
        return live.lost();
    }

    @Override
    public long queuedBytes() {
        return live.queuedBytes();
    }

    @Override
    public CallData.RunningCalls running() {
        return live.running();
    }

    @Override
    public @Nullable CapturePoints points() {
        CapturePoints ofLive = live.points();
        CapturePoints ofFiles = files.points();
        PacketsOfFiles read = files.packets();
        if (ofLive == null || ofFiles == null && read == null) {
            return ofFiles == null ? ofLive : ofFiles;
        }
        return call -> {
            CapturePoints points = read != null && read.has(call) ? ofFiles : ofLive;
            return points == null ? CapturePoints.Comparison.NONE : points.compare(call);
        };
    }

    @Override
    public ServedCalls.@Nullable Packets packets() {
        ServedCalls.Packets kept = live.packets();
        PacketsOfFiles read = files.packets();
        return kept == null ? read : read == null ? kept : new EitherPackets(read, kept);
    }

    /** The packets of calls in files, and those that were kept of a live capture. */
    private record EitherPackets(PacketsOfFiles read, ServedCalls.Packets kept) implements ServedCalls.Packets {
        @Override
        public void write(List<CallData.CallKey> calls, OutputStream out) throws IOException {
            boolean isRead = calls.stream().anyMatch(read::has);
            if (isRead && !calls.stream().allMatch(read::has)) {
                throw new FileNotFoundException(
                        "some of these calls are in files, others were captured live; save those of one kind at a time");
            }
            (isRead ? read : kept).write(calls, out);
        }

        @Override
        public boolean has(CallData.CallKey call) {
            return read.has(call) || kept.has(call);
        }

        @Override
        public @Nullable SearchedPackets searched(CallData.CallKey call) {
            return read.has(call) ? read.searched(call) : kept.searched(call);
        }

        @Override
        public CallData.@Nullable Recording recording(CallData.CallKey call) throws IOException {
            return read.has(call) ? read.recording(call) : kept.recording(call);
        }
    }
}
