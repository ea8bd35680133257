package io.offhook.proxy.log;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of calls that match a pattern to the log, until its time is over or as many calls or messages as it
 * may write were written. One trace runs at a time. While none runs, a message costs one read ({@link #isOn}); while one
 * runs, the messages of all calls are looked at.
 *
 * <p>A call matches by its Call-ID, or by a request outside of a dialog from a caller or to a callee; its Call-ID is
 * remembered then, so that all later messages of it are written, those of other hops included.
 */
public final class CallTrace {
    /** The longest time that a trace may run. */
    public static final long MOST_SECONDS = TimeUnit.DAYS.toSeconds(1);

    private final ProxyLog log;
    private final InstantSource clock;
    private volatile @Nullable Running running;

    /** Which part of a call a pattern is compared with. */
    public enum Part {
        /** The user or the URI of From. */
        CALLER,
        /** The user or the URI of To, or the request URI. */
        CALLEE,
        /** The Call-ID. */
        CALL_ID;

        /** The part as it is written: "call-id". */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What is traced.
     *
     * @param part which part of a call
     * @param pattern compared with it; {@code *} stands for any text, {@code ?} for one character
     * @param seconds how long, 1 to {@link #MOST_SECONDS}
     * @param calls the most calls, 1 to 10,000
     * @param messages the most messages, 1 to 1,000,000
     */
    public record Request(Part part, String pattern, long seconds, int calls, int messages) {
        /** Checks the ranges. */
        public Request {
            if (pattern.isEmpty() || pattern.length() > 256) {
                throw new IllegalArgumentException(
                        "a pattern of " + pattern.length() + " characters is not within 1 and 256");
            }
            if (seconds < 1 || seconds > MOST_SECONDS) {
                throw new IllegalArgumentException(
                        "a time of " + seconds + " s is not within 1 and " + MOST_SECONDS + " s");
            }
            if (calls < 1 || calls > 10_000) {
                throw new IllegalArgumentException(calls + " calls are not within 1 and 10000");
            }
            if (messages < 1 || messages > 1_000_000) {
                throw new IllegalArgumentException(messages + " messages are not within 1 and 1000000");
            }
        }
    }

    /**
     * How far a trace is.
     *
     * @param request what is traced
     * @param calls the calls that matched
     * @param messages the messages that were written
     * @param secondsLeft until it ends, rounded up
     */
    public record Progress(Request request, int calls, int messages, long secondsLeft) {}

    /**
     * Whence and whither a message goes, as seen by the proxy.
     *
     * @param isSent whether the proxy sends it
     * @param transport by what it is carried
     * @param remote the other end
     */
    public record Way(boolean isSent, SipTransport transport, Endpoint remote) {}

    private static final class Running {
        private final Request request;
        private final WildcardPattern pattern;
        private final long endMs;
        private final Set<String> callIds = new HashSet<>();
        private int messages;

        Running(Request request, long endMs) {
            this.request = request;
            pattern = new WildcardPattern(request.pattern());
            this.endMs = endMs;
        }
    }

    /** A trace that writes to a log, at whatever level its category is. */
    public CallTrace(ProxyLog log, InstantSource clock) {
        this.log = log;
        this.clock = clock;
    }

    /** Starts a trace, in the place of one that runs. */
    public void start(Request request) {
        running = new Running(request, clock.millis() + TimeUnit.SECONDS.toMillis(request.seconds()));
    }

    /** Ends the trace that runs. @return whether one ran */
    public boolean stop() {
        boolean ran = isOn();
        running = null;
        return ran;
    }

    /** Whether a trace runs: ask before {@link #message}. */
    public boolean isOn() {
        return running != null;
    }

    /** How far the trace is; null if none runs. */
    public @Nullable Progress progress() {
        Running now = running;
        if (now == null) {
            return null;
        }
        synchronized (now) {
            long left = Math.max(0, Math.ceilDiv(now.endMs - clock.millis(), 1000));
            return new Progress(now.request, now.callIds.size(), now.messages, left);
        }
    }

    /** Writes a message if it belongs to a call that is traced. Allocates; called only while {@link #isOn}. */
    public void message(SipMessageView message, Way way) {
        Running now = running;
        if (now == null) {
            return;
        }
        long nowMs = clock.millis();
        boolean isOver = nowMs >= now.endMs;
        if (!isOver) {
            synchronized (now) {
                if (matches(now, message)) {
                    now.messages++;
                    write(nowMs, message, way);
                    isOver = now.messages >= now.request.messages();
                }
            }
        }
        if (isOver && running == now) {
            running = null;
            log.accept(LogCategory.SIP, LogLevel.INFO, "the trace of " + words(now.request) + " ended", null);
        }
    }

    private static String words(Request request) {
        return request.part().word() + "=" + request.pattern();
    }

    private static boolean matches(Running now, SipMessageView message) {
        String callId = message.callId();
        if (now.callIds.contains(callId)) {
            return true;
        }
        boolean isMatch = switch (now.request.part()) {
            case CALL_ID -> now.pattern.matches(callId);
            case CALLER -> isFirst(message) && isOf(now.pattern, message.fromUser(), message.fromUri());
            case CALLEE ->
                isFirst(message)
                        && (isOf(now.pattern, message.toUser(), message.toUri())
                                || now.pattern.matches(message.requestUri()));
        };
        return isMatch && now.callIds.size() < now.request.calls() && now.callIds.add(callId);
    }

    /** A request that begins something: one without a tag in To (RFC 3261, 12.2). */
    private static boolean isFirst(SipMessageView message) {
        return message.isRequest() && message.toTag().isEmpty();
    }

    private static boolean isOf(WildcardPattern pattern, String user, String uri) {
        return pattern.matches(user) || pattern.matches(uri);
    }

    private void write(long nowMs, SipMessageView message, Way way) {
        String text =
                (way.isSent() ? "to " : "from ") + way.remote() + " " + way.transport() + ": " + message.startLine();
        // bytes, of which text is made only to be shown: what is no UTF-8 becomes the replacement character
        String detail = new String(message.octets(), message.offset(), message.length(), StandardCharsets.UTF_8);
        log.offer(new LogEntry(nowMs, LogCategory.SIP, LogLevel.TRACE, text, detail));
    }
}
