package io.offhook.proxy.policy;

import io.offhook.proxy.dns.EnumResolver;
import io.offhook.proxy.limit.BanTable;
import io.offhook.proxy.limit.RequestLimits;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.proxy.routing.Accounts;
import io.offhook.proxy.routing.Routing;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the policies of all lanes share. All of it is thread-safe.
 *
 * @param routing rules, groups, trunks, domains
 * @param limits rates and calls of sources and users
 * @param hasLimits whether sources, users or trunks have limits at all
 * @param bans sources that are not listened to
 * @param registrar registrations; null if there is no registrar
 * @param authentication who asks for credentials; null if nobody does
 * @param accounts those of the proxy at peers that ask for credentials
 * @param media relays of media; null if none are used
 * @param admission whether new requests are taken
 * @param numbers finds the URIs of telephone numbers
 * @param listeners the names of the listeners, in the order of their numbers
 * @param clock the time of day
 */
public record PolicyServices(
        Routing routing,
        RequestLimits limits,
        boolean hasLimits,
        BanTable bans,
        @Nullable Registrar registrar,
        @Nullable Authentication authentication,
        Accounts accounts,
        @Nullable MediaRelay media,
        Admission admission,
        EnumResolver numbers,
        List<String> listeners,
        InstantSource clock) {
    /** Copies the names. */
    public PolicyServices {
        listeners = List.copyOf(listeners);
    }
}
