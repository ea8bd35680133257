package io.offhook.proxy.control;

import io.offhook.proxy.log.CallTrace;
import io.offhook.proxy.log.CallTrace.Part;
import io.offhook.proxy.log.CallTrace.Progress;
import io.offhook.proxy.log.CallTrace.Request;
import java.io.IOException;
import java.util.List;

/**
 * {@code trace}, {@code trace caller=alice for 10 m}, {@code trace call-id=*@host calls=5 messages=500 bytes=1000000}, {@code trace off}:
 * writes the messages of matching calls to the log. Answers how far the trace is.
 */
public final class TraceCommand implements ControlCommand {
    private static final long USUAL_SECONDS = 600;
    private static final int USUAL_CALLS = 100;
    private static final int USUAL_MESSAGES = 10_000;
    private static final int USUAL_BYTES = 32 << 20;

    private final CallTrace trace;

    /** Controls a trace. */
    public TraceCommand(CallTrace trace) {
        this.trace = trace;
    }

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public void run(ControlRequest request, ControlAnswer answer) throws IOException {
        List<String> words = request.words();
        if (words.equals(List.of("off"))) {
            trace.stop();
        } else if (!words.isEmpty()) {
            trace.start(parse(request));
        }
        Progress progress = trace.progress();
        if (progress != null) {
            answer.line()
                    .object()
                    .field("part", progress.request().part().word())
                    .field("pattern", progress.request().pattern())
                    .field("calls", progress.calls())
                    .field("messages", progress.messages())
                    .field("bytes", progress.bytes())
                    .field("secondsLeft", progress.secondsLeft())
                    .end();
            answer.send();
        }
    }

    private static Request parse(ControlRequest request) {
        long seconds = Periods.seconds(request.words());
        for (Part part : Part.values()) {
            String pattern = request.option(part.word(), "");
            if (!pattern.isEmpty()) {
                try {
                    return new Request(
                            part,
                            pattern,
                            seconds == 0 ? USUAL_SECONDS : seconds,
                            request.number("calls", USUAL_CALLS, 1, 10_000),
                            request.number("messages", USUAL_MESSAGES, 1, 1_000_000),
                            request.number("bytes", USUAL_BYTES, 1, CallTrace.MOST_BYTES));
                } catch (IllegalArgumentException e) {
                    throw new ControlException(String.valueOf(e.getMessage()), e);
                }
            }
        }
        throw new ControlException("trace needs caller=PATTERN, callee=PATTERN or call-id=PATTERN, or off");
    }
}
