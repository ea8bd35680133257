/**
 * Which call a stream belongs to, and how a call loses its ports to another: {@link io.offhook.calls.binding.BestCall} and {@link
 * io.offhook.calls.binding.Takeover} are rules over what they need of a call, {@link io.offhook.calls.binding.CallSpan}. Within one
 * process the calls themselves are that; where endpoints, streams and calls are at different places, {@link
 * io.offhook.calls.binding.Naming} is what a call's SDP names, and {@link io.offhook.calls.binding.NamedCall} the call.
 */
@NullMarked
package io.offhook.calls.binding;

import org.jspecify.annotations.NullMarked;
