package io.offhook.web.data;

/**
 * How a database is doing.
 *
 * @param file its path, or empty if it is in memory or in a temporary folder
 * @param bytes of the database and its log on the disk; files of old days not included
 * @param lost calls, messages and other rows that were not written
 * @param queuedBytes that wait to be written
 * @param isInFiles whether rows of old days are in Parquet files
 */
public record StoreState(String file, long bytes, long lost, long queuedBytes, boolean isInFiles) {}
