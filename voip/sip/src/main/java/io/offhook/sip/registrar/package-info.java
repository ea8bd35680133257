/**
 * The rules of a SIP registrar (RFC 3261, 10.3; RFC 3327, RFC 5626, RFC 5627), without I/O, memory and clock.
 *
 * <p>{@link io.offhook.sip.registrar.RegisterRequest} is what a REGISTER asks for, owned, so that it may go to another
 * thread. {@link io.offhook.sip.registrar.RegistrarRules} apply it to the {@link io.offhook.sip.registrar.Binding}s that an
 * {@link io.offhook.sip.registrar.AddressOfRecord} has, and return those that it has then, with the answer: who keeps
 * bindings replaces all of them or none. {@link io.offhook.sip.registrar.RegisteredTarget} is the way back: where requests
 * to an address of record, or to a GRUU ({@link io.offhook.sip.registrar.Gruus}), go.
 */
@NullMarked
package io.offhook.sip.registrar;

import org.jspecify.annotations.NullMarked;
