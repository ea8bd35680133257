package io.offhook.web.alert;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program for each notice. What it prints is thrown away. */
final class CommandSender implements NoticeSender {
    private final TargetConfig.Command config;

    CommandSender(TargetConfig.Command config) {
        this.config = config;
    }

    @Override
    public void send(Notice notice) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(config.command())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            // shorter than the buffer of a pipe, so that this waits for nobody
            try (OutputStream out = process.getOutputStream()) {
                out.write(notice.json());
            } catch (IOException _) {
                // it reads nothing, which is its own affair
            }
            if (!process.waitFor(config.timeoutNs(), TimeUnit.NANOSECONDS)) {
                throw new IOException("the command took too long, and was killed");
            }
            if (process.exitValue() != 0) {
                throw new IOException("the command exited with " + process.exitValue());
            }
        } finally {
            kill(process);
        }
    }

    private static void kill(Process process) {
        if (process.isAlive()) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
