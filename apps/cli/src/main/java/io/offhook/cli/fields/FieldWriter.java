package io.offhook.cli.fields;

import io.offhook.calls.CallReport;
import io.offhook.cli.terminal.Times;
import org.jspecify.annotations.Nullable;

/**
 * Where the fields of calls, streams and captures go: JSON, where objects nest, or a line of CSV, where a field of an
 * object has the names of both with a dot between. docs/OUTPUT.md lists all of them.
 *
 * <p>What an array or object is opened with is closed with {@link #end}.
 */
public interface FieldWriter {

    /** Opens an object in an object. */
    FieldWriter object(String name);

    /** Opens an object in an array. */
    FieldWriter object();

    /** Opens an array in an object. */
    FieldWriter array(String name);

    /** Closes what was opened last. */
    FieldWriter end();

    /** @param value null where there is none */
    FieldWriter field(String name, @Nullable String value);

    FieldWriter field(String name, long value);

    FieldWriter field(String name, boolean value);

    /** @param decimals 0 to 6; what is not finite becomes null */
    FieldWriter field(String name, double value, int decimals);

    /** A text in an array. */
    FieldWriter element(String value);

    FieldWriter nullField(String name);

    /** An object that there is not: null in JSON; in CSV the columns of its fields stay empty. */
    FieldWriter noObject(String name);

    /** A time as text: seconds since the epoch with nine decimals, or null for {@link CallReport#NEVER}. */
    default FieldWriter time(String name, long ns) {
        return ns == CallReport.NEVER ? nullField(name) : field(name, Times.epoch(ns));
    }

    /** A span of time in milliseconds, or null for {@link CallReport#NEVER}. */
    default FieldWriter milliseconds(String name, long ns) {
        return ns == CallReport.NEVER ? nullField(name) : field(name, ns / 1e6, 6);
    }
}
