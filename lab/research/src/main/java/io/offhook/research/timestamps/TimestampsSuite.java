package io.offhook.research.timestamps;

import io.offhook.research.Chart;
import io.offhook.research.Effort;
import io.offhook.research.Jmh;
import io.offhook.research.Measurement;
import io.offhook.research.Suite;
import io.offhook.research.SuiteResult;
import io.offhook.research.timestamps.TimestampReaders.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What reading a timestamp costs, and which texts each technique accepts. */
public final class TimestampsSuite implements Suite {
    private static final String SIMPLE = "SimpleDateFormat";
    private static final String QUESTION = """
            What does it cost to read the time of a call record or of a line of a log? `yyyyMMddHHmmss` and RFC 3339 (with
            milliseconds, and with nanoseconds, which SimpleDateFormat cannot read), 1,024 different texts in a cycle, to
            nanoseconds since the epoch: SimpleDateFormat, one per thread, because it must not be shared; DateTimeFormatter;
            Offhook's `TimestampText` (module `calls`), from a String and from bytes in native memory.

            A hand-written reader once took 0.288 s, SimpleDateFormat 1.13 s, 3.9 times as long; but it accepted the hours
            24 to 99 and shared a Calendar between threads. Such a routine is measured beside the others: digits read by
            arithmetic, or by `Integer.parseInt` of a part of the text each, and set in a Calendar that is kept. It read one
            preset text over and over; *one preset text* does that, too. `TimestampText` should be at least 10 times as fast as
            SimpleDateFormat, check every field, allocate nothing and share no state. The relative charts show the part of
            SimpleDateFormat's time that a technique needs; the limit for `TimestampText` is 0.1.
            """;

    private static final List<Chart> CHARTS = List.of(
            new Chart("compact", "Reading yyyyMMddHHmmss", SIMPLE),
            new Chart("preset", "Reading one preset yyyyMMddHHmmss", SIMPLE),
            new Chart("milliseconds", "Reading RFC 3339 with milliseconds", SIMPLE),
            new Chart("nanoseconds", "Reading RFC 3339 with nanoseconds", "DateTimeFormatter"));

    private static final List<String> IMPOSSIBLE = List.of(
            "2026-00-21T14:03:07.000Z",
            "2026-13-21T14:03:07.000Z",
            "2026-11-31T14:03:07.000Z",
            "2027-02-29T14:03:07.000Z",
            "2026-11-21T24:00:00.000Z",
            "2026-11-21T99:03:07.000Z",
            "2026-11-21T14:60:07.000Z",
            "2026-11-21T14:03:61.000Z",
            "2026-11-21T14:03:60.000Z",
            "2026-11-21T14:03:07.000Z and more");

    /** A suite that {@link io.offhook.research.Main} lists. */
    public TimestampsSuite() {}

    @Override
    public String name() {
        return "timestamps";
    }

    @Override
    public SuiteResult run(Effort effort) {
        List<Measurement> all = Jmh.of(TimestampsBenchmark.class, effort)
                .notes(result -> String.format(Locale.ROOT, "%,.0f bytes allocated a text", Jmh.allocatedBytes(result)))
                .run(
                        result -> Jmh.method(result).split("_", 2)[0],
                        result -> technique(Jmh.method(result).split("_", 2)[1]));
        List<String> remarks = new ArrayList<>();
        gain(all, remarks);
        remarks.add(besideTheOld(all));
        remarks.add(accepted());
        remarks.add(hours());
        remarks.add(shared(effort.pick(200_000, 20_000)));
        return new SuiteResult(name(), "Timestamps", QUESTION, all, CHARTS, remarks);
    }

    private static String technique(String method) {
        return method.startsWith("ours") || method.startsWith("digit") ? Jmh.words(method) : method;
    }

    private static void gain(List<Measurement> all, List<String> remarks) {
        for (String group : List.of("compact", "milliseconds")) {
            double simple = score(all, group, SIMPLE);
            remarks.add(String.format(
                    Locale.ROOT,
                    "%s: ours is %.0f times as fast as SimpleDateFormat from a String, %.0f times from bytes, and %.0f"
                            + " times as fast as DateTimeFormatter.",
                    group.equals("compact") ? "`yyyyMMddHHmmss`" : "RFC 3339",
                    simple / score(all, group, "ours"),
                    simple / score(all, group, "ours from bytes"),
                    score(all, group, "DateTimeFormatter") / score(all, group, "ours")));
        }
    }

