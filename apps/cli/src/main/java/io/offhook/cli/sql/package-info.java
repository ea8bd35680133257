/**
 * The commands {@code sql} and {@code ask}, and the option {@code --db}: {@link io.offhook.cli.sql.SqlCommand} opens a database
 * of {@code io.offhook.store}, or loads captures into one in memory, asks it and prints the rows. Only {@code DatabaseOption}
 * is loaded by other commands.
 */
@NullMarked
package io.offhook.cli.sql;

import org.jspecify.annotations.NullMarked;
