/**
 * What a process did in gaps of its signalling, between a message that came in and what it sent for it: an
 * {@link io.offhook.monitor.xray.Evidence} is filled with samples of threads and sockets and with pauses, and divides each
 * {@link io.offhook.monitor.xray.Gap} among {@link io.offhook.monitor.xray.Cause}s. Pure: it reads no clock, no process and no file,
 * and knows nothing of SIP. {@link io.offhook.monitor.XrayWatch} fills it from a JVM.
 */
@NullMarked
package io.offhook.monitor.xray;

import org.jspecify.annotations.NullMarked;
