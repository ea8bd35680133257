/**
 * Where users are: the registrar, and the stores that keep its bindings.
 *
 * <p>{@link io.offhook.proxy.location.Registrar} answers REGISTER and finds the phones that a request goes to. It keeps
 * bindings in a {@link io.offhook.proxy.location.LocationStore}: {@link io.offhook.proxy.location.MemoryLocationStore}, in
 * memory with snapshot and journal on disk, or {@link io.offhook.proxy.location.PostgresLocationStore}. Nothing here
 * blocks its caller: what takes time completes later, by a callback on another thread.
 */
@NullMarked
package io.offhook.proxy.location;

import org.jspecify.annotations.NullMarked;
