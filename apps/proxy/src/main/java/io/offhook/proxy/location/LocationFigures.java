package io.offhook.proxy.location;

/**
 * The figures of a store.
 *
 * @param addresses addresses of record with bindings; -1 if unknown
 * @param bindings bindings, of which some may have expired and not been removed yet; -1 if unknown
 * @param updates changes that were kept
 * @param expired bindings that were removed because their time had come
 * @param waiting changes that wait now
 * @param failures what could not be done, all causes
 * @param journalBytes the size of the journal, or 0
 */
public record LocationFigures(
        long addresses, long bindings, long updates, long expired, int waiting, long failures, long journalBytes) {}
