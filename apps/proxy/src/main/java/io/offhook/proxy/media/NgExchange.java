package io.offhook.proxy.media;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands and their answers, without sockets and clock. A command is a cookie, a space and a dictionary; it is sent again
 * with the same cookie until an answer with this cookie comes, so that the engine does it once. An engine that does not
 * answer gets no new calls until it answers a ping; an offer goes to another one. Single-threaded.
 */
final class NgExchange {
    private static final long MILLISECOND_NS = 1_000_000L;

    /** Sends a datagram to the engine of this index, or loses it. */
    interface Wire {
        void send(int engine, byte[] datagram);
    }

    /** Called once for each command. */
    private record Job(MediaRequest request, MediaConfig.Profile profile, Consumer<MediaReply> done, BitSet tried) {}

    private static final class Open {
        private final Job job;
        private final int engine;
        private final String cookie;
        private final byte[] datagram;
        private int sent;
        private long dueNs;
        private boolean isOver;

        private Open(Job job, int engine, String cookie, byte[] datagram) {
            this.job = job;
            this.engine = engine;
            this.cookie = cookie;
            this.datagram = datagram;
        }
    }

    private final List<MediaConfig.Engine> engines;
    private final MediaConfig.Limits limits;
    private final Wire wire;
    private final MediaCounts counts;
    private final String cookieStart;
    private final Map<String, Open> open = new HashMap<>();
    private final PriorityQueue<Open> due =
            new PriorityQueue<>((one, other) -> Long.compare(one.dueNs - other.dueNs, 0));
    /** The engine of each call, in the order of its last command. */
    private final Map<String, Integer> calls = new LinkedHashMap<>(16, 0.75f, true);

    private final BitSet up = new BitSet();
    private final long[] pingNs;
    private long cookies;

    /** @param cookieStart what no other client of these engines begins its cookies with */
    NgExchange(MediaConfig config, String cookieStart, Wire wire, MediaCounts counts) {
        engines = config.engines();
        limits = config.limits();
        this.wire = wire;
        this.counts = counts;
        this.cookieStart = cookieStart;
        up.set(0, engines.size());
        pingNs = new long[engines.size()];
    }

    // ---- commands

    /** Sends a command, or refuses it; {@code done} is called once, perhaps before this returns. */
    void submit(MediaRequest request, MediaConfig.Profile profile, Consumer<MediaReply> done, long nowNs) {
        counts.count(MediaCounter.COMMANDS);
        if (open.size() >= limits.openCommands()) {
            counts.count(MediaCounter.REFUSED);
            done.accept(MediaReply.of(MediaReply.Status.REFUSED, "too many commands are open"));
            return;
        }
        send(new Job(request, profile, done, new BitSet()), nowNs);
    }

