package io.offhook.research.timestamps;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;

/** The input: times between 1970 and 2100, drawn at random with one seed, the same for all techniques. */
final class TimestampTexts {
    static final int COUNT = 1024;
    private static final DateTimeFormatter COMPACT = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);
    private static final long END_2100 = 4_102_444_800L;

    private TimestampTexts() {}

    /** {@code yyyyMMddHHmmss}. */
    static String[] compact() {
        return texts(0);
    }

    /** RFC 3339, every other one with an offset, of at most 13 hours: a strict Calendar takes no more of them west. */
    static String[] rfc3339(int digits) {
        return texts(digits);
    }

    private static String[] texts(int digits) {
        Random random = new Random(3339);
        String[] texts = new String[COUNT];
        for (int i = 0; i < COUNT; i++) {
            LocalDateTime time = LocalDateTime.ofEpochSecond(random.nextLong(END_2100), 0, ZoneOffset.UTC);
            if (digits == 0) {
                texts[i] = COMPACT.format(time);
                continue;
            }
            int quarters = random.nextBoolean() ? 0 : random.nextInt(1, 53);
            String offset = String.format(
                    Locale.ROOT, "%s%02d:%02d", random.nextBoolean() ? "+" : "-", quarters / 4, quarters % 4 * 15);
            String fraction = String.format(Locale.ROOT, "%09d", random.nextInt(1_000_000_000));
            texts[i] = SECONDS.format(time) + "." + fraction.substring(0, digits) + offset;
        }
        return texts;
    }
}
