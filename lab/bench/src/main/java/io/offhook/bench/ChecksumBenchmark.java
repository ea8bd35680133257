package io.offhook.bench;

import io.offhook.packet.checksum.Crc32c;
import io.offhook.packet.checksum.InternetChecksum;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Checksums: bytes divided by ns is GB/s. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ChecksumBenchmark {
    /** An IPv4 header, a packet of speech, a full frame, as much as fits into the first-level cache. */
    @Param({"20", "172", "1460", "16384"})
    public int bytes;

    private final MemorySegment segment = Arena.ofAuto().allocate(16_384, 64);
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private final CRC32C library = new CRC32C();

    /** Created by JMH. */
    public ChecksumBenchmark() {}

    @Setup
    public void setUp() {
        segment.fill((byte) 0x5a);
        buffer = segment.asSlice(0, bytes).asByteBuffer();
    }

    @Benchmark
    public int internet() {
        return InternetChecksum.sum(segment, 0, bytes, 0);
    }

    @Benchmark
    public int crc32c() {
        return Crc32c.of(segment, 0, bytes);
    }

    /** The JDK's, for which the processor has an instruction; it needs an object and a buffer. */
    @Benchmark
    public long crc32cOfTheLibrary() {
        library.reset();
        library.update(buffer.rewind());
        return library.getValue();
    }
}