    private void send(Job job, long nowNs) {
        int engine = engineOf(job);
        if (engine < 0) {
            counts.count(MediaCounter.UNANSWERED);
            forget(job.request);
            job.done.accept(MediaReply.of(MediaReply.Status.NO_ANSWER, "no media relay answers"));
            return;
        }
        job.tried.set(engine);
        String cookie = cookieStart + Long.toString(cookies++, 36);
        byte[] body = job.request.written(job.profile);
        byte[] datagram = new byte[cookie.length() + 1 + body.length];
        byte[] head = (cookie + " ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, datagram, 0, head.length);
        System.arraycopy(body, 0, datagram, head.length, body.length);
        Open command = new Open(job, engine, cookie, datagram);
        open.put(cookie, command);
        transmit(command, nowNs);
    }

    /** A call stays with its engine; only an offer, which starts anew anywhere, may leave one that is silent. */
    private int engineOf(Job job) {
        Integer known = calls.get(job.request.callId());
        boolean isOffer = job.request.command() == MediaCommand.OFFER;
        if (known != null && !job.tried.get(known) && (up.get(known) || !isOffer)) {
            return known;
        }
        if (!isOffer && (known != null || !job.tried.isEmpty())) {
            return -1;
        }
        BitSet may = (BitSet) up.clone();
        may.andNot(job.tried);
        return EngineChoice.of(job.request.callId(), engines, may);
    }

    private void transmit(Open command, long nowNs) {
        command.sent++;
        command.dueNs = nowNs + limits.retryMs() * MILLISECOND_NS;
        due.add(command);
        wire.send(command.engine, command.datagram);
    }

    private void remember(MediaRequest request, int engine) {
        calls.put(request.callId(), engine);
        if (calls.size() > limits.calls()) {
            calls.remove(calls.keySet().iterator().next());
            counts.count(MediaCounter.CALLS_FORGOTTEN);
        }
    }

    /** A branch that ends leaves the call with its engine. */
    private void forget(MediaRequest request) {
        if (request.command() == MediaCommand.DELETE && request.viaBranch().isEmpty()) {
            calls.remove(request.callId());
        }
    }

    // ---- answers

    /** Reads a datagram that came from an engine. */
    void received(int engine, byte[] octets, int length, long nowNs) {
        int space = 0;
        while (space < length && octets[space] != ' ') {
            space++;
        }
        String cookie = new String(octets, 0, space, StandardCharsets.ISO_8859_1);
        Open command = open.get(cookie);
        if (command == null || command.engine != engine) {
            counts.count(MediaCounter.UNEXPECTED);
            return;
        }
        if (!(BencodeReader.read(octets, Math.min(space + 1, length), length) instanceof Bencode.Dictionary reply)) {
            counts.count(MediaCounter.MALFORMED);
            return; // it is sent again, and perhaps answered better
        }
        close(command);
        up.set(engine);
        ended(command, reply, nowNs);
    }

    private void ended(Open command, Bencode.Dictionary reply, long nowNs) {
        Job job = command.job;
        String result = reply.text("result");
        switch (result) {
            case "ok", "pong" -> {
                if (job.request.command() == MediaCommand.OFFER || job.request.command() == MediaCommand.ANSWER) {
                    remember(job.request, command.engine);
                }
                forget(job.request);
                job.done.accept(new MediaReply(MediaReply.Status.OK, reply.text("sdp"), ""));
            }
            case "load limit" -> again(job, nowNs);
            default -> {
                counts.count(MediaCounter.ERRORS);
                forget(job.request);
                job.done.accept(MediaReply.of(MediaReply.Status.ERROR, reply.text("error-reason")));
            }
        }
    }

    private void again(Job job, long nowNs) {
        counts.count(MediaCounter.FAILOVERS);
        send(job, nowNs);
    }

    private void close(Open command) {
        command.isOver = true; // it leaves the queue when it is due
        open.remove(command.cookie);
    }

    // ---- time

    /** The system says that nobody listens at an engine's port: what waits for it need not wait longer. */
    void unreachable(int engine, long nowNs) {
        List<Open> lost = new ArrayList<>();
        for (Open command : open.values()) {
            if (command.engine == engine) {
                lost.add(command);
            }
        }
        silent(lost, nowNs);
    }

    /**
     * Sends again what is due, and ends what was sent often enough.
     *
     * @return nanoseconds until something is due; -1 if nothing is
     */
    long poll(long nowNs) {
        List<Open> lost = new ArrayList<>();
        for (Open next = due.peek(); next != null && next.dueNs - nowNs <= 0; next = due.peek()) {
            due.remove();
            if (next.isOver) {
                continue;
            }
            if (next.sent >= limits.tries()) {
                lost.add(next);
            } else {
                counts.count(MediaCounter.RETRANSMISSIONS);
                transmit(next, nowNs);
            }
        }
        silent(lost, nowNs);
        ping(nowNs);
        return untilDueNs(nowNs);
    }

    private void silent(Collection<Open> lost, long nowNs) {
        for (Open command : lost) {
            close(command);
            counts.count(MediaCounter.TIMEOUTS);
            if (up.get(command.engine)) {
                up.clear(command.engine);
                pingNs[command.engine] = nowNs + limits.pingMs() * MILLISECOND_NS;
            }
        }
        // only now, as these must not go to one that has just turned out to be silent
        for (Open command : lost) {
            if (command.job.request.command() == MediaCommand.OFFER) {
                again(command.job, nowNs);
            } else {
                fail(command.job);
            }
        }
    }

    private void fail(Job job) {
        if (job.request.command() != MediaCommand.PING) {
            counts.count(MediaCounter.UNANSWERED);
        }
        forget(job.request);
        job.done.accept(MediaReply.of(MediaReply.Status.NO_ANSWER, "no media relay answers"));
    }

    /** Asks silent engines whether they are back. */
    private void ping(long nowNs) {
        for (int i = up.nextClearBit(0); i < engines.size(); i = up.nextClearBit(i + 1)) {
            if (pingNs[i] - nowNs <= 0) {
                pingNs[i] = nowNs + limits.pingMs() * MILLISECOND_NS;
                String cookie = cookieStart + Long.toString(cookies++, 36);
                byte[] datagram = (cookie + " d7:command4:pinge").getBytes(StandardCharsets.US_ASCII);
                Job job = new Job(MediaRequest.ping(), NO_PROFILE, _ -> {}, new BitSet());
                Open command = new Open(job, i, cookie, datagram);
                command.sent = limits.tries() - 1; // once is enough: the next ping follows
                open.put(cookie, command);
                transmit(command, nowNs);
            }
        }
    }

    private static final MediaConfig.Flags NO_FLAGS = new MediaConfig.Flags(
            false, false, MediaConfig.Ice.DEFAULT, MediaConfig.RtpProfile.KEEP, List.of(), List.of());
    private static final MediaConfig.Profile NO_PROFILE = new MediaConfig.Profile("", "", NO_FLAGS, NO_FLAGS);

    private long untilDueNs(long nowNs) {
        Open next = due.peek();
        long until = next == null ? -1 : Math.max(0, next.dueNs - nowNs);
        for (int i = up.nextClearBit(0); i < engines.size(); i = up.nextClearBit(i + 1)) {
            long ping = Math.max(0, pingNs[i] - nowNs);
            until = until < 0 ? ping : Math.min(until, ping);
        }
        return until;
    }

    /** Ends all open commands. */
    void close() {
        List<Open> all = new ArrayList<>(open.values());
        open.clear();
        due.clear();
        for (Open command : all) {
            command.job.done.accept(MediaReply.of(MediaReply.Status.REFUSED, "closed"));
        }
    }

    boolean isUp(int engine) {
        return up.get(engine);
    }

    int openCommands() {
        return open.size();
    }

    int calls() {
        return calls.size();
    }

    /** The engine of a call; null if it is not known. */
    @Nullable
    Integer engineOf(String callId) {
        return calls.get(callId);
    }
}
