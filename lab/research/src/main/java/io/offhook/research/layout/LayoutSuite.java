package io.offhook.research.layout;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Forks;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.NativeCode;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;

/** What reading structures costs, by their layout. */
public final class LayoutSuite implements Suite {
    private static final String QUESTION = """
            A structure in C has padding, so that each field is at a multiple of its size; a packed one has none, and its
            fields may be at any offset. Are packed structures really faster to read from Java, as some claim? What do
            alignment, byte order and unsigned numbers cost, in Java and in C?

            *Padding*: all fields (8, 32, 16 and 64 bits in this order) of 4,096 consecutive structures: padded (24 bytes),
            packed (15), or padded with the largest field first (16); always the same structures, or the next of four
            million. *Alignment*: records of 16, 32 and 64 bits at aligned addresses (by a layout that checks the alignment,
            or by one that does not), and one byte after them; 64 bits within a cache line and across two. *Byte order*: the
            same records, little and big-endian. *Unsigned*: 8 to 64 bits, read into a wider type (64 bits unchanged) or into
            the type of the same width with a range check, or without bounds checks, by Unsafe; written with a range check,
            or truncated.

            Neither compiler may vectorize (`-XX:-UseSuperWord`, `-fno-tree-vectorize`), and C unrolls loops, as Java does:
            the question is the cost of a read, and packets are not columns. docs/NATIVE-NUMBERS.md explains how to read
            numbers of C in Java.
            """;

    private static final String PADDED_JAVA = "padded, Java";
    private static final String PACKED_JAVA = "packed, Java";

    private static final List<Chart> CHARTS = List.of(
            new Chart(
                    padding(PaddingBenchmark.IN_CACHE), "Structures with holes and without, in the cache", PADDED_JAVA),
            new Chart(padding(PaddingBenchmark.IN_MEMORY), "Structures with holes and without, in memory", PADDED_JAVA),
            new Chart(
                    "alignment",
                    "Records at their natural addresses, and beside them",
                    "aligned by aligned layout, Java"),
            new Chart("line", "64 bits within a cache line, and across two", "within, Java"),
            new Chart("order", "Byte order", "little endian, Java"),
            new Chart("read", "Unsigned numbers read", "u32 widened"),
            new Chart("write", "Unsigned numbers written", "u32 cut off"));

    /** A suite that {@link io.offhook.research.Main} lists. */
    public LayoutSuite() {}

    @Override
    public String name() {
        return "layout";
    }

    @Override
    public SuiteResult run(Effort effort) {
        String missing = new NativeCode("layout").missing();
        Forks.run(Agreement.class);
        List<Measurement> all = new ArrayList<>();
        for (Class<?> benchmarks : List.of(
                PaddingBenchmark.class, AlignmentBenchmark.class, ByteOrderBenchmark.class, UnsignedBenchmark.class)) {
            Jmh jmh = Jmh.of(benchmarks, effort).jvmArguments("-XX:-UseSuperWord");
            if (missing != null) {
                jmh.methods("(?!\\w+_C$)\\w+");
            }
            all.addAll(jmh.run(LayoutSuite::group, LayoutSuite::technique));
        }
        // JMH has them by their names: 8 bits after 64
        all.sort(Comparator.comparingInt(LayoutSuite::width));
        List<String> remarks = new ArrayList<>();
        remarks.add(packing(all));
        remarks.add("Alignment was measured on " + System.getProperty("os.arch")
                + " and says nothing of other architectures;" + " docs/NATIVE-NUMBERS.md has what is known of ARM.");
        if (missing != null) {
            remarks.add("C was not measured: " + missing + ".");
        }
        return new SuiteResult(name(), "Struct layout", QUESTION, all, CHARTS, remarks);
    }

    private static String padding(String where) {
        return "padding, " + where;
    }

    private static String group(RunResult result) {
        String group = Jmh.method(result).split("_", 3)[0];
        return group.equals("padding") ? padding(Jmh.parameter(result, "where")) : group;
    }

    private static String technique(RunResult result) {
        String[] names = Jmh.method(result).split("_", 3);
        String technique = Jmh.words(names[1]);
        return names.length == 3 ? technique + ", " + names[2] : technique;
    }

    /** Returns the bits in the name of a technique: "u16 checked"; 0 if there are none. */
    private static int width(Measurement measurement) {
        String technique = measurement.technique();
        return technique.matches("u\\d+ .*") ? Integer.parseInt(technique.substring(1, technique.indexOf(' '))) : 0;
    }

    private static String packing(List<Measurement> all) {
        StringBuilder answer =
                new StringBuilder("Is packing faster to read from Java? Packed against padded, time a" + " structure:");
        for (String where : List.of(PaddingBenchmark.IN_CACHE, PaddingBenchmark.IN_MEMORY)) {
            Map<String, Double> scores = all.stream()
                    .filter(m -> m.group().equals(padding(where)))
                    .collect(Collectors.toMap(Measurement::technique, Measurement::score));
            double ratio = scores.getOrDefault(PACKED_JAVA, Double.NaN) / scores.getOrDefault(PADDED_JAVA, Double.NaN);
            answer.append(String.format(Locale.ROOT, " %.2f times %s,", ratio, where));
        }
        return answer.append(" for 15 bytes instead of 24 (0.63 times).").toString();
    }
}
