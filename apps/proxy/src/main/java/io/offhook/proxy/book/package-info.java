/**
 * The calls that the proxy knows of. Each lane has a {@link io.offhook.proxy.book.CallBook}, which observes the core, counts
 * for the statistics and makes call records; others see copies of its entries.
 */
@NullMarked
package io.offhook.proxy.book;

import org.jspecify.annotations.NullMarked;
