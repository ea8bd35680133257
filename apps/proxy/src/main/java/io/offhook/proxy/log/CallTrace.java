package io.offhook.proxy.log;

import io.offhook.packet.Endpoint;
import io.offhook.packet.WrapStatus;
import io.offhook.proxy.tap.MessageWatcher;
import io.offhook.proxy.tap.SeenMessage;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of calls that match a pattern to the log, until its time is over or as many calls, messages or bytes as
 * it may write were written. One trace runs at a time, for all lanes. While none runs, a message costs one read ({@link
 * #isOn}); while one runs, the messages of all calls are looked at.
 *
 * <p>A call matches by its Call-ID, or by a request outside of a dialog from a caller or to a callee; it is remembered then,
 * so that all later messages of it are written, those of other hops included. Thread-safe.
 */
public final class CallTrace implements MessageWatcher {
    /** The longest time that a trace may run. */
    public static final long MOST_SECONDS = TimeUnit.DAYS.toSeconds(1);

    /** The most bytes of messages that a trace may write. */
    public static final int MOST_BYTES = 100_000_000;

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
     * @param bytes the most bytes of messages, 1 to {@link #MOST_BYTES}; the last message may go beyond
     */
    public record Request(Part part, String pattern, long seconds, int calls, int messages, long bytes) {
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
            if (bytes < 1 || bytes > MOST_BYTES) {
                throw new IllegalArgumentException(bytes + " bytes are not within 1 and " + MOST_BYTES);
            }
        }
    }

    /**
     * How far a trace is.
     *
     * @param request what is traced
     * @param calls the calls that matched
     * @param messages the messages that were written
     * @param bytes their bytes
     * @param secondsLeft until it ends, rounded up
     */
    public record Progress(Request request, int calls, int messages, long bytes, long secondsLeft) {}

    private static final class Running {
        private final Request request;
        private final WildcardPattern pattern;
        private final long endMs;
        /** The calls that matched, by {@link SeenMessage#callKey}. */
        private final Set<Long> calls = ConcurrentHashMap.newKeySet();
        /** What was written; guarded by this. */
        private int messages;

        private long bytes;

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
    public synchronized void start(Request request) {
        running = new Running(request, clock.millis() + TimeUnit.SECONDS.toMillis(request.seconds()));
    }

    /** Ends the trace that runs. @return whether one ran */
    public synchronized boolean stop() {
        boolean ran = isOn();
        running = null;
        return ran;
    }

    /** Whether a trace runs. */
    @Override
    public boolean isOn() {
        return running != null;
    }

    /** How far the trace is; null if none runs. */
    public @Nullable Progress progress() {
        Running now = running;
        if (now == null) {
            return null;
        }
        long nowMs = clock.millis();
        if (nowMs >= now.endMs) {
            end(now);
            return null;
        }
        synchronized (now) {
            return new Progress(
                    now.request, now.calls.size(), now.messages, now.bytes, Math.ceilDiv(now.endMs - nowMs, 1000));
        }
    }

    /** Writes a message if it belongs to a call that is traced. Allocates. */
    @Override
    public void seen(SeenMessage message) {
        Running now = running;
        if (now == null) {
            return;
        }
        if (clock.millis() >= now.endMs) {
            end(now);
        } else if (message.callKey() != 0 && (now.calls.contains(message.callKey()) || isNew(now, message))) {
            if (write(now, message)) {
                end(now);
            }
        }
    }

    private void end(Running now) {
        boolean isFirst;
        synchronized (this) {
            isFirst = running == now;
            if (isFirst) {
                running = null;
            }
        }
        if (isFirst) {
            String of = now.request.part().word() + "=" + now.request.pattern();
            log.accept(LogCategory.SIP, LogLevel.INFO, "the trace of " + of + " ended", null);
        }
    }

    /** Whether a call that is not known yet matches, and there is room for it. */
    private static boolean isNew(Running now, SeenMessage message) {
        if (!matches(now, message)) {
            return false;
        }
        synchronized (now) {
            return now.calls.size() < now.request.calls() && now.calls.add(message.callKey());
        }
    }

    private static boolean matches(Running now, SeenMessage message) {
        if (now.request.part() == Part.CALL_ID) {
            return now.pattern.matches(text(message, message.callIdOffset(), message.callIdLength()));
        }
        SipMessageView view = new SipMessageView();
        // what begins something: a request without a tag in To (RFC 3261, 12.2)
        if (message.status() != 0
                || view.wrap(message.octets(), message.offset(), message.length()) != WrapStatus.OK
                || !view.isRequest()
                || !view.toTag().isEmpty()) {
            return false;
        }
        return now.request.part() == Part.CALLER
                ? isOf(now.pattern, view.fromUser(), view.fromUri())
                : isOf(now.pattern, view.toUser(), view.toUri()) || now.pattern.matches(view.requestUri());
    }

    private static boolean isOf(WildcardPattern pattern, String user, String uri) {
        return pattern.matches(user) || pattern.matches(uri);
    }

    /** Writes a message; true if it was the last one. */
    private boolean write(Running now, SeenMessage message) {
        synchronized (now) {
            if (isFull(now)) {
                return true; // another lane wrote the last one
            }
            now.messages++;
            now.bytes += message.length();
            String detail = text(message, message.offset(), message.length());
            int lineEnd = detail.indexOf('\r');
            SipHop remote = message.remote();
            Endpoint far = new Endpoint(remote.high(), remote.low(), remote.port());
            String ends = message.isSent() ? message.local() + " > " + far : far + " > " + message.local();
            log.offer(new LogEntry(
                    message.epochNs() / 1_000_000,
                    LogCategory.SIP,
                    LogLevel.TRACE,
                    (message.isSent() ? "sent " : "received ") + ends + " " + remote.transport() + ": "
                            + (lineEnd < 0 ? detail : detail.substring(0, lineEnd)),
                    detail));
            return isFull(now);
        }
    }

    private static boolean isFull(Running now) {
        return now.messages >= now.request.messages() || now.bytes >= now.request.bytes();
    }

    /** Bytes, of which text is made only to be shown: what is no UTF-8 becomes the replacement character. */
    private static String text(SeenMessage message, int offset, int length) {
        return new String(message.octets(), offset, length, StandardCharsets.UTF_8);
    }
}
