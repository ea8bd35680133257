/**
 * From a SIP URI to where its messages go. {@link io.offhook.proxy.dns.DestinationResolver} is the entry point: it
 * searches by RFC 3263 (NAPTR, SRV, A and AAAA) in what is known, has servers asked for what is not, and puts the
 * destinations of the {@link io.offhook.proxy.dns.DownList} last. {@link io.offhook.proxy.dns.EnumResolver} makes URIs of
 * telephone numbers. The search asks nobody and can be run again; sockets, retries and memory are behind it.
 *
 * <p>Answers are untrusted: their size, records, aliases, times and regular expressions are limited, and each limit has a
 * counter in {@link io.offhook.proxy.dns.DnsCounts}.
 */
@NullMarked
package io.offhook.proxy.dns;

import org.jspecify.annotations.NullMarked;
