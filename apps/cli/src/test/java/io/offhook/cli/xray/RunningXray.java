package io.offhook.cli.xray;

import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code offhook threads PID --calls -i lo} in this process, beside the test. */
final class RunningXray {
    private static final long PATIENCE_S = 120;

    private final CompletableFuture<Void> capturing = new CompletableFuture<>();
    private final CompletableFuture<Offhook.Result> result;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Starts it, and waits until it captures. */
    RunningXray(long pid, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("threads", Long.toString(pid), "--calls", "-i", "lo"));
        args.addAll(List.of(options));
        OutputStream watched = new OutputStream() {
            @Override
            public void write(int octet) {
                err.write(octet);
                if (err.toString(StandardCharsets.UTF_8).contains("Ctrl-C ends it")) {
                    capturing.complete(null);
                }
            }
        };
        result = CompletableFuture.supplyAsync(
                () -> {
                    int code = Main.run(args.toArray(String[]::new), new Offhook().terminal(out, watched));
                    return new Offhook.Result(
                            code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
                },
                task -> Thread.ofPlatform().daemon().start(task));
        CompletableFuture.anyOf(capturing, result).get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** Waits until it has ended. */
    Offhook.Result result() throws Exception {
        return result.get(PATIENCE_S, TimeUnit.SECONDS);
    }
}
