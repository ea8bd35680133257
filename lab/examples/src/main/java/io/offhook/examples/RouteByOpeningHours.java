package io.offhook.examples;

import io.offhook.proxy.routing.CallRouter;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.proxy.routing.Target;
import io.offhook.sip.SipUri;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Routing logic for the SIP proxy: outside of opening hours, calls go to the voicemail of whoever was called. A configuration
 * names the jar and the rule that asks it:
 *
 * <pre>{@code
 * routers:
 *   hours: {jar: /etc/offhook/opening-hours.jar, deadline: 200ms}
 * routes:
 *   - match: {user: support}
 *     then: {router: {name: hours}}
 * }</pre>
 *
 * The proxy finds it by its line in {@code META-INF/services/io.offhook.proxy.routing.CallRouter}.
 */
public final class RouteByOpeningHours implements CallRouter {
    private static final int OPENS = 9;
    private static final int CLOSES = 17;

    private final Clock clock;

    /** For {@link java.util.ServiceLoader}. */
    public RouteByOpeningHours() {
        this(Clock.system(ZoneId.systemDefault()));
    }

    RouteByOpeningHours(Clock clock) {
        this.clock = clock;
    }

    /** Null leaves the call to the rules after the one that asked: somebody is there to answer it. */
    @Override
    public @Nullable RouteDecision route(RouteQuery query) {
        return isOpen() ? null : RouteDecision.Fork.to(Target.of(voicemail(query.uri())));
    }

    private boolean isOpen() {
        ZonedDateTime now = ZonedDateTime.now(clock);
        boolean isWeekend = now.getDayOfWeek().compareTo(DayOfWeek.SATURDAY) >= 0;
        return !isWeekend && now.getHour() >= OPENS && now.getHour() < CLOSES;
    }

    private static SipUri voicemail(SipUri called) {
        return SipUri.parse("sip:" + called.user() + "@voicemail.example.org");
    }
}
