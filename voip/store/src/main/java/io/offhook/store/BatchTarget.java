package io.offhook.store;

/** Where batches go: a store, or in tests what fails as a disk does. */
@FunctionalInterface
interface BatchTarget {
    /** @throws StoreException if nothing of the batch was written */
    void write(Batch batch) throws StoreException;
}
