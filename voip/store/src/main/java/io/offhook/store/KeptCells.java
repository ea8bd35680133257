package io.offhook.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the values of rows as they are now: the statistics of a stream that goes on change until they are written. */
final class KeptCells implements Cells {
    private final List<@Nullable Object> values = new ArrayList<>();

    /** The values of a row; times are in objects of their own. */
    record Row(List<@Nullable Object> values) {
        void fill(Cells out) throws SQLException {
            for (Object value : values) {
                if (value == null) {
                    out.absent();
                    continue;
                }
                switch (value) {
                    case String text -> out.text(text);
                    case Long number -> out.whole(number);
                    case Integer number -> out.count(number);
                    case Double number -> out.real(number);
                    case Boolean flag -> out.flag(flag);
                    case Time time -> out.time(time.ns);
                    case byte[] octets -> out.octets(octets);
                    default -> throw new IllegalStateException(value.getClass().getName());
                }
            }
        }
    }

    private record Time(long ns) {}

    static <R> Row row(Table<R> table, R row) {
        KeptCells cells = new KeptCells();
        try {
            table.fill(row, cells);
        } catch (SQLException e) {
            throw new IllegalStateException(e); // nothing here talks to a database
        }
        return new Row(cells.values);
    }

    @Override
    public void text(String value) {
        values.add(value);
    }

    @Override
    public void octets(byte[] value) {
        values.add(value);
    }

    @Override
    public void count(int value) {
        values.add(value);
    }

    @Override
    public void whole(long value) {
        values.add(value);
    }

    @Override
    public void real(double value) {
        values.add(value);
    }

    @Override
    public void time(long ns) {
        values.add(new Time(ns));
    }

    @Override
    public void flag(boolean value) {
        values.add(value);
    }

    @Override
    public void absent() {
        values.add(null);
    }
}
