package io.offhook.proxy;

import io.offhook.proxy.dns.EnumResolver;
import io.offhook.proxy.limit.BanTable;
import io.offhook.proxy.limit.Rates;
import io.offhook.proxy.limit.RequestLimits;
import io.offhook.proxy.location.BoundFlows;
import io.offhook.proxy.location.LocationStore;
import io.offhook.proxy.location.MemoryLocationStore;
import io.offhook.proxy.location.PostgresConfig;
import io.offhook.proxy.location.PostgresLocationStore;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.proxy.policy.Admission;
import io.offhook.proxy.policy.Authentication;
import io.offhook.proxy.policy.HopToken;
import io.offhook.proxy.policy.PolicyServices;
import io.offhook.proxy.routing.Accounts;
import io.offhook.proxy.routing.Routing;
import io.offhook.proxy.users.UserFile;
import io.offhook.sip.SipHop;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.proxy.RouteKey;
import io.offhook.sip.registrar.Gruus;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** What all lanes share: rules, limits, bans, users, registrations. Thread-safe. */
final class SharedServices implements AutoCloseable {
    private final Routing routing;
    private final LocationStore location;
    private final RouteKey routeKey;
    private final RequestLimits limits;
    private final BanTable bans;
    private final @Nullable UserFile users;
    private final @Nullable Registrar registrar;
    private final @Nullable Authentication authentication;
    private final @Nullable MediaRelay media;
    private final Admission admission = new Admission();
    private final ListenerSet listeners;
    private final InstantSource clock;
    private final @Nullable Thread userWatch;
    private volatile ProxyConfig config;
    private volatile Accounts accounts;

    private SharedServices(
            ProxyConfig config,
            ListenerSet listeners,
            InstantSource clock,
            LocationStore location,
            LongPredicate isFlowOpen)
            throws IOException {
        this.config = config;
        this.listeners = listeners;
        this.clock = clock;
        this.location = location;
        routeKey = RouteSecret.of(config.registrations());
        SecureRandom random = new SecureRandom();
        accounts = Accounts.read(config.routing());
        routing = new Routing(config.routing(), listeners.endpoints());
        limits = new RequestLimits(config.limits(), random.nextLong());
        bans = new BanTable(config.ban(), routing.trunks().sources(), random.nextLong());
        Path userFile = config.registrations().users().users();
        users = userFile == null ? null : UserFile.open(userFile);
        DigestVerifier verifier = users == null
                ? null
                : new DigestVerifier(
                        config.registrations().users().settings(),
                        users,
                        config.registrations().users().secret("nonce"));
        authentication = verifier == null ? null : new Authentication(verifier);
        boolean hasRegistrar = !config.routing().domains().isEmpty() && (config.isOpen() || verifier != null);
        registrar = hasRegistrar
                ? new Registrar(
                        config.registrations().registrar(),
                        location,
                        domain -> routing.domains().containsHost(domain),
                        verifier,
                        new Gruus(config.registrations().users().secret("gruu")),
                        new BoundFlows(token -> isOpen(token, isFlowOpen)))
                : null;
        media = config.network().media().engines().isEmpty()
                ? null
                : new MediaRelay(config.network().media());
        userWatch =
                users == null ? null : Thread.ofVirtual().name("offhook-users").start(() -> watch(users));
    }

    /** Reads the user file again when it changes; until it can be read, the users are those before. */
    private static void watch(UserFile users) {
        try {
            while (true) {
                Thread.sleep(Duration.ofSeconds(1));
                try {
                    users.reloadIfChanged();
                } catch (IOException e) {
                    // looked at again once the file has changed
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOpen(byte[] token, LongPredicate isFlowOpen) {
        SipHop hop = HopToken.read(token);
        return hop == null || hop.connection() == 0 || isFlowOpen.test(hop.connection());
    }

    /** A connection has ended. */
    void flowEnded(SipHop flow) {
        if (registrar != null) {
            registrar.flowEnded(HopToken.of(flow));
        }
    }

    /**
     * Opens files and database.
     *
     * @param isFlowOpen says of the number of a connection whether it is open
     */
    static SharedServices open(ProxyConfig config, ListenerSet listeners, InstantSource clock, LongPredicate isFlowOpen)
            throws IOException {
        PostgresConfig postgres = config.registrations().location().postgres();
        LocationStore location = postgres == null
                ? MemoryLocationStore.open(config.registrations().location(), clock)
                : PostgresLocationStore.open(
                        postgres, config.registrations().location().mostWaiting(), clock);
        try {
            return new SharedServices(config, listeners, clock, location, isFlowOpen);
        } catch (IOException | RuntimeException | Error e) {
            location.close();
            throw e;
        }
    }

    /**
     * Takes another configuration, in which nothing differs that cannot change.
     *
     * @throws IOException if users or passwords cannot be read; nothing has changed then
     */
    void reload(ProxyConfig after) throws IOException {
        if (users != null) {
            users.reloadIfChanged();
        }
        Accounts read = Accounts.read(after.routing());
        routing.reload(after.routing());
        accounts = read;
        limits.reload(after.limits());
        bans.reload(after.ban(), routing.trunks().sources(), clock.millis());
        if (registrar != null) {
            registrar.change(after.registrations().registrar());
        }
        if (media != null) {
            media.configure(after.network().media());
        }
        config = after;
    }

    /** What the policies of the lanes ask. */
    PolicyServices forPolicies(EnumResolver numbers) {
        return new PolicyServices(
                routing,
                limits,
                hasLimits(config),
                bans,
                registrar,
                authentication,
                accounts,
                media,
                admission,
                numbers,
                listeners.names(),
                clock);
    }

    private static boolean hasLimits(ProxyConfig config) {
        return !config.limits().source().equals(Rates.UNLIMITED)
                || !config.limits().user().equals(Rates.UNLIMITED)
                || config.routing().trunks().values().stream()
                        .anyMatch(trunk -> !trunk.rates().equals(Rates.UNLIMITED));
    }

    Routing routing() {
        return routing;
    }

    /** What Record-Route is signed with; the same as long as this process runs. */
    RouteKey routeKey() {
        return routeKey;
    }

    LocationStore location() {
        return location;
    }

    BanTable bans() {
        return bans;
    }

    /** Relays of media; null if none are used. */
    @Nullable
    MediaRelay media() {
        return media;
    }

    Admission admission() {
        return admission;
    }

    @Override
    public void close() {
        if (userWatch != null) {
            userWatch.interrupt();
        }
        if (media != null) {
            media.close();
        }
        routing.close();
        location.close();
    }
}
