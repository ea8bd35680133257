/**
 * Receives what capture agents send by HEP. {@link io.offhook.collector.HepCollector} is the entry point: a live source
 * whose frames are the HEP packets, each behind an IP and a UDP header, as a capture in front of the collector would have
 * them. Sockets are those of {@code transport}; their threads check each packet and copy it into a bounded queue of blocks,
 * which batches borrow. What a packet carries is decoded where HEP in captures is.
 */
@NullMarked
package io.offhook.collector;

import org.jspecify.annotations.NullMarked;
