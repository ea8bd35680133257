package io.offhook.store;

import java.time.LocalDate;

/**
 * A Parquet file with what one table has of one day.
 *
 * @param table its name
 * @param day the day (UTC) of its rows; of rows with times out of any range, the day on which they were moved
 * @param isOdd whether it has these rows
 * @param number distinguishes it from those before it
 * @param bytes its size
 */
record DayFile(String table, LocalDate day, boolean isOdd, long number, long bytes) {
    DayFile withBytes(long size) {
        return new DayFile(table, day, isOdd, number, size);
    }
}
