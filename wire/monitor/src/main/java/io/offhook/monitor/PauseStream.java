package io.offhook.monitor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of a JVM, streamed out of the repository of a recording of Flight Recorder that is started in it, with events for pauses
 * alone, unless its methods are sampled, too. It arrives within about a second.
 */
final class PauseStream implements AutoCloseable {
    private static final String GC_PAUSE = "jdk.GCPhasePause";
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String REPOSITORY = "Repository path: ";

    /** The most pauses between two looks, and collections whose cause is remembered. */
    private static final int MOST = 10_000;

    private static final int MOST_CAUSES = 1000;
    private static final long NS_A_SECOND = 1_000_000_000L;

    private final AttachSocket socket;
    private final String recording;
    private final Thread starting;
    /** Null where methods are not sampled. */
    private final @Nullable ProfileStream profile;

    private volatile @Nullable EventStream stream;
    private volatile @Nullable String fault;
    private volatile long knownUntilNs;
    /** When the JVM handed over what it had recorded; of the thread of the stream. */
    private long flushedNs;
    /** Collections by their numbers, and their causes. */
    private final Map<Integer, String> causes = new LinkedHashMap<>();

    private final List<Collecting> collecting = new ArrayList<>();
    private final List<Pause> operations = new ArrayList<>();
    /** Pauses for the garbage collector that were reported already, to which operations may belong. */
    private final Deque<Pause> reported = new ArrayDeque<>();

    /** A pause of a garbage collection whose cause may not be known yet. */
    private record Collecting(int collection, Pause pause, boolean isOld) {}

    /**
     * Starts a recording in a JVM, which takes its time: until it runs, there are no pauses.
     *
     * @param pid the number of the process
     * @param profile receives hot methods and allocation; null if they are not wanted, and not recorded
     */
    PauseStream(AttachSocket socket, long pid, @Nullable ProfileStream profile) {
        this.socket = socket;
        this.profile = profile;
        recording = "offhook-" + ProcessHandle.current().pid();
        starting = Thread.ofPlatform().daemon().name("offhook-pauses").start(() -> start(pid));
    }

    private void start(long pid) {
        StringBuilder command =
                new StringBuilder("JFR.start settings=none maxage=1m maxsize=16m name=").append(recording);
        for (String event : List.of(GC_PAUSE, COLLECTION, OPERATION)) {
            command.append(" +")
                    .append(event)
                    .append("#enabled=true +")
                    .append(event)
                    .append("#threshold=0ns");
        }
        if (profile != null) {
            command.append(ProfileStream.SETTINGS);
        }
        try {
            socket.jcmd(command.toString());
            EventStream events = EventStream.openRepository(repository(pid));
            events.setReuse(false);
            events.setStartTime(Instant.EPOCH); // with what was recorded before it could be streamed
            events.onEvent(GC_PAUSE, this::add);
            events.onEvent(COLLECTION, this::name);
            events.onEvent(OPERATION, this::operate);
            events.onFlush(this::flushed);
            if (profile != null) {
                profile.subscribe(events);
            }
            events.startAsync();
            stream = events;
        } catch (IOException e) {
            fault = e.getMessage();
        }
    }

    private Path repository(long pid) throws IOException {
        String repository = socket.jcmd("JFR.configure")
                .lines()
                .filter(line -> line.startsWith(REPOSITORY))
                .map(line -> line.substring(REPOSITORY.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("it does not say where it has its repository"));
        return Path.of("/proc", Long.toString(pid), "root").resolve(repository.substring(repository.indexOf('/') + 1));
    }

    /** Waits until the recording has started or failed, at most so long. @return whether pauses are recorded */
    boolean awaitStart(Duration most) {
        try {
            starting.join(most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return stream != null;
    }

    /**
     * Until when all pauses have arrived, nanoseconds since the epoch; 0 if that is not known. The JVM hands over what it recorded once
     * a second: what had happened when it did so before has come since.
     */
    long knownUntilNs() {
        return knownUntilNs;
    }

    private void flushed() {
        Instant now = Instant.now();
        knownUntilNs = flushedNs;
        flushedNs = now.getEpochSecond() * NS_A_SECOND + now.getNano();
    }

    /** Why there are no pauses; null if there are, or it is not known yet. */
    @Nullable
    String fault() {
        return fault;
    }

    private synchronized void add(RecordedEvent event) {
        if (collecting.size() < MOST) {
            Pause pause = pause(event, Pause.Kind.GC, event.getString("name"));
            collecting.add(new Collecting(event.getInt("gcId"), pause, false));
        }
    }

    private synchronized void name(RecordedEvent event) {
        causes.put(event.getInt("gcId"), event.getString("cause"));
        if (causes.size() > MOST_CAUSES) {
            causes.remove(causes.keySet().iterator().next());
        }
    }

    private synchronized void operate(RecordedEvent event) {
        if (event.getBoolean("safepoint") && operations.size() < MOST) {
            operations.add(pause(event, Pause.Kind.SAFEPOINT, event.getString("operation")));
        }
    }

    private static Pause pause(RecordedEvent event, Pause.Kind kind, String cause) {
        Instant start = event.getStartTime();
        return new Pause(
                start.getEpochSecond() * NS_A_SECOND + start.getNano(),
                event.getDuration().toNanos(),
                kind,
                cause);
    }

    /** Takes the pauses that arrived since it was called last, in the order of time. */
    synchronized List<Pause> take() {
        List<Pause> pauses = new ArrayList<>();
        List<Collecting> waiting = new ArrayList<>();
        for (Collecting one : collecting) {
            String cause = causes.get(one.collection());
            if (cause == null && !one.isOld()) {
                // a collection that runs beside the program is over, and named, after its pauses
                waiting.add(new Collecting(one.collection(), one.pause(), true));
            } else {
                Pause pause = one.pause();
                pauses.add(
                        cause == null ? pause : new Pause(pause.startNs(), pause.durationNs(), Pause.Kind.GC, cause));
            }
        }
        reported.addAll(pauses);
        waiting.forEach(one -> reported.add(one.pause()));
        while (reported.size() > MOST_CAUSES) {
            reported.removeFirst();
        }
        collecting.clear();
        collecting.addAll(waiting);
        operations.stream().filter(operation -> !isCollection(operation)).forEach(pauses::add);
        operations.clear();
        pauses.sort((a, b) -> Long.compare(a.startNs(), b.startNs()));
        return pauses;
    }

    /** Whether an operation is the one that a pause for the garbage collector was part of. */
    private boolean isCollection(Pause operation) {
        long endNs = operation.startNs() + operation.durationNs();
        for (Pause pause : reported) {
            if (pause.startNs() < endNs && operation.startNs() < pause.startNs() + pause.durationNs()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the recording. */
    @Override
    public void close() {
        try {
            starting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        EventStream events = stream;
        if (events != null) {
            events.close();
        }
        try {
            socket.jcmd("JFR.stop name=" + recording);
        } catch (IOException e) {
            // the JVM has ended, and the recording with it; or it was never started
        }
    }
}
