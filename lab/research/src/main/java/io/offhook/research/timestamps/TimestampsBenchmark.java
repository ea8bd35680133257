package io.offhook.research.timestamps;

import io.offhook.calls.TimestampText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads {@link TimestampTexts#COUNT} texts, and adds up the times. The name of a method is {@code group_technique}. One
 * operation is one text.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(TimestampTexts.COUNT)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimestampsBenchmark {
    private final String[] compact = TimestampTexts.compact();
    private final String[] milliseconds = TimestampTexts.rfc3339(3);
    private final String[] nanoseconds = TimestampTexts.rfc3339(9);
    private final MemorySegment compactBytes = TimestampReaders.bytes(compact, Arena.ofAuto());
    private final MemorySegment millisecondsBytes = TimestampReaders.bytes(milliseconds, Arena.ofAuto());
    private final MemorySegment nanosecondsBytes = TimestampReaders.bytes(nanoseconds, Arena.ofAuto());
    private final TimestampReaders readers = new TimestampReaders();
    private final OldReaders old = new OldReaders();
    private String preset = compact[0];

    /** Created by JMH. */
    public TimestampsBenchmark() {}

    /** All techniques read the same from the same texts. */
    @Setup
    public void check() {
        long[] sums = {compact_SimpleDateFormat(), compact_DateTimeFormatter(), compact_ours(), compact_oursFromBytes()
        };
        same("compact", sums);
        same("compact", compact_digitArithmetic(), compact_parseInt(), compact_ours());
        same("preset", preset_digitArithmetic(), preset_parseInt(), preset_SimpleDateFormat(), preset_ours());
        same("milliseconds", milliseconds_SimpleDateFormat(), milliseconds_DateTimeFormatter());
        same("milliseconds", milliseconds_ours(), milliseconds_oursFromBytes(), milliseconds_SimpleDateFormat());
        same("nanoseconds", nanoseconds_DateTimeFormatter(), nanoseconds_ours(), nanoseconds_oursFromBytes());
    }

    private static void same(String what, long... sums) {
        for (long sum : sums) {
            if (sum != sums[0]) {
                throw new IllegalStateException(what + " were read as " + sum + " and as " + sums[0]);
            }
        }
    }

    @Benchmark
    public long compact_SimpleDateFormat() {
        long sum = 0;
        for (String text : compact) {
            sum += readers.simpleDateFormatCompact(text);
        }
        return sum;
    }

    @Benchmark
    public long compact_DateTimeFormatter() {
        long sum = 0;
        for (String text : compact) {
            sum += TimestampReaders.dateTimeFormatterCompact(text);
        }
        return sum;
    }

    @Benchmark
    public long compact_ours() {
        long sum = 0;
        for (String text : compact) {
            sum += TimestampText.compact(text);
        }
        return sum;
    }

    @Benchmark
    public long compact_oursFromBytes() {
        long sum = 0;
        for (int i = 0; i < TimestampTexts.COUNT; i++) {
            sum += TimestampText.compact(compactBytes, i * 14L, 14);
        }
        return sum;
    }

    @Benchmark
    public long compact_digitArithmetic() {
        long sum = 0;
        for (String text : compact) {
            sum += old.digits(text);
        }
        return sum;
    }

    @Benchmark
    public long compact_parseInt() {
        long sum = 0;
        for (String text : compact) {
            sum += old.parseInt(text);
        }
        return sum;
    }

    /** One text over and over, as the old thread measured; the field keeps the compiler from reading it only once. */
    @Benchmark
    public long preset_SimpleDateFormat() {
        long sum = 0;
        for (int i = 0; i < TimestampTexts.COUNT; i++) {
            sum += readers.simpleDateFormatCompact(preset);
        }
        return sum;
    }

    @Benchmark
    public long preset_digitArithmetic() {
        long sum = 0;
        for (int i = 0; i < TimestampTexts.COUNT; i++) {
            sum += old.digits(preset);
        }
        return sum;
    }

    @Benchmark
    public long preset_parseInt() {
        long sum = 0;
        for (int i = 0; i < TimestampTexts.COUNT; i++) {
            sum += old.parseInt(preset);
        }
        return sum;
    }

    @Benchmark
    public long preset_ours() {
        long sum = 0;
        for (int i = 0; i < TimestampTexts.COUNT; i++) {
            sum += TimestampText.compact(preset);
        }
        return sum;
    }

    @Benchmark
    public long milliseconds_SimpleDateFormat() {
        long sum = 0;
        for (String text : milliseconds) {
            sum += readers.simpleDateFormatRfc3339(text);
        }
        return sum;
    }

    @Benchmark
    public long milliseconds_DateTimeFormatter() {
        return dateTimeFormatter(milliseconds);
    }

    @Benchmark
    public long milliseconds_ours() {
        return ours(milliseconds);
    }

    @Benchmark
    public long milliseconds_oursFromBytes() {
        return ours(millisecondsBytes, milliseconds[0].length());
    }

    @Benchmark
    public long nanoseconds_DateTimeFormatter() {
        return dateTimeFormatter(nanoseconds);
    }

    @Benchmark
    public long nanoseconds_ours() {
        return ours(nanoseconds);
    }

    @Benchmark
    public long nanoseconds_oursFromBytes() {
        return ours(nanosecondsBytes, nanoseconds[0].length());
    }

    private static long dateTimeFormatter(String[] texts) {
        long sum = 0;
        for (String text : texts) {
            sum += TimestampReaders.dateTimeFormatterRfc3339(text);
        }
        return sum;
    }

    private static long ours(String[] texts) {
        long sum = 0;
        for (String text : texts) {
            sum += TimestampText.rfc3339(text);
        }
        return sum;
    }

    private static long ours(MemorySegment texts, int length) {
        long sum = 0;
        for (long at = 0; at < texts.byteSize(); at += length) {
            sum += TimestampText.rfc3339(texts, at, length);
        }
        return sum;
    }
}
