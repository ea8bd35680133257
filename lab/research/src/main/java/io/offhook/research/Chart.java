package io.offhook.research;

/**
 * A chart of one group of measurements: a bar per technique, absolute and relative.
 *
 * @param group of the measurements that it shows
 * @param title above it
 * @param baseline the reference technique of the relative chart
 */
public record Chart(String group, String title, String baseline) {}
