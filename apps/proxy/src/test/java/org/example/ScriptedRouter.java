package org.example;

import io.offhook.proxy.routing.CallRouter;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.proxy.routing.Target;
import io.offhook.sip.SipUri;
import java.util.List;

/**
 * A router that does what a header of the request asks for. Tests put it into jars; what it asks of the header fields may block,
 * so a test decides when it goes on.
 */
public final class ScriptedRouter implements CallRouter, AutoCloseable {
    /** Instances that were closed, seen from outside of its class loader. */
    public static final String CLOSED = "offhook.test.router.closed";

    @Override
    public RouteDecision route(RouteQuery query) throws Exception {
        List<String> script = query.headers().values("X-Do");
        return switch (script.isEmpty() ? "" : script.getFirst()) {
            case "fork" -> RouteDecision.Fork.to(Target.of(SipUri.parse("sip:" + query.dialled() + "@192.0.2.9")));
            case "nothing" -> null;
            case "fail" -> throw new java.io.IOException("the database is away");
            case "invalid" -> RouteDecision.Reply.of(42);
            case "deep" -> throw new StackOverflowError();
            case "no-such-group" -> RouteDecision.Fork.to(Target.byGroup(query.uri(), "none"));
            default -> RouteDecision.Reply.of(404);
        };
    }

    @Override
    public void close() {
        System.setProperty(CLOSED, String.valueOf(Integer.getInteger(CLOSED, 0) + 1));
    }
}
