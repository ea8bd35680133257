package io.offhook.monitor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dump of the threads of a HotSpot JVM, read from the text that jstack(1) and jcmd(1) print. A name may have any letters; a
 * thread whose name has line breaks is left out.
 */
final class ThreadDump {
    /** {@code "name" #12 [4711] daemon prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f nid=0x1267 runnable}. */
    private static final Pattern THREAD =
            Pattern.compile("\"(.*)\" (?:#\\d+ )?(?:\\[(\\d+)] )?(?:daemon )?(?:prio=\\d+ )?(?:os_prio=.*? )?"
                    + "(?:cpu=\\S+ elapsed=\\S+ )?tid=0x\\p{XDigit}+ +(?:nid=(0x\\p{XDigit}+|\\d+) ?)?.*");

    /** {@code - waiting to lock <0x000000069ec17e78> (a java.lang.Object)}. */
    private static final Pattern LOCK = Pattern.compile("\\s+- ([a-z -]+?)\\s+<0x0*(\\p{XDigit}+)> \\(an? (.*)\\)");

    private static final Pattern HELD = Pattern.compile(".*which is held by \"(.*)\"");
    private static final Pattern WAITS = Pattern.compile(
            ".*(?:\\(object 0x0*(\\p{XDigit}+), an? |synchronizer 0x0*(\\p{XDigit}+), \\(an? )(.*)\\),?");

    private static final String STATE = "   java.lang.Thread.State: ";
    private static final String CARRIES = "   Carrying virtual thread ";
    private static final String DEADLOCK = "Found one Java-level deadlock:";
    private static final String STACKS = "Java stack information for the threads listed above:";

    private final Map<Integer, Dumped> threads = new LinkedHashMap<>();
    private final Map<Integer, String> others = new HashMap<>();
    private final List<Deadlock> deadlocks = new ArrayList<>();
    /** The names of locks, by their addresses; those in deadlocks do not say which class a {@code Class} is for. */
    private final Map<String, String> names = new HashMap<>();

    private int carriers;

    /** A thread that runs Java code. */
    static final class Dumped {
        final String name;

        @Nullable
        JavaState state;
        /** The lock that it waits for, by its name; null if none. */
        @Nullable
        String waitsFor;

        final Set<String> owned = new HashSet<>();

        Dumped(String name) {
            this.name = name;
        }
    }

    private ThreadDump() {}

    /** Reads a dump; what is not understood is left out. */
    static ThreadDump of(String text) {
        ThreadDump dump = new ThreadDump();
        List<String> lines = text.lines().toList();
        int end = lines.indexOf(DEADLOCK);
        dump.readThreads(lines.subList(0, end < 0 ? lines.size() : end));
        for (int i = Math.max(end, 0); i < lines.size() && end >= 0; i++) {
            if (lines.get(i).equals(DEADLOCK)) {
                dump.readDeadlock(lines.subList(i + 2, lines.size()));
            }
        }
        return dump;
    }

    private void readThreads(List<String> lines) {
        Dumped thread = null;
        int nativeId = 0;
        for (String line : lines) {
            if (line.startsWith("\"")) {
                Matcher header = THREAD.matcher(line);
                // of a thread that carries a virtual one, Java 25 may leave nid out
                String id = !header.matches() ? null : header.group(3) == null ? header.group(2) : header.group(3);
                boolean isHeader = id != null;
                nativeId = id == null ? 0 : Integer.decode(id);
                thread = isHeader ? new Dumped(header.group(1)) : null;
                if (thread != null) {
                    others.put(nativeId, thread.name);
                }
            } else if (thread != null && line.startsWith(STATE)) {
                thread.state = state(line.substring(STATE.length()));
                begin(nativeId, thread);
            } else if (thread != null && line.startsWith(CARRIES)) {
                carriers++;
                thread.state = thread.state == null ? JavaState.RUNNING : thread.state;
                begin(nativeId, thread);
            } else if (thread != null && line.startsWith("\t- ")) {
                lock(thread, line);
            }
        }
    }

    private void begin(int nativeId, Dumped thread) {
        threads.put(nativeId, thread);
        others.remove(nativeId);
    }

