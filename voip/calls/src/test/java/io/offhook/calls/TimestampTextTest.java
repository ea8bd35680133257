package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.calls.TimestampText.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {
    private static final Pattern RFC3339 = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]"
            + "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");
    private static final Pattern COMPACT =
            Pattern.compile("([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})");
    private static final DateTimeFormatter TO_COMPACT = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final String ALPHABET = "0123456789-:+.TtZz ,/\u0130\uff11\u00e9\u0000";
    private static final int TEXTS = 50_000;

    /** Both ways of reading; they must agree. */
    private static long rfc3339(String text) {
        long ns = TimestampText.rfc3339(text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            // to the byte: reading behind the text throws
            MemorySegment segment = arena.allocate(Math.max(bytes.length, 1));
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
            long ofBytes = TimestampText.rfc3339(segment, 0, bytes.length);
            if (bytes.length == text.length()) {
                assertThat(ofBytes).as(text).isEqualTo(ns);
            } else {
                assertThat(TimestampText.isTime(ofBytes)).as(text).isFalse();
            }
        }
        return ns;
    }

    private static long compact(String text) {
        long ns = TimestampText.compact(text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(bytes.length + 3);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 3, bytes.length);
            assertThat(TimestampText.compact(segment, 3, bytes.length)).as(text).isEqualTo(ns);
        }
        return ns;
    }

    private static long ns(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    @ParameterizedTest
    @CsvSource({
        // RFC 3339, 5.8
        "1985-04-12T23:20:50.52Z, 1985-04-12T23:20:50.52Z",
        "1996-12-19T16:39:57-08:00, 1996-12-20T00:39:57Z",
        "1937-01-01T12:00:27.87+00:20, 1937-01-01T11:40:27.87Z",
        // case, and a space
        "2026-11-21t14:03:07z, 2026-11-21T14:03:07Z",
        "2026-11-21 14:03:07z, 2026-11-21T14:03:07Z",
        // fractions
        "2026-11-21T14:03:07.1Z, 2026-11-21T14:03:07.1Z",
        "2026-11-21T14:03:07.12345678Z, 2026-11-21T14:03:07.12345678Z",
        "2026-11-21T14:03:07.123456789+01:30, 2026-11-21T12:33:07.123456789Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999999Z",
        // offsets
        "2026-01-01T00:30:00+23:59, 2025-12-31T00:31:00Z",
        "2026-12-31T23:30:00-23:59, 2027-01-01T23:29:00Z",
        "2026-11-21T14:03:07-00:00, 2026-11-21T14:03:07Z",
        // leap years
        "2000-02-29T00:00:00Z, 2000-02-29T00:00:00Z",
        "2024-02-29T23:59:59Z, 2024-02-29T23:59:59Z",
        // the ends of what can be told
        "1677-09-21T00:12:44Z, 1677-09-21T00:12:44Z",
        "2262-04-11T23:47:15.999999999Z, 2262-04-11T23:47:15.999999999Z"
    })
    void readsRfc3339(String text, String expected) {
        assertThat(rfc3339(text)).isEqualTo(ns(Instant.parse(expected)));
        assertThat(TimestampText.status(rfc3339(text))).isEqualTo(Status.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "20261121140307, 2026-11-21T14:03:07Z",
        "19700101000000, 1970-01-01T00:00:00Z",
        "19000228235959, 1900-02-28T23:59:59Z",
        "20000229000000, 2000-02-29T00:00:00Z",
        "20161231235960, 2017-01-01T00:00:00Z"
    })
    void readsCompact(String text, String expected) {
        assertThat(compact(text)).isEqualTo(ns(Instant.parse(expected)));
    }

    @ParameterizedTest
    @CsvSource({
        // RFC 3339, 5.8
        "1990-12-31T23:59:60Z, 1991-01-01T00:00:00Z",
        "1990-12-31T15:59:60-08:00, 1991-01-01T00:00:00Z",
        "2015-06-30T23:59:60.25Z, 2015-07-01T00:00:00.25Z",
        "2017-01-01T08:59:60+09:00, 2017-01-01T00:00:00Z",
        "2016-12-31T00:00:60-23:59, 2017-01-01T00:00:00Z",
        "2015-07-01T01:59:60+02:00, 2015-07-01T00:00:00Z"
    })
    void readsALeapSecondAsTheSecondAfterIt(String text, String expected) {
        assertThat(rfc3339(text)).isEqualTo(ns(Instant.parse(expected)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2016-12-31T23:58:60Z",
                "2016-12-31T22:59:60Z",
                "2016-12-30T23:59:60Z",
                "2016-03-31T23:59:60Z",
                "2016-12-31T23:59:60+01:00",
                "2017-01-01T00:00:60Z",
                "2016-12-31T23:59:61Z",
                "2026-00-21T14:03:07Z",
                "2026-13-21T14:03:07Z",
                "2026-11-00T14:03:07Z",
                "2026-11-31T14:03:07Z",
                "2026-01-32T14:03:07Z",
                "2027-02-29T14:03:07Z",
                "1900-02-29T14:03:07Z",
                "2100-02-29T14:03:07Z",
                "2024-02-30T14:03:07Z",
                "2026-11-21T24:00:00Z",
                "2026-11-21T99:03:07Z",
                "2026-11-21T14:60:07Z",
                "2026-11-21T14:03:07+24:00",
                "2026-11-21T14:03:07-01:60",
                "2026-13-21T14:03:07.0123456789Z",
                "0000-02-30T00:00:00Z",
                "9999-12-31T23:59:60-23:59"
            })
    void refusesWhatCannotBe(String text) {
        assertThat(TimestampText.status(rfc3339(text))).isEqualTo(Status.OUT_OF_RANGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20260021140307",
                "20261321140307",
                "20261131140307",
                "20270229140307",
                "20261121240000",
                "20261121990307",
                "20261121146007",
                "20261121140360",
                "20161231235961"
            })
    void refusesWhatCannotBeInCompact(String text) {
        assertThat(TimestampText.status(compact(text))).isEqualTo(Status.OUT_OF_RANGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-11-21",
                "2026-11-21T14:03Z",
                "2026-11-21T14:03:07",
                "2026-11-21T14:03:07.Z",
                "2026-11-21T14:03:07,5Z",
                "2026-11-21T14:03:07.5",
                "2026-11-21T14:03:07.123456789",
                "2026-11-21T14:03:07Z ",
                "2026-11-21T14:03:07ZZ",
                " 2026-11-21T14:03:07Z",
                "2026-11-21_14:03:07Z",
                "2026/11/21T14:03:07Z",
                "2026-11-21T14.03.07Z",
                "2026-11-21T14:03:07+01",
                "2026-11-21T14:03:07+0100",
                "2026-11-21T14:03:07+1:00",
                "2026-11-21T14:03:07+01:00:00",
                "2026-11-21T14:03:07+01:00Z",
                "2026-11-21T14:03:07\u221201:00",
                "+2026-11-21T14:03:07Z",
                "2026-11-21T14:03:0/Z",
                "2026-11-21T14:03:0:Z",
                "\u0662026-11-21T14:03:07Z",
                "2026-11-21T14:03:07.\uff11Z",
                "2026-11-21T14:03:07\u015a",
                // not a text of which nothing more could be said than that its day does not exist
                "2026-13-21T14:03:07+01.00"
            })
    void refusesWhatIsNotOfTheFormat(String text) {
        assertThat(TimestampText.status(rfc3339(text))).isEqualTo(Status.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026112114030",
                "202611211403070",
                "2026112114030x",
                "2026-121140307",
                " 2026112114030",
                "202611211403\uff10\uff17"
            })
    void refusesWhatIsNotCompact(String text) {
        assertThat(TimestampText.status(compact(text))).isEqualTo(Status.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1677-09-21T00:12:43.999999999Z",
                "2262-04-11T23:47:16Z",
                "0000-01-01T00:00:00+23:59",
                "0000-02-29T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "2026-11-21T14:03:07.0123456789Z",
                "2026-11-21T14:03:07.01234567890123Z",
                "2026-11-21T14:03:07.0123456789012345678901+00:00"
            })
    void saysWhatItCannotTell(String text) {
        assertThat(TimestampText.status(rfc3339(text))).isEqualTo(Status.UNSUPPORTED);
    }

    @Test
    void leavesTheBoundsToTheSegment() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16);
            assertThatThrownBy(() -> TimestampText.rfc3339(segment, 0, 20))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void agreesWithJavaTimeAboutEachDay() {
        for (LocalDate day = LocalDate.of(1677, 9, 22); day.getYear() < 2262; day = day.plusDays(1)) {
            long expected = day.toEpochDay() * 86_400_000_000_000L;
            String text = day.toString();
            assertThat(TimestampText.compact(text.replace("-", "") + "000000")).isEqualTo(expected);
            assertThat(TimestampText.rfc3339(text + "T00:00:00Z")).isEqualTo(expected);
        }
    }

    @Test
    void agreesWithJavaTimeAboutRandomTimes() {
        Random random = new Random(20261121);
        for (int i = 0; i < TEXTS; i++) {
            long seconds = random.nextLong(-9_223_000_000L, 9_223_000_000L);
            int digits = random.nextInt(10);
            long unit = (long) Math.pow(10, 9 - digits);
            LocalDateTime utc = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
            assertThat(compact(TO_COMPACT.format(utc))).isEqualTo(seconds * 1_000_000_000L);

            long nano = digits == 0 ? 0 : random.nextLong(1_000_000_000L / unit) * unit;
            ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60 + 1));
            String fraction = digits == 0 ? "" : "." + "%09d".formatted(nano).substring(0, digits);
            String text = "%sT%s%s%s"
                    .formatted(
                            utc.toLocalDate(),
                            DateTimeFormatter.ISO_LOCAL_TIME.format(utc),
                            fraction,
                            offset.equals(ZoneOffset.UTC) && random.nextBoolean() ? "+00:00" : offset.getId());
            assertThat(rfc3339(text))
                    .as(text)
                    .isEqualTo(ns(OffsetDateTime.parse(text).toInstant()));
        }
    }

    @Test
    void agreesWithJavaTimeAboutWhatIsNoTime() {
        Random random = new Random(3339);
        int times = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = damaged(randomText(random), random);
            Status expected = expected(RFC3339.matcher(text));
            assertThat(TimestampText.status(rfc3339(text))).as(text).isEqualTo(expected);
            times += expected == Status.OK ? 1 : 0;

            String compact = damaged(text.replaceAll("[-T:]", "").concat("0").substring(0, 14), random);
            assertThat(TimestampText.status(compact(compact)))
                    .as(compact)
                    .isEqualTo(expected(COMPACT.matcher(compact)));
        }
        // both must have been met often
        assertThat(times).isBetween(TEXTS / 20, TEXTS / 2);
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        text.append("%04d-%02d-%02dT%02d:%02d:%02d"
                .formatted(
                        random.nextInt(1600, 2300),
                        random.nextInt(14),
                        random.nextInt(24, 33),
                        random.nextInt(25),
                        random.nextInt(61),
                        random.nextInt(61)));
        int digits = random.nextInt(10);
        for (int i = 0; i < digits; i++) {
            text.append(i == 0 ? "." : "").append(random.nextInt(10));
        }
        String offset =
                "%s%02d:%02d".formatted(random.nextBoolean() ? "+" : "-", random.nextInt(26), random.nextInt(61));
        return text.append(random.nextBoolean() ? "Z" : offset).toString();
    }

    /** Every other one with a character that is another, more, or gone. */
    private static String damaged(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        int at = random.nextInt(text.length());
        switch (random.nextInt(6)) {
            case 0 -> damaged.setCharAt(at, c);
            case 1 -> damaged.deleteCharAt(at);
            case 2 -> {
                if (text.length() < 35) {
                    damaged.insert(at, c);
                }
            }
            default -> {}
        }
        return damaged.toString();
    }

    /** By java.time, field by field: it knows neither second 60 nor offsets above 18 hours. */
    private static Status expected(Matcher text) {
        if (!text.matches()) {
            return Status.MALFORMED;
        }
        boolean compact = text.groupCount() == 6;
        long offset = 0;
        if (!compact && text.group(8) != null) {
            int hours = Integer.parseInt(text.group(9));
            int minutes = Integer.parseInt(text.group(10));
            if (hours > 23 || minutes > 59) {
                return Status.OUT_OF_RANGE;
            }
            offset = (text.group(8).equals("-") ? -60L : 60L) * (hours * 60 + minutes);
        }
        int second = Integer.parseInt(text.group(6));
        Instant instant;
        try {
            LocalDate date = LocalDate.of(
                    Integer.parseInt(text.group(1)), Integer.parseInt(text.group(2)), Integer.parseInt(text.group(3)));
            LocalTime time = LocalTime.of(
                    Integer.parseInt(text.group(4)), Integer.parseInt(text.group(5)), Math.min(second, 59));
            instant = date.atTime(time).toInstant(ZoneOffset.UTC).minusSeconds(offset);
        } catch (DateTimeException e) {
            return Status.OUT_OF_RANGE;
        }
        LocalDateTime utc = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        boolean lastOfHalfYear = utc.toString().matches(".*-(06-30|12-31)T23:59:59");
        if (second > 60 || second == 60 && !lastOfHalfYear) {
            return Status.OUT_OF_RANGE;
        }
        String fraction = compact ? null : text.group(7);
        boolean tooFine = fraction != null && fraction.length() > 9;
        // the random years' outermost are well outside, the next well inside
        return tooFine || utc.getYear() < 1677 || utc.getYear() > 2262 || isAtTheEnds(instant)
                ? Status.UNSUPPORTED
                : Status.OK;
    }

    private static boolean isAtTheEnds(Instant instant) {
        return instant.isBefore(Instant.parse("1677-09-21T00:12:44Z"))
                || instant.isAfter(Instant.parse("2262-04-11T23:47:15.999999999Z"));
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<String> texts = new ArrayList<>(List.of(
                "2026-11-21T14:03:07Z",
                "2026-11-21T14:03:07.123456789+01:00",
                "2016-12-31T23:59:60Z",
                "2026-13-21T14:03:07Z",
                "no time at all, whatever one does",
                "20261121140307",
                "20261121990307"));
        long thread = Thread.currentThread().threadId();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocateFrom("2026-11-21T14:03:07.123456789+01:00");
            long least = Long.MAX_VALUE;
            long sum = 0;
            for (int attempt = 0; attempt < 5; attempt++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int i = 0; i < 20_000; i++) {
                    String text = texts.get(i % texts.size());
                    sum += TimestampText.rfc3339(text) + TimestampText.compact(text);
                    sum += TimestampText.rfc3339(segment, 0, 35) + TimestampText.compact(segment, 0, 14);
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            assertThat(sum).isNotZero();
            assertThat(least).isLessThan(1_000);
        }
    }
}
