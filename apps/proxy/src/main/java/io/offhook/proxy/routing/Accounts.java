package io.offhook.proxy.routing;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipUri;
import io.offhook.sip.digest.DigestClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The accounts of the proxy at peers that ask for credentials, with their passwords. Immutable and thread-safe. */
public final class Accounts {
    /** No accounts. */
    public static final Accounts NONE = new Accounts(Map.of(), Map.of());

    private static final int DEFAULT_PORT = 5060;
    private static final int DEFAULT_TLS_PORT = 5061;

    private record Account(
            String user, String password, @Nullable String realm) {}

    private final Map<String, Account> byName;
    /** The members whose URIs are addresses, and the credentials of their groups. */
    private final Map<Endpoint, Set<String>> places;

    private final SecureRandom random = new SecureRandom();

    private Accounts(Map<String, Account> byName, Map<Endpoint, Set<String>> places) {
        this.byName = byName;
        this.places = places;
    }

    /**
     * Reads the passwords of a configuration.
     *
     * @throws IOException if a file cannot be read, or its first line is empty
     */
    public static Accounts read(RoutingConfig config) throws IOException {
        Map<String, Account> byName = new HashMap<>();
        for (Map.Entry<String, Credentials> entry : config.credentials().entrySet()) {
            Credentials credentials = entry.getValue();
            String password =
                    password(entry.getKey(), credentials.passwordFile().value());
            String realm = credentials.realm().isEmpty() ? null : credentials.realm();
            byName.put(entry.getKey(), new Account(credentials.user(), password, realm));
        }
        Map<Endpoint, Set<String>> places = new HashMap<>();
        for (GroupConfig group : config.groups().values()) {
            Placed<String> credentials = group.credentials();
            for (GroupConfig.Member member : group.members()) {
                Endpoint place = credentials == null ? null : place(member.uri());
                if (credentials != null && place != null) {
                    places.computeIfAbsent(place, _ -> new HashSet<>()).add(credentials.value());
                }
            }
        }
        return new Accounts(Map.copyOf(byName), places);
    }

    private static String password(String name, Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String first = reader.readLine();
            if (first != null && !first.isEmpty()) {
                return first;
            }
        } catch (IOException e) {
            throw new IOException("the password of credentials " + name + " cannot be read from " + file + ": " + e, e);
        }
        throw new IOException("credentials " + name + " have no password: the first line of " + file + " is empty");
    }

    private static @Nullable Endpoint place(SipUri uri) {
        String host = uri.host();
        IpAddress address = IpAddress.parse(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
        boolean isTls = uri.scheme().equals("sips") || uri.parameters().contains("transport=tls");
        int usual = isTls ? DEFAULT_TLS_PORT : DEFAULT_PORT;
        return address == null ? null : Endpoint.of(address, uri.port() < 0 ? usual : uri.port());
    }

    /** An account for one request; null if there is none of this name. */
    public @Nullable DigestClient client(String name) {
        Account account = byName.get(name);
        return account == null ? null : new DigestClient(account.user(), account.password(), account.realm(), random);
    }

    /** Whether a member of a group with these credentials has this address and port as its URI. */
    public boolean isMember(Endpoint place, String name) {
        return places.getOrDefault(place, Set.of()).contains(name);
    }

    /** The credentials of the groups that have a member with this address and port as its URI; empty if there are none. */
    public Set<String> at(Endpoint place) {
        return places.getOrDefault(place, Set.of());
    }

    /** Whether there are credentials of this name. */
    public boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Whether there are none at all. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }
}
