package io.offhook.proxy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.book.CallMessages;
import io.offhook.proxy.config.OperationConfig;
import io.offhook.proxy.log.CallTrace;
import io.offhook.proxy.log.ProxyLog;
import io.offhook.proxy.mirror.Mirror;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.tap.CallKeys;
import io.offhook.proxy.tap.MessageTap;
import io.offhook.proxy.tap.MessageWatcher;
import io.offhook.sip.transaction.TransactionObserver;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who watches the messages of the lanes: the HEP mirror, the trace, and the memory of each call's messages. */
final class MessageObservation implements AutoCloseable {
    private final List<Endpoint> locals;
    private final CallKeys keys = new CallKeys(new SecureRandom());
    private final int mostCalls;
    private final int callMessages;
    private final CallTrace trace;
    private final @Nullable Mirror mirror;
    private final InstantSource clock;
    /** By lane; empty if none are remembered. */
    private final List<CallMessages> books = new ArrayList<>();

    /**
     * Starts the mirror, if there is one.
     *
     * @param log where a trace is written to
     * @param locals the addresses of the listeners
     * @param mostCalls the most calls of a lane whose messages are remembered
     * @throws IOException if a file of the configuration cannot be read
     */
    MessageObservation(OperationConfig config, ProxyLog log, List<Endpoint> locals, int mostCalls, InstantSource clock)
            throws IOException {
        this.locals = locals;
        this.mostCalls = mostCalls;
        this.clock = clock;
        callMessages = config.statistics().callMessages();
        trace = new CallTrace(log, clock);
        mirror = config.mirror().open();
    }

    /** Makes the observer of the next lane, by way of which another one counts. */
    TransactionObserver observer(TransactionObserver counts) {
        List<MessageWatcher> watchers = new ArrayList<>();
        if (callMessages > 0) {
            CallMessages book = new CallMessages(mostCalls, callMessages, locals, keys);
            books.add(book);
            watchers.add(book);
        }
        if (mirror != null) {
            watchers.add(mirror.watcher());
        }
        watchers.add(trace);
        return new MessageTap(counts, watchers, locals, keys, clock);
    }

    /** The messages of the calls of a lane, for its thread; null if none are remembered. */
    @Nullable
    CallMessages ofLane(int lane) {
        return lane < books.size() ? books.get(lane) : null;
    }

    CallTrace trace() {
        return trace;
    }

    /** What became of mirrored messages. */
    List<CauseFigure> causes() {
        return mirror == null ? List.of() : mirror.figures();
    }

    @Override
    public void close() {
        if (mirror != null) {
            mirror.close();
        }
    }
}
