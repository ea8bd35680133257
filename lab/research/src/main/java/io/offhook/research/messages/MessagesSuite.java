package io.offhook.research.messages;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.NativeCode;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The cost of handing a structure with strings and arrays to native code. */
public final class MessagesSuite implements Suite {
    private static final String QUESTION = """
            What is the cheapest way to hand native code a structure: a string, an int, a double, a boolean, an array of
            strings and one of ints? As a Java object whose fields native code reads through JNI, one by one, by IDs that
            were looked up once (POJO); written in protobuf's format and parsed by its C++ library, through JNI (a new
            `byte[]` each) and through FFM (a reused native segment, or a reused array that a critical call reads); or
            written as a C structure with offsets to its variable parts, into a reused native segment that native code
            reads. In an old comparison of 10 million messages, protobuf over JNI was 7 % ahead of the POJO.

            In all cases Java starts from an object of its own, from which protobuf's object is built; with "built before",
            the program keeps its data in protobuf's objects, and only writes them. Native code hashes each field, each
            element and each byte of the strings, and all techniques yield the same hash. The second chart shows only Java's
            part; the rest of the first is the call, the parser and the hash.

            Beside them, what people hand over between Java programs, and what they wrote by Unsafe when that was the only
            fast way: an object that is `Serializable`, one that is `Externalizable` and writes its fields itself, and the
            flat layout written at an address, with no check that it fits. The third chart reads them back into an object.
            """;

    private static final List<Chart> CHARTS = List.of(
            new Chart("handed", "A message handed to native code", "POJO, field by field over JNI"),
            new Chart("written", "Java's part: a message built and written, not handed over", "flat layout"),
            new Chart("read", "A written message read back into an object, by Java", "flat layout"));

    /** A suite that {@link io.offhook.research.Main} lists. */
    public MessagesSuite() {}

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public SuiteResult run(Effort effort) {
        int messages = effort.pick(10_000_000, 100_000);
        List<Measurement> all = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        remarks.add(String.format(
                Locale.ROOT,
                "A sample is %,d messages, the %,d different ones over and over. Beside the times: the length of a message"
                        + " on average, and what Java allocates for it (JMH's gc profiler). Protobuf's C++ object is one a"
                        + " thread and keeps its memory, so that native code allocates next to nothing. Protobuf checks"
                        + " that strings are UTF-8, and both protobuf and the reader of the flat layout check all lengths;"
                        + " JNI needs neither.",
                messages,
                MessageSource.COUNT));
        measure(
                "messages",
                "the Java object and the flat layout",
                MessageBenchmark.class,
                effort,
                messages,
                all,
                remarks);
        measure("messages-protobuf", "protobuf", ProtobufBenchmark.class, effort, messages, all, remarks);
        all.addAll(Jmh.of(SerializedBenchmark.class, effort)
                .batches(messages / 10)
                .notes(MessagesSuite::note)
                .run(result -> Jmh.method(result).split("_", 2)[0], result -> technique(Jmh.method(result))));
        remarks.add(
                "Serialization and reading were measured with a tenth of the messages a sample. Each object is serialized by"
                        + " itself, with a description of its class, as it must be if it is handed over by itself; the objects"
                        + " are built before. A new stream a message is part of the time. In one stream for many messages the"
                        + " description is written once, but the stream keeps all objects.");
        remarks.add(
                "JNI's functions for strings make modified UTF-8: U+0000 and what lies beyond the basic plane (emoji)"
                        + " come as other bytes than all other ways hand over. The messages here have none of these.");
        return new SuiteResult(name(), "Messages", QUESTION, all, CHARTS, remarks).withCosts(MessagesCosts.ALL);
    }

    private static void measure(
            String library,
            String what,
            Class<?> benchmarks,
            Effort effort,
            int messages,
            List<Measurement> all,
            List<String> remarks) {
        String missing = new NativeCode(library).missing();
        if (missing != null) {
            remarks.add("Not measured: " + what + ", for " + missing + ".");
            return;
        }
        all.addAll(Jmh.of(benchmarks, effort)
                .batches(messages)
                .notes(MessagesSuite::note)
                .run(result -> Jmh.method(result).split("_", 2)[0], result -> technique(Jmh.method(result))));
    }

    /** "group_protobuf_toANewArray" as "protobuf, to a new array". */
    static String technique(String method) {
        return Arrays.stream(method.split("_", -1)).skip(1).map(Jmh::words).collect(Collectors.joining(", "));
    }

    private static String note(RunResult result) {
        String allocated = String.format(Locale.ROOT, "%.0f bytes allocated", Jmh.allocatedBytes(result));
        Result<?> handed = result.getSecondaryResults().get("bytes");
        if (handed == null) {
            return allocated;
        }
        double bytes = handed.getStatistics().getMean() / result.getParams().getOpsPerInvocation();
        return String.format(Locale.ROOT, "%.0f bytes long, %s", bytes, allocated);
    }
}
