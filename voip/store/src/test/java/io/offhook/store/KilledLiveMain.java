package io.offhook.store;

import io.offhook.calls.CallReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gives calls to a {@link CallWriter}, one batch after the other, each batch twice as calls go on, while their days are moved
 * to files; prints the number of each that is written, until it is killed.
 */
final class KilledLiveMain {
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    private KilledLiveMain() {}

    public static void main(String[] arguments) throws Exception {
        List<CallReport> calls = SampleCalls.all();
        long firstNs = calls.getFirst().times().firstSeenNs();
        RetentionSettings settings = new RetentionSettings(Duration.ofDays(1), null, null, Long.MAX_VALUE);
        try (CallStore store = CallStore.open(Path.of(arguments[0]), StoreSettings.standard());
                CallWriter writer = CallWriter.start(store, WriterSettings.standard())) {
            Thread.ofPlatform().daemon().start(() -> retain(store, settings, firstNs));
            for (int batch = Integer.parseInt(arguments[1]); ; batch++) {
                List<CallReport> given = new ArrayList<>();
                for (CallReport call : calls) {
                    given.add(SampleCalls.another(call, "/" + batch, batch % 5 * DAY_NS));
                }
                writer.calls(given, "killed");
                boolean isWritten =
                        writer.flush(60_000) && writer.counts().lost().calls() == 0;
                System.out.println(isWritten ? batch : -1);
                writer.calls(given.subList(0, 3), "killed");
            }
        }
    }

    /** Each round is as if a day later, so that there is always something to move. */
    private static void retain(CallStore store, RetentionSettings settings, long firstNs) {
        for (int round = 0; ; round++) {
            long nowNs = firstNs + (3 + round) * DAY_NS;
            try {
                Retention.of(store, settings, problem -> {}, () -> nowNs).round(step -> {});
            } catch (Exception e) {
                // rows of the same call were written meanwhile: the next round moves them
            }
        }
    }
}
