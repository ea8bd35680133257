package io.offhook.report.fields;

import io.offhook.calls.CallReport;
import io.offhook.report.text.TimeForm;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields of calls, streams and captures: as JSON with nested objects, or as a line of CSV, in which the name of
 * an object is a prefix of its fields, with a dot between. docs/OUTPUT.md lists all fields.
 *
 * <p>{@link #end} closes an array or object.
 */
public interface FieldWriter {
    /** Opens an object in an object. */
    FieldWriter object(String name);

    /** Opens an object in an array. */
    FieldWriter object();

    /** Opens an array in an object. */
    FieldWriter array(String name);

    /** Closes the array or object opened last. */
    FieldWriter end();

    /** Writes text, or null if there is none. */
    FieldWriter field(String name, @Nullable String value);

    /** Writes a whole number. */
    FieldWriter field(String name, long value);

    /** Writes true or false. */
    FieldWriter field(String name, boolean value);

    /**
     * Writes a number.
     *
     * @param value infinite values and NaN become null
     * @param decimals how many at most, 0 to 6
     */
    FieldWriter field(String name, double value, int decimals);

    /** Adds text to an array. */
    FieldWriter element(String value);

    /** Writes null. */
    FieldWriter nullField(String name);

    /** An absent object: null in JSON, empty columns in CSV. */
    FieldWriter noObject(String name);

    /** How times are written. */
    TimeForm timeForm();

    /** A time as text in its form, or null for {@link CallReport#NEVER}. */
    default FieldWriter time(String name, long ns) {
        return ns == CallReport.NEVER ? nullField(name) : field(name, timeForm().text(ns));
    }

    /** A span of time in milliseconds, or null for {@link CallReport#NEVER}. */
    default FieldWriter milliseconds(String name, long ns) {
        return ns == CallReport.NEVER ? nullField(name) : field(name, ns / 1e6, 6);
    }
}
