/**
 * Configuration: one YAML file a program, to records. Entry is {@link io.offhook.config.ConfigReader}. What a program takes
 * is described by a {@link io.offhook.config.ConfigSchema}, its keys with type, range, default and meaning; the reader
 * checks a file against it and tells every fault at once, each with line and column, in one
 * {@link io.offhook.config.ConfigException}. {@link io.offhook.config.ConfigTable} writes the description down as the table
 * of keys in the documentation.
 *
 * <p>A file is text from outside: it has limits on size, depth, values and what its aliases repeat.
 */
@NullMarked
package io.offhook.config;

import org.jspecify.annotations.NullMarked;
