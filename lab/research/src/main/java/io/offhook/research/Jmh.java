package io.offhook.research;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the JMH benchmarks of a class, and converts their results to measurements. */
public final class Jmh {
    private static final TimeValue MOMENT = new TimeValue(100, TimeUnit.MILLISECONDS);
    private static final int WARM_UP_BATCH = 1_000_000;

    private final Effort effort;
    private final Class<?> benchmarks;
    private final List<String> jvmArguments = new ArrayList<>(Forks.OPTIONS);
    private final Map<String, String[]> parameters = new LinkedHashMap<>();
    private @Nullable String methods;
    private int batch;
    private @Nullable Function<RunResult, String> note;

    private Jmh(Class<?> benchmarks, Effort effort) {
        this.benchmarks = benchmarks;
        this.effort = effort;
    }

    /** All benchmarks of a class. */
    public static Jmh of(Class<?> benchmarks, Effort effort) {
        return new Jmh(benchmarks, effort);
    }

    /** Runs only methods that match, to leave out those whose peer is missing. */
    public Jmh methods(String regex) {
        methods = regex;
        return this;
    }

    /** Sets values of a parameter that are only known at run time. */
    public Jmh values(String parameter, List<String> values) {
        parameters.put(parameter, values.toArray(String[]::new));
        return this;
    }

    /** Adds options to the forks' command line. */
    public Jmh jvmArguments(String... more) {
        jvmArguments.addAll(List.of(more));
        return this;
    }

    /**
     * Iterations with a fixed number of operations, warm-up iterations with at most a million: for benchmarks
     * of {@link org.openjdk.jmh.annotations.Mode#SingleShotTime}. Scores stay those of one operation.
     */
    public Jmh batches(int operations) {
        batch = operations;
        return this;
    }

    /**
     * Adds notes to each score of a full run, usually {@link #allocatedBytes}, which JMH measures if there are notes. A quick
     * run has none, for the time that the profiler takes.
     */
    public Jmh notes(Function<RunResult, String> text) {
        note = text;
        return this;
    }

    /**
     * Runs them.
     *
     * @param group names the group of a result, usually by its parameters
     * @param technique names the technique of a result, usually by its method ({@link #words})
     */
    public List<Measurement> run(Function<RunResult, String> group, Function<RunResult, String> technique) {
        List<Measurement> measurements = new ArrayList<>();
        for (RunResult result : results()) {
            Result<?> primary = result.getPrimaryResult();
            double error = primary.getScoreError();
            measurements.add(new Measurement(
                    group.apply(result),
                    technique.apply(result),
                    primary.getScore(),
                    Double.isNaN(error) ? null : error,
                    primary.getScoreUnit(),
                    (int) primary.getSampleCount(),
                    note == null || effort == Effort.QUICK ? null : note.apply(result)));
        }
        return measurements;
    }

    private Collection<RunResult> results() {
        String include = "^" + Pattern.quote(benchmarks.getName() + ".") + (methods == null ? ".*" : methods) + "$";
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(include)
                .jvmArgsAppend(jvmArguments.toArray(String[]::new))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (note != null && effort == Effort.FULL) {
            options.addProfiler(GCProfiler.class);
        }
        if (batch > 0) {
            options.warmupBatchSize(Math.min(batch, WARM_UP_BATCH))
                    .measurementBatchSize(batch)
                    .operationsPerInvocation(batch);
        }
        parameters.forEach(options::param);
        if (effort == Effort.QUICK) {
            options.forks(1)
                    .warmupForks(0)
                    .warmupIterations(1)
                    .warmupTime(MOMENT)
                    .measurementIterations(2)
                    .measurementTime(MOMENT);
        }
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw new IllegalStateException("the benchmarks of " + benchmarks.getSimpleName() + " failed", e);
        }
    }

    /** The method of a result. */
    public static String method(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.') + 1);
    }

    /** A parameter of a result. */
    public static String parameter(RunResult result, String name) {
        return result.getParams().getParam(name);
    }

    /** Returns the heap memory that an operation allocates, in bytes, if notes were requested. */
    public static double allocatedBytes(RunResult result) {
        Result<?> norm = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return norm == null ? 0 : norm.getScore();
    }

    /** "nativeAndMapped" as "native and mapped"; capitals in a row stay: "JNI", "viaFFM" as "via FFM". */
    public static String words(String camelCase) {
        String spaced = camelCase
                .replace('_', ' ')
                .replaceAll("([a-z0-9])([A-Z])", "$1 $2")
                .replaceAll("([A-Z]+)([A-Z][a-z])", "$1 $2");
        StringBuilder words = new StringBuilder();
        for (String word : spaced.split(" ", -1)) {
            boolean acronym = word.length() > 1 && word.equals(word.toUpperCase(Locale.ROOT));
            words.append(words.isEmpty() ? "" : " ").append(acronym ? word : word.toLowerCase(Locale.ROOT));
        }
        return words.toString();
    }
}
