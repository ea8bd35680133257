package io.offhook.web.api;

import io.helidon.common.uri.UriQuery;
import io.helidon.webserver.http.ServerRequest;
import io.offhook.web.http.BadRequestException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, each checked; a wrong one is an error that names it. */
final class Parameters {
    private static final int MOST_CHARACTERS = 1000;
    private static final int MOST_ELEMENTS = 50;
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);

    private final UriQuery query;

    Parameters(ServerRequest request) {
        query = request.query();
    }

    /** The text of a parameter, or null where it is missing or empty. */
    @Nullable
    String text(String name) {
        String value = query.contains(name) ? query.first(name).orElse("") : "";
        if (value.length() > MOST_CHARACTERS) {
            throw new BadRequestException(400, name + " is longer than " + MOST_CHARACTERS + " characters");
        }
        return value.isEmpty() ? null : value;
    }

    /** The elements of a list with commas; empty where it is missing. */
    List<String> list(String name) {
        String value = text(name);
        List<String> elements = new ArrayList<>();
        if (value != null) {
            for (String element : value.split(",", -1)) {
                if (!element.isBlank()) {
                    elements.add(element.strip());
                }
            }
        }
        if (elements.size() > MOST_ELEMENTS) {
            throw new BadRequestException(400, name + " has more than " + MOST_ELEMENTS + " elements");
        }
        return elements;
    }

    /** A whole number in a range. */
    int number(String name, int standard, int least, int most) {
        String value = text(name);
        if (value == null) {
            return standard;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported with the range
        }
        throw new BadRequestException(400, name + " is not a number from " + least + " to " + most);
    }

    /** A number, or NaN where it is missing. */
    double real(String name) {
        String value = text(name);
        try {
            return value == null ? Double.NaN : Double.parseDouble(value);
        } catch (NumberFormatException _) {
            throw new BadRequestException(400, name + " is not a number");
        }
    }

    /** Whether a flag is set: true, or empty behind its name. */
    boolean flag(String name) {
        if (!query.contains(name)) {
            return false;
        }
        return switch (query.first(name).orElse("")) {
            case "", "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new BadRequestException(400, name + " is neither true nor false");
        };
    }

    /** A time in nanoseconds since the epoch, or null: seconds since the epoch, or ISO 8601. */
    @Nullable
    Long time(String name) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        try {
            return new BigDecimal(value).multiply(NANOS).longValue();
        } catch (NumberFormatException _) {
            try {
                Instant instant = Instant.parse(value);
                return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
            } catch (DateTimeParseException | ArithmeticException _) {
                throw new BadRequestException(400, name + " is no time such as 1795269787.5 or 2026-11-21T14:03:07Z");
            }
        }
    }
}
