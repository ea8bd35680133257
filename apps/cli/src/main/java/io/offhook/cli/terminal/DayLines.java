package io.offhook.cli.terminal;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** Tells a table's reader the day, once, and again when it changes: the rows themselves have room for the time of day only. */
public final class DayLines {
    private final Times times;
    private final Table table;
    private @Nullable LocalDate day;

    public DayLines(Times times, Table table) {
        this.times = times;
        this.table = table;
    }

    /** The next row is of that time. */
    public void at(long ns) {
        LocalDate date = times.date(ns);
        if (!date.equals(day)) {
            day = date;
            table.section(times.dateLine(ns));
        }
    }
}
