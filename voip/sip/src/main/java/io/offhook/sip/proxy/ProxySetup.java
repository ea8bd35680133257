package io.offhook.sip.proxy;

import io.offhook.sip.transaction.TransactionSettings;

/**
 * What a core is made with.
 *
 * @param identity the listeners, and the names of the proxy; one for each core, because it is not thread-safe
 * @param settings how requests are treated
 * @param transactions times and limits of transactions
 * @param observer is notified of requests, responses and calls
 */
public record ProxySetup(
        ProxyIdentity identity, ProxySettings settings, TransactionSettings transactions, ProxyObserver observer) {
    /** A setup without observer. */
    public ProxySetup(ProxyIdentity identity, ProxySettings settings, TransactionSettings transactions) {
        this(identity, settings, transactions, ProxyObserver.NONE);
    }
}