    private static @Nullable JavaState state(String text) {
        return switch (text.strip()) {
            case "RUNNABLE" -> JavaState.RUNNING;
            case "BLOCKED (on object monitor)" -> JavaState.MONITOR;
            case "TIMED_WAITING (sleeping)" -> JavaState.SLEEPING;
            case "WAITING (parking)", "TIMED_WAITING (parking)" -> JavaState.PARK;
            case "WAITING (on object monitor)", "TIMED_WAITING (on object monitor)" -> JavaState.WAIT;
            default -> null; // NEW, TERMINATED
        };
    }

    private void lock(Dumped thread, String line) {
        Matcher matcher = LOCK.matcher(line);
        if (!matcher.matches()) {
            return;
        }
        String name = matcher.group(3) + "@" + matcher.group(2);
        names.put(matcher.group(2), name);
        if (!matcher.group(1).equals("locked")) {
            thread.waitsFor = thread.waitsFor == null ? name : thread.waitsFor;
        } else if (!name.equals(thread.waitsFor)) {
            thread.owned.add(name); // what a thread waits on in Object.wait, it has let go
        }
    }

    private void readDeadlock(List<String> lines) {
        List<Deadlock.Wait> waits = new ArrayList<>();
        String thread = "";
        String lock = "";
        for (String line : lines) {
            if (line.equals(STACKS) || line.equals(DEADLOCK)) {
                break;
            }
            Matcher waitsFor = WAITS.matcher(line);
            Matcher held = HELD.matcher(line);
            if (line.startsWith("\"") && line.endsWith("\":")) {
                thread = line.substring(1, line.length() - 2);
            } else if (waitsFor.matches()) {
                String address = waitsFor.group(1) == null ? waitsFor.group(2) : waitsFor.group(1);
                lock = names.getOrDefault(address, waitsFor.group(3) + "@" + address);
            } else if (held.matches()) {
                waits.add(new Deadlock.Wait(thread, lock, held.group(1)));
            }
        }
        if (!waits.isEmpty()) {
            deadlocks.add(new Deadlock(List.copyOf(waits)));
        }
    }

    /** The threads that run Java code, by their native ids. */
    Map<Integer, Dumped> threads() {
        return threads;
    }

    /** The names of the other threads, by their native ids. */
    Map<Integer, String> others() {
        return others;
    }

    /** The deadlocks. */
    List<Deadlock> deadlocks() {
        return deadlocks;
    }

    /** How many threads carry a virtual one. */
    int carriers() {
        return carriers;
    }

    /** What each thread did, by its native id. */
    Map<Integer, JavaState> states() {
        Map<Integer, JavaState> states = new HashMap<>();
        threads.forEach((nativeId, thread) -> {
            if (thread.state != null) {
                states.put(nativeId, thread.state);
            }
        });
        return states;
    }

    /** The locks that threads wait for: monitors, and whatever threads park for that is locked. Those that wait to be notified do not. */
    List<JavaLock> locks() {
        Map<String, String> owners = new HashMap<>();
        Map<String, List<String>> waiters = new LinkedHashMap<>();
        for (Dumped thread : threads.values()) {
            thread.owned.forEach(lock -> owners.put(lock, thread.name));
            String lock = thread.waitsFor;
            boolean isLock = thread.state == JavaState.MONITOR
                    || thread.state == JavaState.PARK && lock != null && isSynchronizer(lock);
            if (lock != null && isLock) {
                waiters.computeIfAbsent(lock, _ -> new ArrayList<>()).add(thread.name);
            }
        }
        for (Deadlock deadlock : deadlocks) {
            deadlock.waits().forEach(wait -> owners.put(wait.lock(), wait.owner()));
        }
        List<JavaLock> locks = new ArrayList<>();
        waiters.forEach((lock, names) -> locks.add(new JavaLock(lock, owners.get(lock), List.copyOf(names))));
        return locks;
    }

    /** Whether a class is the part of a lock that threads park for, as those of {@code java.util.concurrent.locks} are called. */
    private static boolean isSynchronizer(String lock) {
        String type = lock.substring(0, lock.lastIndexOf('@'));
        return type.endsWith("$NonfairSync") || type.endsWith("$FairSync");
    }
}
