package io.offhook.research.call;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.NativeCode;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.List;

/** The cost of a call into native code, and the cost of a critical call for other threads. */
public final class CallSuite implements Suite {
    private static final String QUESTION = """
            What does it cost to leave Java, and to come back? A call through JNI, through FFM, and as FFM's `critical`
            (which does not change the thread's state); an up-call; a getter of a native structure, by an address that
            native code looks up in the Java object or that Java passes (which once reduced a getter from 105 to 25 ns);
            1,500 bytes of a Java array summed up by native code. What does an up-call cost by a thread that Java did not
            start, as libraries have them: its first one, with which the JVM comes to know the thread, and those after it; by
            JNI, whose code attaches the thread for each call or once, and by FFM, which does it by itself? And how does a critical call that takes too long delay a
            garbage collection that begins meanwhile?
            """;

    private static final List<Chart> CHARTS = List.of(
            new Chart("empty", "A call of an empty function", "JNI"),
            new Chart("upcall", "A call that calls back into Java", "JNI"),
            new Chart(NativeThreadCalls.FIRST, "The first up-call of a native thread", "JNI, attached once"),
            new Chart(NativeThreadCalls.FURTHER, "Further up-calls of a native thread", "JNI, attached once"),
            new Chart("getter", "A field of a native structure", "java in place"),
            new Chart("array", "Native code sums up 1,500 bytes", "FFM in place"),
            new Chart(
                    CriticalCollection.GROUP,
                    "A collection while native code is busy for 50 ms",
                    "Serial, nobody busy"));

    /** A suite that {@link io.offhook.research.Main} lists. */
    public CallSuite() {}

    @Override
    public String name() {
        return "call";
    }

    @Override
    public SuiteResult run(Effort effort) {
        // not CallNatives' own: that class loads the library
        String missing = new NativeCode("call").missing();
        if (missing != null) {
            return new SuiteResult(
                    name(), "A call", QUESTION, List.of(), List.of(), List.of("Not measured: " + missing + "."));
        }
        List<Measurement> all = new ArrayList<>(Jmh.of(CallBenchmark.class, effort)
                .run(
                        result -> Jmh.method(result).split("_", 2)[0],
                        result -> Jmh.words(Jmh.method(result).split("_", 2)[1])));
        List<String> remarks = new ArrayList<>();
        all.addAll(NativeThreadCalls.measure(effort));
        all.addAll(CriticalCollection.measure(effort, remarks));
        return new SuiteResult(name(), "A call", QUESTION, all, CHARTS, remarks);
    }
}
