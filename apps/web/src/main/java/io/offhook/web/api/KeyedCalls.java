package io.offhook.web.api;

import io.offhook.web.data.CallData;
import io.offhook.web.data.KeyedCall;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.BadRequestException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that users opened with keys of their own. Each is found by its session only, a secret that the browser of its user
 * has, and forgotten {@link #IDLE_NS} after it was last asked for, or {@link #MOST_NS} after it was opened.
 *
 * <p>Thread-safe. Bounded in number; a thread looks for those that are over while there are any.
 */
final class KeyedCalls implements AutoCloseable {
    /** Of all users together. */
    static final int MOST = 8;

    static final long IDLE_NS = 600_000_000_000L;
    static final long MOST_NS = 3600_000_000_000L;

    /** Ids begin with it; those of dropped captures do not. */
    static final String PREFIX = "k";

    private static final int LOOK_MS = 5000;
    private static final int SESSION_BYTES = 16;

    private final LongSupplier clockNs;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Opened> calls = new LinkedHashMap<>();
    private @Nullable Thread looking;
    private int last;
    private boolean isClosed;

    /** A call that is open. */
    final class Opened {
        final String id;
        /** What it was opened from: the call's id, and the dropped capture with it, or null. */
        final CallData.CallKey of;

        final @Nullable String in;
        final ReadConnections connections;
        final KeyedCall call;
        private final String session;
        private final long openedNs = clockNs.getAsLong();
        private long usedNs = openedNs;

        private Opened(String id, String session, CallData.CallKey of, @Nullable String in, KeyedCall call) {
            this.id = id;
            this.session = session;
            this.of = of;
            this.in = in;
            this.call = call;
            connections = new ReadConnections(call.data());
        }

        private boolean isOver(long nowNs) {
            return !call.isInUse() && nowNs - usedNs > IDLE_NS || nowNs - openedNs > MOST_NS;
        }

        /** Milliseconds until it is forgotten if nobody asks for it, 0 or more. */
        long leftMs() {
            long nowNs = clockNs.getAsLong();
            long leftNs = Math.min(usedNs + IDLE_NS - nowNs, openedNs + MOST_NS - nowNs);
            return Math.max(0, leftNs / 1_000_000);
        }

        private void close() {
            connections.close();
            call.close();
        }
    }

    /** @param clockNs a clock that never goes back, in nanoseconds */
    KeyedCalls(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** A session for a user who has none yet. */
    String newSession() {
        byte[] bytes = new byte[SESSION_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Opens a call.
     *
     * @param session of its user
     * @param of the call, in {@code from}
     * @param in the dropped capture that it is in, or null
     * @param keys as text; overwritten by the caller
     * @throws BadRequestException if the keys are not understood, the packets are not there, or there are too many
     */
    Opened open(String session, CallData.CallKey of, @Nullable String in, CallData from, MemorySegment keys)
            throws IOException {
        checkRoom();
        KeyedCall call;
        try {
            call = from.open(of, keys);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(400, "the keys cannot be used: " + e.getMessage());
        } catch (FileNotFoundException e) {
            throw new BadRequestException(404, String.valueOf(e.getMessage()));
        }
        boolean isKept = false;
        try {
            Opened opened = keep(session, of, in, call);
            isKept = true;
            return opened;
        } finally {
            if (!isKept) {
                call.close();
            }
        }
    }

    private synchronized Opened keep(String session, CallData.CallKey of, @Nullable String in, KeyedCall call) {
        checkRoom();
        Opened opened = new Opened(PREFIX + ++last, session, of, in, call);
        calls.put(opened.id, opened);
        if (looking == null) {
            looking = Thread.ofPlatform().daemon().name("offhook-keys").start(this::look);
        }
        return opened;
    }

    private synchronized void checkRoom() {
        if (calls.size() >= MOST || isClosed) {
            throw new BadRequestException(
                    429, MOST + " calls are open with keys; close one of them, or try again in some minutes");
        }
    }

    /** The call of that id if it is of this session, or null. */
    @Nullable
    Opened find(String id, @Nullable String session) {
        forgetOld();
        synchronized (this) {
            Opened opened = calls.get(id);
            if (opened == null || !isOf(opened, session)) {
                return null;
            }
            opened.usedNs = clockNs.getAsLong();
            return opened;
        }
    }

    private static boolean isOf(Opened opened, @Nullable String session) {
        return session != null && MessageDigest.isEqual(bytes(opened.session), bytes(session));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** All of a session, in the order in which they were opened. */
    synchronized List<Opened> all(@Nullable String session) {
        return calls.values().stream().filter(opened -> isOf(opened, session)).toList();
    }

    /** Forgets one of a session. @return false if there is none of that id */
    boolean remove(String id, @Nullable String session) {
        Opened removed = null;
        synchronized (this) {
            Opened known = calls.get(id);
            if (known != null && isOf(known, session)) {
                removed = calls.remove(id);
            }
        }
        if (removed != null) {
            removed.close();
        }
        return removed != null;
    }

    /** Forgets those that are over. */
    void forgetOld() {
        List<Opened> over = new ArrayList<>();
        long nowNs = clockNs.getAsLong();
        synchronized (this) {
            calls.values().removeIf(opened -> opened.isOver(nowNs) && over.add(opened));
        }
        over.forEach(Opened::close);
    }

    private void look() {
        try {
            while (true) {
                synchronized (this) {
                    if (calls.isEmpty() || isClosed) {
                        looking = null;
                        return;
                    }
                    wait(LOOK_MS);
                }
                forgetOld();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        List<Opened> all;
        synchronized (this) {
            isClosed = true;
            all = new ArrayList<>(calls.values());
            calls.clear();
            notifyAll();
        }
        all.forEach(Opened::close);
    }
}
