package io.offhook.research.messages;

import com.google.protobuf.InvalidProtocolBufferException;
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

/** A message written, and read back into an object, by Java alone. Named as the methods of {@link MessageBenchmark} are. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3)
@Measurement(iterations = 3)
public class SerializedBenchmark {
    private final MemorySegment segment = Arena.ofAuto().allocate(MessageBenchmark.LENGTH, 8);
    private final FlatWriter flat = new FlatWriter(segment);
    private final FlatReader flatReader = new FlatReader(segment);
    private final UnsafeFlat unsafe = new UnsafeFlat(segment);
    private final Serialization serialization = new Serialization();
    private final ExternalMessage[] external = new ExternalMessage[MessageSource.COUNT];
    private final byte[][] serialized = new byte[MessageSource.COUNT][];
    private final byte[][] externalized = new byte[MessageSource.COUNT][];
    private final byte[][] protobuf = new byte[MessageSource.COUNT][];
    private final MemorySegment[] flats = new MemorySegment[MessageSource.COUNT];

    /** Created by JMH. */
    public SerializedBenchmark() {}

    /** Writes all messages, for the benchmarks that read, and checks that each technique reads what was written. */
    @Setup
    public void check(MessageSource source) {
        Arena arena = Arena.ofAuto();
        for (int i = 0; i < MessageSource.COUNT; i++) {
            Message message = source.get(i);
            external[i] = new ExternalMessage(message);
            serialized[i] = serialization.write(message);
            externalized[i] = serialization.write(external[i]);
            protobuf[i] = ProtobufWriter.build(message).toByteArray();
            int length = flat.write(message);
            flats[i] = arena.allocate(length, 8).copyFrom(segment.asSlice(0, length));
        }
        source.check("Serializable", message -> MessageHash.of(serializable(serialization.write(message))));
        source.check(
                "Externalizable",
                message -> MessageHash.of(externalizable(serialization.write(new ExternalMessage(message)))));
        source.check(
                "protobuf",
                message -> MessageHash.of(protobuf(ProtobufWriter.build(message).toByteArray())));
        source.check("flat layout", message -> {
            flat.write(message);
            return MessageHash.of(flatReader.read());
        });
        source.check("flat layout by Unsafe", message -> {
            unsafe.write(message);
            return MessageHash.of(unsafe.read());
        });
    }

    static Message serializable(byte[] bytes) {
        return (Message) Serialization.read(bytes);
    }

    static Message externalizable(byte[] bytes) {
        return ((ExternalMessage) Serialization.read(bytes)).message();
    }

    static Message protobuf(byte[] bytes) {
        try {
            MessageProtos.Message read = MessageProtos.Message.parseFrom(bytes);
            return new Message(
                    read.getText(),
                    read.getNumber(),
                    read.getRatio(),
                    read.getFlag(),
                    read.getNamesList().toArray(String[]::new),
                    read.getNumbersList().stream().mapToInt(Integer::intValue).toArray());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public byte[] written_serializable(MessageSource source, HandedBytes handed) {
        byte[] bytes = serialization.write(source.next());
        handed.bytes += bytes.length;
        return bytes;
    }

    @Benchmark
    public byte[] written_externalizable(MessageSource source, HandedBytes handed) {
        byte[] bytes = serialization.write(external[source.nextIndex()]);
        handed.bytes += bytes.length;
        return bytes;
    }

    @Benchmark
    public int written_flatLayout_byUnsafe(MessageSource source) {
        return unsafe.write(source.next());
    }

    @Benchmark
    public Message read_serializable(MessageSource source) {
        return serializable(serialized[source.nextIndex()]);
    }

    @Benchmark
    public Message read_externalizable(MessageSource source) {
        return externalizable(externalized[source.nextIndex()]);
    }

    @Benchmark
    public Message read_protobuf(MessageSource source) {
        return protobuf(protobuf[source.nextIndex()]);
    }

    @Benchmark
    public Message read_flatLayout(MessageSource source) {
        return new FlatReader(flats[source.nextIndex()]).read();
    }

    @Benchmark
    public Message read_flatLayout_byUnsafe(MessageSource source) {
        return new UnsafeFlat(flats[source.nextIndex()]).read();
    }
}
