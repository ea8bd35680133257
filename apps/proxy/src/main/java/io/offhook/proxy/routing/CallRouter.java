package io.offhook.proxy.routing;

import org.jspecify.annotations.Nullable;

/**
 * Routing logic of a user: a class in a jar, named in the jar's {@code META-INF/services/io.offhook.proxy.routing.CallRouter},
 * with a public constructor without parameters. A configuration names the jar, and rules name the router:
 *
 * <pre>{@code
 * routers:
 *   prices: {jar: /etc/offhook/prices.jar, deadline: 200ms, otherwise: next-rule}
 * routes:
 *   - match: {prefix: "00"}
 *     then: {router: {name: prices}}
 * }</pre>
 *
 * <p>The jar has a class loader of its own. Its classes come before those of the program, so it may bring libraries in other
 * versions. It is copied when it is loaded, so that the file may be replaced at any time; a reload of the configuration loads it
 * anew. Requests in flight keep the instance that they began with. When an instance's last request has ended, it is
 * closed if it is {@link AutoCloseable}.
 *
 * @see RouteDecision
 */
@FunctionalInterface
public interface CallRouter {
    /**
     * Decides where a request goes. Called for each request outside of dialogs that a rule passes to this router, by many
     * virtual threads at the same time: it may wait, and must be thread-safe. It must not compute for long, as virtual threads
     * share a few processors with the other work of the proxy.
     *
     * <p>The answer must come before the deadline; after it, the thread is interrupted. A late answer, an exception and null
     * count as failures: the next rule applies, or 500 is answered, as the configuration says. If more requests than
     * configured are in the router already, it is not called, which counts as a failure, too.
     *
     * @param query the request
     * @return the decision; null for none
     * @throws Exception for any failure; it is counted
     */
    @Nullable
    RouteDecision route(RouteQuery query) throws Exception;
}
