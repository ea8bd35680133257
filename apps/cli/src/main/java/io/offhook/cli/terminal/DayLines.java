package io.offhook.cli.terminal;

import io.offhook.report.text.Times;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** Adds a line with the date to a table at the beginning and whenever it changes; rows show only the time of day. */
public final class DayLines {
    private final Times times;
    private final Table table;
    private @Nullable LocalDate day;

    public DayLines(Times times, Table table) {
        this.times = times;
        this.table = table;
    }

    /** Sets the time of the next row. */
    public void at(long ns) {
        LocalDate date = times.date(ns);
        if (!date.equals(day)) {
            day = date;
            table.section(times.dateLine(ns));
        }
    }
}
