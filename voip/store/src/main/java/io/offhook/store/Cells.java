package io.offhook.store;

import java.sql.SQLException;

/** Takes the values of a row, column after column. */
interface Cells {
    void text(String value) throws SQLException;

    /** Takes the octets of a blob, or a text as UTF-8. */
    void octets(byte[] value) throws SQLException;

    void count(int value) throws SQLException;

    void whole(long value) throws SQLException;

    void real(double value) throws SQLException;

    /** @param ns nanoseconds since the epoch */
    void time(long ns) throws SQLException;

    void flag(boolean value) throws SQLException;

    void absent() throws SQLException;
}
