package io.offhook.research.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.Effort;
import io.offhook.research.Measurement;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long {@code System.gc()} takes while another thread is in native code for 50 ms, by the kind of call. Each
 * collector has a process of its own; the heap is almost empty, so that waiting is measured.
 */
final class CriticalCollection {
    static final String GROUP = "collection";
    private static final long BUSY_NS = 50_000_000;
    private static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z");
    private static final List<String> WAYS =
            List.of("nobody busy", "JNI busy", "JNI busy with an array pinned", "FFM busy", "FFM critical busy");

    private CriticalCollection() {}

    static List<Measurement> measure(Effort effort, List<String> remarks) {
        List<Measurement> all = new ArrayList<>();
        int rounds = effort.pick(40, 3);
        for (String collector : effort == Effort.FULL ? COLLECTORS : List.of("Serial", "G1")) {
            try {
                fork(collector, rounds, all);
            } catch (IOException e) {
                remarks.add("The " + collector + " collector was not measured: " + e.getMessage() + ".");
            }
        }
        remarks.add(
                "A thread in native code does not keep a collection from beginning, for its state says so; in a"
                        + " critical call of FFM it looks like Java code that does not come to a safepoint, and everyone waits for"
                        + " its end. A pinned array holds a whole collection back (Serial, Parallel, Z), or its own region only (G1).");
        return all;
    }

    private static void fork(String collector, int rounds, List<Measurement> all) throws IOException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+Use" + collector + "GC",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Doffhook.research.native=" + CallNatives.CODE.path().getParent(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CriticalCollection.class.getName(),
                        Integer.toString(rounds))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split("\t", -1);
                double[] ms = new double[fields.length - 1];
                for (int i = 0; i < ms.length; i++) {
                    ms[i] = Double.parseDouble(fields[i + 1]);
                }
                all.add(measurement(collector + ", " + fields[0], ms));
            }
        }
    }

    private static Measurement measurement(String technique, double[] ms) {
        Arrays.sort(ms);
        double median = ms[ms.length / 2];
        String range = String.format(Locale.ROOT, "median; %.2f to %.2f", ms[0], ms[ms.length - 1]);
        return new Measurement(GROUP, technique, median, null, "ms", ms.length, range);
    }

    /** @param args the number of collections per kind; prints a line per kind: its name and the times in ms, with tabs */
    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        MethodHandle plain = CallNatives.CODE.downcall("offhook_busy", FunctionDescriptor.ofVoid(JAVA_LONG));
        MethodHandle critical = CallNatives.CODE.downcall(
                "offhook_busy", FunctionDescriptor.ofVoid(JAVA_LONG), Linker.Option.critical(false));
        byte[] array = new byte[1500];
        List<Runnable> busy = List.of(
                () -> {},
                () -> CallNatives.busy(BUSY_NS),
                () -> CallNatives.busyCritical(array, BUSY_NS),
                () -> invoke(plain),
                () -> invoke(critical));
        System.gc();
        for (int way = 0; way < WAYS.size(); way++) {
            StringBuilder line = new StringBuilder(WAYS.get(way));
            for (int i = 0; i < rounds; i++) {
                line.append('\t').append(collection(busy.get(way)));
            }
            System.out.println(line);
        }
    }

    private static void invoke(MethodHandle function) {
        try {
            function.invokeExact(BUSY_NS);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the time of a collection, in ms, that begins 10 ms after the other thread's call. */
    private static double collection(Runnable busy) throws InterruptedException {
        Thread thread = Thread.ofPlatform().start(busy);
        TimeUnit.MILLISECONDS.sleep(10);
        long startNs = System.nanoTime();
        System.gc();
        double ms = (System.nanoTime() - startNs) / 1e6;
        thread.join();
        return ms;
    }
}
