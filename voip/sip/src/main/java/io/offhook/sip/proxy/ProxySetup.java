package io.offhook.sip.proxy;

import io.offhook.sip.transaction.TransactionSettings;

/**
 * What a core is made with.
 *
 * @param identity the listeners, and the names of the proxy; one for each core, because it is not thread-safe
 * @param settings how requests are treated
 * @param transactions times and limits of transactions
 */
public record ProxySetup(ProxyIdentity identity, ProxySettings settings, TransactionSettings transactions) {}
