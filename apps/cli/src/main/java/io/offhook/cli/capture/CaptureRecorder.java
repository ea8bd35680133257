package io.offhook.cli.capture;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.LiveRecorder;
import io.offhook.cli.rewrite.RewriteTarget;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records as {@code offhook capture} writes. */
public final class CaptureRecorder implements LiveRecorder {

    @Override
    public void describe(CommandSpec spec) {
        RewriteTarget.describeFile(
                spec,
                "With -i: also write all packets that are captured to this file: pcap if its name ends in .pcap, .cap or"
                        + " .dmp, else pcapng.");
    }

    @Override
    public @Nullable Recording of(ParseResult arguments, OutputOptions output, Terminal terminal) throws IOException {
        if (!arguments.hasMatchedOption("--write")) {
            return null;
        }
        RewriteTarget target = RewriteTarget.of(arguments, output, terminal, false);
        target.check(List.of());
        return new FileRecording(target);
    }

    /** A recording to the file that {@code -w} names. */
    private static final class FileRecording implements Recording {
        private final RewriteTarget target;
        private @Nullable RecordingSource source;

        private FileRecording(RewriteTarget target) {
            this.target = target;
        }

        @Override
        public void start(LiveInput input, LiveOptions options, Terminal terminal) throws IOException {
            RecordingSource recording = RecordingSource.of(input, options, target, terminal);
            source = recording;
            input.replace(recording);
        }

        @Override
        public void finish(Terminal terminal) throws IOException {
            RecordingSource recording = source;
            if (recording != null) {
                recording.finish(terminal);
            }
        }
    }
}
