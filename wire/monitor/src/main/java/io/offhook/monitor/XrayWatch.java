package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.monitor.xray.Evidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects {@link Evidence} of what a HotSpot JVM does, for whoever knows when it was asked and when it answered. Threads and sockets
 * are sampled each two milliseconds, less often where that would take more than a tenth of a processor; pauses come from Flight
 * Recorder about a second late; a dump of threads, of which there is at most one in half a second, names the lock and its owner when a
 * thread is blocked for long. The evidence goes back {@link #KEPT_NS}. Thread-safe.
 */
public final class XrayWatch implements AutoCloseable {
    /** How far back the evidence goes, in nanoseconds. */
    public static final long KEPT_NS = 60_000_000_000L;

    private static final int MOST_PLACE_DUMPS = 20;
    private static final long LOOK_NS = 20_000_000L;
    private static final long DUMP_NS = 500_000_000L;
    private static final long PAUSES_NS = 200_000_000L;
    private static final long REFRESH_NS = 1_000_000_000L;

    private final long pid;
    private final Evidence evidence = new Evidence();
    private final List<String> notes = new ArrayList<>();
    private final ProcessSockets sockets;
    private final EvidenceSampler sampler;
    private final @Nullable AttachSocket socket;
    private final @Nullable PauseStream pauses;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread keeper;
    private int placeDumps;
    private long heardBeforeNs;
    private volatile long pausesUntilNs;

    private XrayWatch(long pid) throws IOException {
        this.pid = pid;
        HotSpotLayout layout = HotSpotLayout.of(pid);
        sockets = new ProcessSockets(pid);
        boolean isOpen = false;
        try {
            sockets.refresh();
            sampler = new EvidenceSampler(pid, new HotSpotThreads(pid, layout), new WaitKinds(), sockets, evidence);
            isOpen = true;
        } finally {
            if (!isOpen) {
                sockets.close();
            }
        }
        socket = openSocket();
        pauses = socket == null ? null : new PauseStream(socket, pid, null);
        keeper = Thread.ofPlatform().daemon().name("offhook-xray-keeper").unstarted(this::keep);
    }

    /**
     * Starts to watch a JVM, and waits until its pauses are recorded, half a minute at most.
     *
     * @param pid its number, in the namespace of this process
     * @throws NoProcessException if there is no such process, it is no JVM, it is in another network namespace, or it may not be looked
     *     at; the message says what helps
     */
    public static XrayWatch of(long pid) throws NoProcessException {
        Path process = Path.of("/proc", Long.toString(pid));
        if (!Files.isDirectory(process)) {
            throw new NoProcessException("there is no process " + pid);
        }
        checkNamespace(pid);
        if (!HotSpotLayout.isJvm(pid)) {
            boolean isClosed = !Files.isReadable(process.resolve("maps"));
            throw new NoProcessException(
                    isClosed
                            ? "process " + pid + " may not be looked at: run this as its user, or as root"
                            : "process " + pid
                                    + " is no HotSpot JVM, and only of those it can be seen what they wait for");
        }
        XrayWatch watch;
        try {
            watch = new XrayWatch(pid);
        } catch (LinuxException | IOException e) {
            throw new NoProcessException("process " + pid + " cannot be looked into: " + e.getMessage()
                    + "; run this as its user, or as root, which the kernel may demand"
                    + " (/proc/sys/kernel/yama/ptrace_scope)");
        }
        watch.start();
        return watch;
    }

    private static void checkNamespace(long pid) throws NoProcessException {
        String own = namespace("self");
        String other = namespace(Long.toString(pid));
        if (own != null && other != null && !own.equals(other)) {
            throw new NoProcessException(
                    "process " + pid + " is in another network namespace, whose sockets and interfaces"
                            + " are not seen from here: sudo nsenter -t " + pid + " -n offhook threads " + pid
                            + " --calls ...");
        }
    }

    private static @Nullable String namespace(String process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", process, "ns", "net"))
                    .toString();
        } catch (IOException e) {
            return null;
        }
    }

    private @Nullable AttachSocket openSocket() {
        try {
            return AttachSocket.of(pid);
        } catch (IOException e) {
            notes.add("owners of locks and causes of pauses are missing, and names are cut, because the JVM cannot be"
                    + " attached to: " + e.getMessage());
            return null;
        }
    }

    private void start() {
        dump();
        sampler.start();
        keeper.start();
        if (pauses != null) {
            pauses.awaitStart(Duration.ofSeconds(30));
        }
    }

    private void keep() {
        long dumpedNs = System.nanoTime();
        long pausedNs = dumpedNs;
        long refreshedNs = dumpedNs;
        try {
            while (!end.await(LOOK_NS, TimeUnit.NANOSECONDS)) {
                long now = System.nanoTime();
                if (now - dumpedNs >= DUMP_NS && (sampler.isBlockUnknown() || isPlaceWorthADump())) {
                    dump();
                    dumpedNs = now;
                }
                if (now - pausedNs >= PAUSES_NS) {
                    takePauses();
                    pausedNs = now;
                }
                if (now - refreshedNs >= REFRESH_NS) {
                    refresh();
                    refreshedNs = now;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The JVM compiles code, which moves the places where threads wait, mostly in the beginning. */
    private boolean isPlaceWorthADump() {
        if (placeDumps < MOST_PLACE_DUMPS && sampler.takePlaceUnknown()) {
            placeDumps++;
            return true;
        }
        return false;
    }

    private void takePauses() {
        if (pauses != null) {
            long heardNs = pauses.knownUntilNs();
            for (Pause pause : pauses.take()) {
                evidence.pause(
                        pause.startNs(),
                        pause.startNs() + pause.durationNs(),
                        pause.kind() == Pause.Kind.GC,
                        pause.cause());
            }
            pausesUntilNs = heardBeforeNs; // one whose collection is not named yet comes the next time
            heardBeforeNs = heardNs;
        }
    }

    private void refresh() {
        try {
            sockets.refresh();
        } catch (IOException | LinuxException e) {
            // it has ended: the sampler notices
        }
        evidence.forget(evidence.sampledNs() - KEPT_NS);
    }

    /** Has the JVM dump its threads: for names, for what threads do where they wait, and for the locks that they are blocked on. */
    private void dump() {
        if (socket == null) {
            return;
        }
        Map<Integer, Long> before = sampler.places();
        Instant asked = Instant.now();
        ThreadDump dump;
        try {
            dump = ThreadDump.of(socket.threadDump());
        } catch (IOException e) {
            return; // it has ended, or is stopped
        }
        sampler.learn(before, sampler.places(), dump.states());
        Map<Integer, String> names = new HashMap<>();
        Map<String, String> owners = new HashMap<>();
        for (JavaLock lock : dump.locks()) {
            if (lock.owner() != null) {
                owners.put(lock.name(), lock.owner());
            }
        }
        long askedNs = asked.getEpochSecond() * 1_000_000_000L + asked.getNano();
        dump.threads().forEach((id, thread) -> {
            names.put(id, thread.name);
            String lock = thread.waitsFor;
            if (thread.state == JavaState.MONITOR && lock != null) {
                String owner = owners.get(lock);
                evidence.blocked(id, askedNs, lock + (owner == null ? "" : ", which " + owner + " has"));
            }
        });
        sampler.rename(names);
    }

    /** What is seen, which goes on being filled. */
    public Evidence evidence() {
        return evidence;
    }

    /** The sockets of the process, as they were a second ago at most. */
    public List<OwnSocket> sockets() {
        return sockets.all();
    }

    /**
     * Until when the evidence is complete, nanoseconds since the epoch: samples, and pauses, too, where they are recorded; these are
     * not waited for longer than ten seconds.
     */
    public long completeNs() {
        long sampledNs = evidence.sampledNs();
        if (pauses == null || pauses.fault() != null) {
            return sampledNs;
        }
        return Math.min(sampledNs, Math.max(pausesUntilNs, sampledNs - 10_000_000_000L));
    }

    /** The time between two samples now, in nanoseconds. */
    public long periodNs() {
        return sampler.periodNs();
    }

    /** Whether the process has ended, or cannot be sampled any more. */
    public boolean isOver() {
        return sampler.isOver();
    }

    /** What is missing, and why; empty if nothing is. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        String fault = pauses == null ? null : pauses.fault();
        if (fault != null) {
            all.add("pauses are missing, because Flight Recorder cannot be used: " + fault);
        }
        String ended = sampler.fault();
        if (ended != null && Files.isDirectory(Path.of("/proc", Long.toString(pid)))) {
            all.add("samples have ended early: " + ended);
        }
        return all;
    }

    /** Ends the samples, and what was started in the JVM. */
    @Override
    public void close() {
        end.countDown();
        try {
            keeper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sampler.close();
        if (pauses != null) {
            pauses.close();
        }
        sockets.close();
    }
}
