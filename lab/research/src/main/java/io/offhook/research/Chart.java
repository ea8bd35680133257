package io.offhook.research;

/**
 * A picture of one group of measurements: a bar a technique, absolute and relative.
 *
 * @param group of the measurements that it shows
 * @param title above it
 * @param baseline the technique that the relative picture measures the others by
 */
public record Chart(String group, String title, String baseline) {}
