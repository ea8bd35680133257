/**
 * SQL that somebody types: {@link io.offhook.store.query.SqlSession} answers it from a database that it opens, or through the
 * process that holds the database, which lets {@link io.offhook.store.query.SqlSocket} listen. Questions change nothing, read
 * nothing but the database, and end in time.
 *
 * <pre>
 *  SqlSession -> SqlQuery on a connection of CallStore -> SqlRows
 *             -> socket beside the file -> SqlSocket -> SqlQuery
 * </pre>
 */
@NullMarked
package io.offhook.store.query;

import org.jspecify.annotations.NullMarked;
