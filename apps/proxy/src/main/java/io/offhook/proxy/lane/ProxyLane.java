package io.offhook.proxy.lane;

import io.offhook.linux.lanes.LaneBoard;
import io.offhook.proxy.limit.OverloadGate;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipTransport;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyCore;
import io.offhook.sip.proxy.ProxyListener;
import io.offhook.sip.proxy.ProxyPolicy;
import io.offhook.sip.proxy.ProxySetup;
import io.offhook.sip.stream.StunKeepAlive;
import io.offhook.transport.DatagramAddress;
import io.offhook.transport.DatagramHandler;
import io.offhook.transport.DatagramLane;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the proxy: receives, processes, lets timers expire, sends, and waits. All of a dialog is processed by one lane
 * in the order of arrival, so that nothing is locked and nothing overtakes.
 */
public final class ProxyLane implements DatagramHandler {
    private static final int RING = 1024;
    private static final int BURST = 64;
    private static final int MAILBOX = 65_536;
    /** Within a burst, the clock is read anew for every eighth message, so that its wait includes those before it. */
    private static final int TURNS_A_CLOCK = 8;

    private static final long SECOND = 1_000_000_000;
    private static final long LONGEST_WAIT = SECOND / 10;

    private final int number;
    private final DatagramLane sockets;
    private final ProxyCore core;
    private final StreamOutput streams;
    private final Consumer<Throwable> failures;
    private final LaneServices.SourceFilter isIgnored;
    private final LaneStatistics statistics;
    private final OverloadGate overload;
    private final LaneCounters counters = new LaneCounters();
    private final LaneMailbox mailbox = new LaneMailbox(MAILBOX);
    /** What the other lanes hand over to this one, by their numbers. */
    private final HandOverRing[] rings;

    private final boolean[] woken;
    /** The listener of each socket, and the socket of each listener; -1 for those of streams. */
    private final int[] listenerOf;

    private final int[] socketOf;
    private final DatagramAddress to = new DatagramAddress();
    private final SipHop source = new SipHop();
    private final StunKeepAlive stun = new StunKeepAlive();
    private final byte[] stunAnswer = new byte[StunKeepAlive.MOST_ANSWER_BYTES];
    private List<ProxyLane> lanes = List.of();
    private long nowNs = System.nanoTime();
    private int turns;
    private long nextTrimNs = nowNs + SECOND;
    private @Nullable LanePublication publication;
    private @Nullable Thread thread;
    private volatile boolean stopped;

    /**
     * Creates a lane, which {@link ProxyLanes} starts.
     *
     * @param number its number, from 0
     * @param laneCount the number of lanes
     * @param sockets its UDP sockets, in the order of the listeners with UDP
     * @param setup the core's
     * @param services what the core and the lane ask
     */
    ProxyLane(int number, int laneCount, DatagramLane sockets, ProxySetup setup, LaneServices services) {
        this.number = number;
        this.sockets = sockets;
        streams = services.streams();
        failures = services.failures();
        isIgnored = services.isIgnored();
        statistics = services.statistics().apply(number);
        overload = new OverloadGate(
                services.overload(), statistics, ThreadLocalRandom.current().nextLong());
        rings = new HandOverRing[laneCount];
        for (int i = 0; i < laneCount; i++) {
            rings[i] = new HandOverRing(RING);
        }
        woken = new boolean[laneCount];
        List<ProxyListener> listeners = setup.identity().listeners();
        socketOf = new int[listeners.size()];
        listenerOf = new int[listeners.size()];
        int socket = 0;
        for (int i = 0; i < socketOf.length; i++) {
            boolean isDatagram = listeners.get(i).transport() == SipTransport.UDP;
            socketOf[i] = isDatagram ? socket : -1;
            if (isDatagram) {
                listenerOf[socket++] = i;
            }
        }
        ProxyPolicy policy = services.policies().create(this);
        HopResolver resolver = services.resolvers().create(this);
        core = new ProxyCore(number, setup, policy, resolver, this::send, nowNs);
    }

    void start(List<ProxyLane> all, String name) {
        lanes = all;
        Thread started = Thread.ofPlatform().name(name).unstarted(this::run);
        thread = started;
        started.start();
    }

    /** The number of the lane, from 0. */
    public int number() {
        return number;
    }

    /** What the lane has counted. */
    public LaneCounters counters() {
        return counters;
    }

    /** The core, which belongs to the lane's thread. */
    public ProxyCore core() {
        return core;
    }

    /** The UDP sockets, of which only the counters are for other threads. */
    public DatagramLane sockets() {
        return sockets;
    }

    /** What refuses new requests when messages wait too long; of the lane's thread. */
    public OverloadGate overload() {
        return overload;
    }

    /** Lets the lane do something on its thread; false if too much waits already. Thread-safe. */
    public boolean execute(LaneTask task) {
        boolean isTaken = mailbox.offer(task);
        if (isTaken) {
            sockets.wakeUp();
        }
        return isTaken;
    }

    /**
     * Processes a message. On the lane's thread.
     *
     * @param arrivedNs when it arrived, as {@link System#nanoTime} counts
     */
    void receive(byte[] octets, int offset, int length, SipHop from, long arrivedNs) {
        if ((++turns & TURNS_A_CLOCK - 1) == 0) {
            nowNs = System.nanoTime();
        }
        overload.turn(arrivedNs, nowNs);
        core.receive(octets, offset, length, from, nowNs);
    }

