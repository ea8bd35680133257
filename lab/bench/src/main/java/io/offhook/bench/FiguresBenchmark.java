package io.offhook.bench;

import io.offhook.rtp.FiguresMark;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to take figures of a stream each five seconds, beside counting its packets, over an hour of 20 ms packets in
 * intervals with further figures; and to take, fold and read those of a call of three minutes. With {@code -prof gc}, octets
 * that are allocated.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
public class FiguresBenchmark {
    private static final int PACKETS = 250;
    private static final int INTERVALS_OF_AN_HOUR = 720;
    private static final int INTERVALS_OF_A_CALL = 36;
    private static final long NS = 20_000_000;

    /** Percent of the packets that are lost. */
    @Param({"0", "2"})
    public int lost;

    private final RtpRows rows = new RtpRows();
    private Random random = new Random(1);
    private RtpStream stream = new RtpStream();
    private FiguresMark mark = new FiguresMark();
    private RtpStream call = stream;
    private StreamFigures figures = stream.figures();
    private StreamFigures before = figures;
    private StreamUpdate update = stream.figuresSince(mark);
    private int number;

    /** Created by JMH. */
    public FiguresBenchmark() {}

    /** An hour begins. */
    @Setup(Level.Iteration)
    public void begin() {
        random = new Random(1);
        number = 0;
        stream = new RtpStream(stream.buffer(), true);
        mark = new FiguresMark();
        for (int i = 1; i < INTERVALS_OF_A_CALL; i++) {
            packets();
        }
        before = stream.figuresSince(mark).alone();
        packets();
        update = stream.figuresSince(mark);
        call = stream;
        figures = call.figures();
        stream = new RtpStream(stream.buffer(), true);
        mark = new FiguresMark();
    }

    private void packets() {
        for (int i = 0; i < PACKETS; i++, number++) {
            if (random.nextInt(100) >= lost) {
                rows.clear();
                long header = number * 160L << 32 | (long) (number & 0xffff) << 16;
                long arrivalNs = number * NS + random.nextInt(3_000_000);
                int row = rows.add(arrivalNs, number, header, number, RtpRows.lengths(160, 172, number & 0xffff));
                stream.packet(rows, row);
            }
        }
    }

    /** Packets of five seconds. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 40, batchSize = INTERVALS_OF_AN_HOUR)
    @Measurement(iterations = 20, batchSize = INTERVALS_OF_AN_HOUR)
    public RtpStream hourWithout() {
        packets();
        return stream;
    }

    /** The same, and then the figures that changed. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 40, batchSize = INTERVALS_OF_AN_HOUR)
    @Measurement(iterations = 20, batchSize = INTERVALS_OF_AN_HOUR)
    public StreamUpdate hour() {
        packets();
        return stream.figuresSince(mark);
    }

    /** All figures of a call, 36 intervals. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    public StreamFigures whole() {
        return call.figures();
    }

    /** The last update of a call, folded into what was before it. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    public StreamFigures folded() {
        return before.with(update);
    }

    /** A call made of its figures. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    public RtpStream made() {
        return RtpStream.of(figures);
    }
}
