package io.offhook.research;

import io.offhook.testkit.peers.JavaProcess;
import java.util.ArrayList;
import java.util.List;

/** Starts the JVMs that measure. */
public final class Forks {
    /** Options of each JVM: it may call native code, read memory by Unsafe, and finds the peers. */
    static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Doffhook.research.native=" + NativeCode.FOLDER);

    private Forks() {}

    /**
     * Runs a main method in a JVM of its own, to its end; its standard error is ours.
     *
     * @param main has the method
     * @return the lines that it printed
     * @throws IllegalStateException when it did not end with 0
     */
    public static List<String> run(Class<?> main, String... arguments) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("-Xmx512m");
        return JavaProcess.run(options, main, arguments);
    }
}