    /** Has the lane publish what it does, from its next turn on; false if too much waits already. Thread-safe. */
    public boolean publish(LaneBoard board) {
        return execute(_ -> publishOn(board));
    }

    void stop() {
        stopped = true;
        sockets.wakeUp();
    }

    void join() throws InterruptedException {
        Thread running = thread;
        if (running != null) {
            running.join();
        }
    }

    private void run() {
        while (!stopped) {
            long beganNs = System.nanoTime();
            nowNs = beganNs;
            LanePublication published = publication;
            if (published != null) {
                published.begins(beganNs);
            }
            try {
                int messages = sockets.receive(this) + takeHandedOver();
                if (published != null) {
                    published.took(beganNs, messages);
                }
                int work = messages + runTasks();
                if (core.transactions().nextNs() <= nowNs) {
                    core.transactions().advance(nowNs);
                }
                if (nowNs >= nextTrimNs) {
                    nextTrimNs = nowNs + SECOND;
                    core.trim();
                }
                sockets.flush();
                statistics.departed();
                wakeOthers();
                if (work == 0) {
                    await();
                }
            } catch (RuntimeException | Error e) {
                // costs the message at hand; the lane and all other calls go on
                counters.countFailure();
                failures.accept(e);
            }
        }
        publishOn(null);
    }

    /**
     * Publishes from now on what the lane does.
     *
     * @param board null to end it
     */
    private void publishOn(@Nullable LaneBoard board) {
        if (publication != null) {
            publication.ends(System.nanoTime());
        }
        publication = board == null ? null : LanePublication.on(board, "proxy-" + number, sockets, mailbox, counters);
    }

    @Override
    public void datagram(int socket, byte[] octets, int length, DatagramAddress from, DatagramAddress local) {
        if (!DatagramSource.isOneHost(from.high(), from.low(), from.port())) {
            counters.countUnanswerable();
            return;
        }
        if (isIgnored.test(from.high(), from.low())) {
            return;
        }
        source.set(SipTransport.UDP, listenerOf[socket], from.high(), from.low(), from.port());
        if (StunKeepAlive.isStun(octets, 0, length)) {
            answerStun(socket, octets, length, from);
            return;
        }
        if (SipRecognizer.isKeepAlive(octets, 0, length)) {
            counters.countKeepAlive();
            return;
        }
        if (rings.length > 1) {
            int owner = MessageLane.of(octets, length, number, rings.length);
            if (owner != number) {
                handOver(owner, octets, length);
                return;
            }
        }
        receive(octets, 0, length, source, sockets.arrivalNs());
    }

    /** A phone keeps its binding of a NAT open, and learns its address (RFC 5626, 3.5.2). */
    private void answerStun(int socket, byte[] octets, int length, DatagramAddress from) {
        counters.countKeepAlive();
        int answered = stun.answer(octets, 0, length, from.ip(), from.port(), stunAnswer);
        if (answered > 0) {
            sockets.send(socket, stunAnswer, 0, answered, from);
        }
    }

    @Override
    public void failed(int socket, DatagramAddress address, int errno) {
        source.set(SipTransport.UDP, listenerOf[socket], address.high(), address.low(), address.port());
        core.transactions().transportFailed(source, nowNs);
        if (rings.length > 1) {
            reportToOthers(new SipHop().set(source));
        }
    }

    /** The kernel gives an ICMP error to any of the sockets that share a port, not to the one that has sent. */
    private void reportToOthers(SipHop unreachable) {
        for (ProxyLane lane : lanes) {
            if (lane != this) {
                lane.execute(atNs -> lane.core.transactions().transportFailed(unreachable, atNs));
            }
        }
    }

    private void handOver(int owner, byte[] octets, int length) {
        if (lanes.get(owner).rings[number].put(octets, length, source, sockets.arrivalNs())) {
            counters.countHandedOver();
            woken[owner] = true;
        } else {
            counters.countHandOverRefused();
        }
    }

    private int takeHandedOver() {
        int taken = 0;
        for (int i = 0; i < rings.length; i++) {
            if (i != number) {
                taken += rings[i].take(this::handedOver, BURST);
            }
        }
        return taken;
    }

    private void handedOver(byte[] message, int length, SipHop from, long arrivedNs) {
        receive(message, 0, length, from, arrivedNs);
    }

    private int runTasks() {
        int done = 0;
        while (done < BURST) {
            LaneTask task = mailbox.poll();
            if (task == null) {
                break;
            }
            task.run(nowNs);
            done++;
        }
        return done;
    }

    private void wakeOthers() {
        for (int i = 0; i < woken.length; i++) {
            if (woken[i]) {
                woken[i] = false;
                lanes.get(i).sockets.wakeUp();
            }
        }
    }

    /** A lane that took nothing waits for whatever comes first. */
    private void await() {
        long sinceNs = System.nanoTime();
        LanePublication published = publication;
        if (published != null) {
            published.waits(sinceNs);
        }
        long next = Math.min(core.transactions().nextNs() - sinceNs, LONGEST_WAIT);
        sockets.await(Math.max(next, 0));
    }

    private boolean send(SipHop hop, byte[] octets, int offset, int length) {
        if (hop.transport() != SipTransport.UDP) {
            return streams.send(hop, octets, offset, length);
        }
        int listener = hop.listener();
        int socket = listener >= 0 && listener < socketOf.length ? socketOf[listener] : -1;
        if (socket < 0 || hop.port() == 0) {
            return false;
        }
        to.set(hop.high(), hop.low(), hop.port(), 0);
        return sockets.send(socket, octets, offset, length, to);
    }
}
