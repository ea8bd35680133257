package io.offhook.web.api;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CallReader;
import io.offhook.web.data.InputState;
import io.offhook.web.data.StoreState;
import io.offhook.web.http.JsonReply;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The server itself: what it reads, what it lost, its memory, its database, its threads. */
final class SystemResource {
    private static final int MOST_THREADS = 200;
    private static final List<String> COUNTED = List.of("calls", "streams", "messages");
    private static final String FILE_BYTES = "fileBytes";

    private final DataSets data;
    private final Api.Settings settings;
    private final long startedNs = System.currentTimeMillis() * 1_000_000L;
    private final Map<Long, Long> cpuNs = new HashMap<>();
    private long sampledNs = System.nanoTime();
    private Map<Long, Double> percent = Map.of();

    SystemResource(DataSets data, Api.Settings settings) {
        this.data = data;
        this.settings = settings;
    }

    void system(ServerRequest request, ServerResponse response) throws SQLException {
        CallData shown = data.of(request).data();
        Map<String, Long> rows = data.of(request).read(SystemResource::rows);
        JsonReply.send(response, out -> {
            out.field("version", settings.version())
                    .time("startedAt", startedNs)
                    .field("audioAllowed", settings.isAudioAllowed())
                    .field("packetsKept", shown.hasPackets())
                    .field("uploadMostBytes", settings.mostUploadBytes());
            inputs(shown, out);
            memory(out);
            store(shown.store(), rows, out);
            threads(out);
        });
    }

    private static Map<String, Long> rows(CallReader reader) throws SQLException {
        Map<String, Long> rows = new HashMap<>();
        for (String table : COUNTED) {
            rows.put(table, CallsResource.count(reader, table, new Condition()));
        }
        PreparedStatement statement = reader.statement("SELECT coalesce(sum(bytes), 0) FROM archived_files");
        try (ResultSet result = statement.executeQuery()) {
            rows.put(FILE_BYTES, result.next() ? result.getLong(1) : 0);
        }
        return rows;
    }

    private static void inputs(CallData shown, JsonFields out) {
        out.array("inputs");
        for (InputState input : shown.inputs()) {
            out.object()
                    .field("name", input.name())
                    .field("kind", input.kind().name().toLowerCase(Locale.ROOT))
                    .field("state", input.state().name().toLowerCase(Locale.ROOT))
                    .field("percent", input.percent(), 1)
                    .field("packets", input.packets())
                    .field("bytes", input.bytes())
                    .field("kernelDrops", input.counts().kernelDrops())
                    .field("ringDrops", input.counts().ringDrops())
                    .field("refusedWrongKey", input.counts().wrongKey())
                    .field("refusedMalformed", input.counts().malformed())
                    .field("message", input.message())
                    .end();
        }
        out.end().array("drops");
        for (CallData.Drop drop : shown.drops()) {
            out.object()
                    .field("cause", drop.cause())
                    .field("count", drop.count())
                    .end();
        }
        out.end().array("notes");
        shown.notes().forEach(out::element);
        out.end();
    }

    private static void memory(JsonFields out) {
        Runtime runtime = Runtime.getRuntime();
        out.object("memory")
                .field("heapUsedBytes", runtime.totalMemory() - runtime.freeMemory())
                .field("heapMostBytes", runtime.maxMemory())
                .field("processBytes", ProcessMemory.residentBytes())
                .end();
    }

    private static void store(StoreState store, Map<String, Long> rows, JsonFields out) {
        out.object("store").field("file", store.file());
        out.field("bytes", store.bytes()).field(FILE_BYTES, rows.getOrDefault(FILE_BYTES, 0L));
        COUNTED.forEach(table -> out.field(table, rows.getOrDefault(table, 0L)));
        out.field("lost", store.lost())
                .field("queuedBytes", store.queuedBytes())
                .end();
    }

    private void threads(JsonFields out) {
        Map<Long, Double> shares = shares();
        out.array("threads");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int written = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && written++ < MOST_THREADS) {
                out.object()
                        .field("name", thread.getThreadName())
                        .field("cpuPercent", shares.getOrDefault(thread.getThreadId(), Double.NaN), 1)
                        .field("state", thread.getThreadState().name().toLowerCase(Locale.ROOT))
                        .end();
            }
        }
        out.end();
    }

    /** The share of a processor that each thread took since the last sample, which is a second old or more. */
    private synchronized Map<Long, Double> shares() {
        long nowNs = System.nanoTime();
        long tookNs = nowNs - sampledNs;
        if (tookNs < 1_000_000_000L) {
            return percent;
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Long, Double> shares = new HashMap<>();
        Map<Long, Long> now = new HashMap<>();
        for (long id : threads.getAllThreadIds()) {
            long ns = threads.getThreadCpuTime(id);
            if (ns >= 0) {
                now.put(id, ns);
                Long before = cpuNs.get(id);
                if (before != null) {
                    shares.put(id, 100.0 * (ns - before) / tookNs);
                }
            }
        }
        cpuNs.clear();
        cpuNs.putAll(now);
        sampledNs = nowNs;
        percent = shares;
        return shares;
    }
}
