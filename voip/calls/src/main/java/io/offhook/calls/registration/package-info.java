/**
 * Registrations: what clients asked of registrars by REGISTER, and what they were granted (RFC 3261, 10). {@link
 * io.offhook.calls.registration.RegistrationTable} follows the transactions of one shard in the order of capture, and makes
 * an immutable {@link io.offhook.calls.registration.Registration} of each Call-ID and address of record. What is wrong with
 * one is said in the terms of all problems, by {@code RegistrationProblems} of the package above. No I/O, no clock.
 */
@NullMarked
package io.offhook.calls.registration;

import org.jspecify.annotations.NullMarked;
