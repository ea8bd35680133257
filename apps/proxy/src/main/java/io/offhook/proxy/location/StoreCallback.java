package io.offhook.proxy.location;

/**
 * Receives what a store found or did. Exactly one of the methods is called, once, on any thread, the caller's included; it
 * must not block.
 *
 * @param <T> the result
 */
public interface StoreCallback<T> {
    /** It was done, and what is acknowledged now is kept. */
    void done(T result);

    /** It was not done. */
    void failed(StoreFailure failure);
}
