package io.offhook.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers that the threads of a process have for themselves, where it is in a namespace of processes of its own, as in a
 * container ({@code NSpid} of proc(5)). Elsewhere they are those that they have here.
 */
final class NativeIds {
    private static final String NUMBERS = "NSpid:";
    private static final int MOST = 16_384;

    private final Path process;
    private final boolean isSame;
    private final Map<Integer, Integer> inside = new HashMap<>();
    private final Map<Integer, Integer> outside = new HashMap<>();

    private NativeIds(Path process, boolean isSame) {
        this.process = process;
        this.isSame = isSame;
    }

    /** @param pid the number of the process here */
    static NativeIds of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        return new NativeIds(process, numbers(process.resolve("status")).length < 2);
    }

    /** The numbers of a thread in each namespace, that of the reader first; none if they are not known. */
    private static String[] numbers(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(NUMBERS)) {
                    return line.substring(NUMBERS.length()).strip().split("\\s+", -1);
                }
            }
        } catch (IOException e) {
            // it has ended
        }
        return new String[0];
    }

    /** The number that a thread has for itself. */
    int inside(int id) {
        if (isSame) {
            return id;
        }
        Integer known = inside.get(id);
        if (known == null) {
            String[] numbers = numbers(
                    process.resolve("task").resolve(Integer.toString(id)).resolve("status"));
            if (numbers.length == 0) {
                return id;
            }
            if (inside.size() >= MOST) {
                inside.clear();
                outside.clear();
            }
            known = Integer.parseInt(numbers[numbers.length - 1]);
            inside.put(id, known);
            outside.put(known, id);
        }
        return known;
    }

    /** The number here of a thread that was asked for before; the same if it was not. */
    int outside(int id) {
        return isSame ? id : outside.getOrDefault(id, id);
    }

    /** A thread has ended, and its number may be given to another. */
    void ends(int id) {
        inside.remove(id);
    }

    /** What is known by the numbers that threads have for themselves, by those that they have here. */
    <V> Map<Integer, V> outside(Map<Integer, V> byInside) {
        if (isSame) {
            return byInside;
        }
        Map<Integer, V> byOutside = new HashMap<>();
        byInside.forEach((id, value) -> byOutside.put(outside(id), value));
        return byOutside;
    }
}
