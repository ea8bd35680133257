/**
 * Results as JSON and CSV, through one {@link io.offhook.cli.fields.FieldWriter}.
 */
@NullMarked
package io.offhook.cli.fields;

import org.jspecify.annotations.NullMarked;
