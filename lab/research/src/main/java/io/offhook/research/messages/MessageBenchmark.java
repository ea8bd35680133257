package io.offhook.research.messages;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A message handed over without a library. The name of a method is {@code group_technique}; an
 * iteration is a batch. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3)
@Measurement(iterations = 3)
public class MessageBenchmark {
    /** Longer than the longest message. */
    static final int LENGTH = 4096;

    private final MemorySegment segment = Arena.ofAuto().allocate(LENGTH, 8);
    private final FlatWriter writer = new FlatWriter(segment);
    private final UnsafeFlat unsafe = new UnsafeFlat(segment);

    /** Created by JMH. */
    public MessageBenchmark() {}

    /** Checks that all techniques compute the same hash. */
    @Setup
    public void check(MessageSource source) {
        source.check("JNI field by field", MessageNatives::hash);
        source.check("a flat layout", message -> MessageNatives.hashFlat(segment, writer.write(message)));
        source.check(
                "a flat layout, critical", message -> MessageNatives.hashFlatCritical(segment, writer.write(message)));
        source.check("a flat layout by Unsafe", message -> MessageNatives.hashFlat(segment, unsafe.write(message)));
    }

    @Benchmark
    public long handed_POJO_fieldByFieldOverJNI(MessageSource source) {
        return MessageNatives.hash(source.next());
    }

    @Benchmark
    public long handed_flatLayoutOverFFM(MessageSource source, HandedBytes handed) {
        int length = writer.write(source.next());
        handed.bytes += length;
        return MessageNatives.hashFlat(segment, length);
    }

    @Benchmark
    public long handed_flatLayoutOverFFM_critical(MessageSource source, HandedBytes handed) {
        int length = writer.write(source.next());
        handed.bytes += length;
        return MessageNatives.hashFlatCritical(segment, length);
    }

    @Benchmark
    public long handed_flatLayoutOverFFM_writtenByUnsafe(MessageSource source, HandedBytes handed) {
        int length = unsafe.write(source.next());
        handed.bytes += length;
        return MessageNatives.hashFlat(segment, length);
    }

    @Benchmark
    public int written_flatLayout(MessageSource source) {
        return writer.write(source.next());
    }
}
