package io.offhook.research.messages;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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

/**
 * A message handed over in protobuf's format, as in {@link MessageBenchmark}; a separate class because protobuf's library
 * may be missing. "Built before": the program keeps its data in protobuf's objects only.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3)
@Measurement(iterations = 3)
public class ProtobufBenchmark {
    private final MemorySegment segment = Arena.ofAuto().allocate(MessageBenchmark.LENGTH, 8);
    private final ByteBuffer direct = segment.asByteBuffer();
    private final byte[] array = new byte[MessageBenchmark.LENGTH];
    private final MemorySegment heap = MemorySegment.ofArray(array);
    private final MessageProtos.Message[] built = new MessageProtos.Message[MessageSource.COUNT];

    /** Created by JMH. */
    public ProtobufBenchmark() {}

    /** Checks that all techniques compute the same hash. */
    @Setup
    public void check(MessageSource source) {
        source.check(
                "protobuf over JNI",
                message -> ProtobufNatives.hash(ProtobufWriter.build(message).toByteArray()));
        source.check(
                "protobuf in a native segment",
                message -> ProtobufNatives.hash(segment, ProtobufWriter.write(ProtobufWriter.build(message), direct)));
        source.check(
                "protobuf in an array",
                message ->
                        ProtobufNatives.hashCritical(heap, ProtobufWriter.write(ProtobufWriter.build(message), array)));
        for (int i = 0; i < built.length; i++) {
            built[i] = ProtobufWriter.build(source.get(i));
        }
    }

    @Benchmark
    public long handed_protobufOverJNI(MessageSource source, HandedBytes handed) {
        return overJni(ProtobufWriter.build(source.next()), handed);
    }

    @Benchmark
    public long handed_protobufOverJNI_builtBefore(MessageSource source, HandedBytes handed) {
        return overJni(built[source.nextIndex()], handed);
    }

    private static long overJni(MessageProtos.Message message, HandedBytes handed) {
        byte[] serialized = message.toByteArray();
        handed.bytes += serialized.length;
        return ProtobufNatives.hash(serialized);
    }

    @Benchmark
    public long handed_protobufOverFFM_nativeSegment(MessageSource source, HandedBytes handed) {
        return inNativeSegment(ProtobufWriter.build(source.next()), handed);
    }

    @Benchmark
    public long handed_protobufOverFFM_nativeSegment_builtBefore(MessageSource source, HandedBytes handed) {
        return inNativeSegment(built[source.nextIndex()], handed);
    }

    private long inNativeSegment(MessageProtos.Message message, HandedBytes handed) {
        int length = ProtobufWriter.write(message, direct);
        handed.bytes += length;
        return ProtobufNatives.hash(segment, length);
    }

    @Benchmark
    public long handed_protobufOverFFM_heapArrayInACriticalCall(MessageSource source, HandedBytes handed) {
        int length = ProtobufWriter.write(ProtobufWriter.build(source.next()), array);
        handed.bytes += length;
        return ProtobufNatives.hashCritical(heap, length);
    }

    @Benchmark
    public MessageProtos.Message written_protobuf_onlyBuilt(MessageSource source) {
        return ProtobufWriter.build(source.next());
    }

    @Benchmark
    public int written_protobuf_toANativeSegment(MessageSource source) {
        return ProtobufWriter.write(ProtobufWriter.build(source.next()), direct);
    }

    @Benchmark
    public byte[] written_protobuf_toANewArray(MessageSource source) {
        return ProtobufWriter.build(source.next()).toByteArray();
    }
}