    private static String besideTheOld(List<Measurement> all) {
        double simple = score(all, "preset", SIMPLE);
        StringBuilder table = new StringBuilder(
                "| one preset text, part of SimpleDateFormat's time | then | here |\n|---|---:|---:|\n");
        for (String technique : List.of("digit arithmetic", "parseInt", "ours")) {
            String then = technique.equals("digit arithmetic") ? "0.25 (0.288 s of 1.13 s)" : "";
            table.append(String.format(
                    Locale.ROOT, "| %s | %s | %.3f |%n", technique, then, score(all, "preset", technique) / simple));
        }
        return table.toString();
    }

    private static double score(List<Measurement> all, String group, String technique) {
        return all.stream()
                .filter(m -> m.group().equals(group) && m.technique().equals(technique))
                .mapToDouble(Measurement::score)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Returns a table of invalid texts, and of the techniques that accept them. */
    private static String accepted() {
        Map<String, Reader> all = new LinkedHashMap<>();
        all.put(SIMPLE, new TimestampReaders()::simpleDateFormatRfc3339);
        all.put("SimpleDateFormat, not lenient", new TimestampReaders().strict()::simpleDateFormatRfc3339);
        all.put("DateTimeFormatter", TimestampReaders::dateTimeFormatterRfc3339);
        all.put("ours", TimestampReaders::oursRfc3339);
        StringBuilder table = new StringBuilder("What is no time, and who takes it for one:\n\n| text | ")
                .append(String.join(" | ", all.keySet()))
                .append(" |\n|---|")
                .append("---|".repeat(all.size()))
                .append('\n');
        for (String text : IMPOSSIBLE) {
            table.append("| ").append(text).append(" |");
            for (Reader reader : all.values()) {
                table.append(reader.read(text) == TimestampReaders.REFUSED ? " |" : " accepted |");
            }
            table.append('\n');
        }
        return table.toString();
    }

    /** Counts the impossible hours that each reader of {@code yyyyMMddHHmmss} accepts. */
    private static String hours() {
        OldReaders old = new OldReaders();
        return String.format(
                Locale.ROOT,
                "Of the hours 24 to 99 in `yyyyMMddHHmmss`, the hand-written routine accepts %d by arithmetic and %d by"
                        + " parseInt, SimpleDateFormat %d (%d if it is not lenient), DateTimeFormatter %d, ours %d.",
                acceptedHours(old::digits),
                acceptedHours(old::parseInt),
                acceptedHours(new TimestampReaders()::simpleDateFormatCompact),
                acceptedHours(new TimestampReaders().strict()::simpleDateFormatCompact),
                acceptedHours(TimestampReaders::dateTimeFormatterCompact),
                acceptedHours(TimestampReaders::oursCompact));
    }

    /** Of 24 to 99. */
    static int acceptedHours(Reader reader) {
        int accepted = 0;
        for (int hour = 24; hour < 100; hour++) {
            accepted += reader.read("20261121" + hour + "0307") == TimestampReaders.REFUSED ? 0 : 1;
        }
        return accepted;
    }

    /** Measures how often two threads that share a format, a formatter, or nothing read a wrong time. */
    private static String shared(int rounds) {
        String[] texts = TimestampTexts.compact();
        int simple = wrong(new TimestampReaders()::simpleDateFormatCompact, texts, rounds);
        int formatter = wrong(TimestampReaders::dateTimeFormatterCompact, texts, rounds);
        int ours = wrong(TimestampReaders::oursCompact, texts, rounds);
        return String.format(
                Locale.ROOT,
                "Two threads with one reader, %,d texts each: SimpleDateFormat read %,d wrongly or threw,"
                        + " DateTimeFormatter %,d, ours %,d.",
                rounds,
                simple,
                formatter,
                ours);
    }

    private static int wrong(Reader reader, String[] texts, int rounds) {
        AtomicInteger wrong = new AtomicInteger();
        Runnable reading = () -> {
            int mine = 0;
            for (int i = 0; i < rounds; i++) {
                String text = texts[i % texts.length];
                try {
                    mine += reader.read(text) == TimestampReaders.oursCompact(text) ? 0 : 1;
                } catch (RuntimeException e) {
                    // thrown by a Calendar whose fields change meanwhile
                    mine++;
                }
            }
            wrong.addAndGet(mine);
        };
        Thread other = Thread.ofPlatform().start(reading);
        reading.run();
        try {
            other.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return wrong.get();
    }
}
