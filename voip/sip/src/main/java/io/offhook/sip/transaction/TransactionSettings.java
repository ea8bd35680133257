package io.offhook.sip.transaction;

/**
 * What a layer is made with.
 *
 * @param timers the times of transactions
 * @param limits the limits of the layer
 * @param secret a random number that nobody else knows: keys and branches depend on it
 * @param observer is notified of each message
 */
public record TransactionSettings(
        TransactionTimers timers, TransactionLimits limits, long secret, TransactionObserver observer) {
    /** Settings without observer. */
    public TransactionSettings(TransactionTimers timers, TransactionLimits limits, long secret) {
        this(timers, limits, secret, TransactionObserver.NONE);
    }
}
