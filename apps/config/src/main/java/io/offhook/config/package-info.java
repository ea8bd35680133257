/**
 * Configuration: one YAML file per program, read to records. The entry point is {@link io.offhook.config.ConfigReader}.
 * A {@link io.offhook.config.ConfigSchema} describes the keys with type, range, default and meaning. The reader checks
 * a file against it and reports all faults, each with line and column, in a single
 * {@link io.offhook.config.ConfigException}. {@link io.offhook.config.ConfigTable} generates the table of keys for the
 * documentation.
 *
 * <p>A file is untrusted input: its size, depth, number of values and the values that its aliases repeat are limited.
 */
@NullMarked
package io.offhook.config;

import org.jspecify.annotations.NullMarked;
