/**
 * Results as JSON and CSV, through one {@link io.offhook.report.fields.FieldWriter}: {@link
 * io.offhook.report.fields.JsonFields} nests objects, {@link io.offhook.report.fields.CsvFields} has a column for each dotted
 * name of {@link io.offhook.report.fields.CsvColumns}.
 */
@NullMarked
package io.offhook.report.fields;

import org.jspecify.annotations.NullMarked;
