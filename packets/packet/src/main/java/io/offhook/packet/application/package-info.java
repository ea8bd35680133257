/**
 * Messages that a transport layer carries: DNS, DHCP, NTP, TLS, QUIC, STUN, SNMP, RADIUS, Diameter and others. One
 * view a protocol; {@link io.offhook.packet.application.DnsView} is a typical one. {@link
 * io.offhook.packet.fields.ApplicationRecognizer} decides by content and port which of them a payload is. SIP, RTP and
 * RTCP have modules of their own.
 */
@NullMarked
package io.offhook.packet.application;

import org.jspecify.annotations.NullMarked;
