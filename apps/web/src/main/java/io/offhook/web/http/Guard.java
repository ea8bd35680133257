package io.offhook.web.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.offhook.web.access.PasswordCheck;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;

/**
 * Stands before every request. A server that listens on loopback answers to loopback's names only, so that no name of a page
 * elsewhere that resolves to it reads the calls (DNS rebinding). What changes something comes from the own page: it has the
 * header {@code X-Offhook}, which a browser sends to no other origin unasked, and no foreign {@code Origin}. Where passwords
 * are set, each request has one (Basic, RFC 7617, with any user, or Bearer, RFC 6750).
 */
public final class Guard implements Filter {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final HeaderName OWN = HeaderNames.create("X-Offhook");

    private final PasswordCheck passwords;
    private final boolean isLoopback;
    private final String policy;

    /**
     * Creates one.
     *
     * @param isLoopback whether the server listens on loopback only
     * @param importMap the script in the page, as {@link PageFiles#importMapSource()} has it
     */
    public Guard(PasswordCheck passwords, boolean isLoopback, String importMap) {
        this.passwords = passwords;
        this.isLoopback = isLoopback;
        policy = "default-src 'none'; script-src 'self' " + importMap
                + "; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self';"
                + " font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        response.header("Content-Security-Policy", policy);
        response.header("X-Content-Type-Options", "nosniff");
        response.header("Referrer-Policy", "no-referrer");
        response.header("Cross-Origin-Opener-Policy", "same-origin");
        response.header("Cross-Origin-Resource-Policy", "same-origin");
        String host = request.headers().first(HeaderNames.HOST).orElse("");
        if (isLoopback && !LOOPBACK.contains(name(host))) {
            JsonReply.error(response, 421, "this server answers to localhost and 127.0.0.1 only");
            return;
        }
        if (!isReading(request) && !isOwn(request, host)) {
            JsonReply.error(
                    response, 403, "requests that change something need the header X-Offhook, and no other Origin");
            return;
        }
        if (passwords.isAsked() && !isHealth(request) && !isAllowed(request, response)) {
            return;
        }
        chain.proceed();
    }

    private static String name(String host) {
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return name.toLowerCase(Locale.ROOT);
    }

    private static boolean isReading(RoutingRequest request) {
        Method method = request.prologue().method();
        return Method.GET.equals(method) || Method.HEAD.equals(method);
    }

    /** Whoever watches whether the server lives needs no password, and learns no more. */
    private static boolean isHealth(RoutingRequest request) {
        return request.path().path().equals("/health");
    }

    private static boolean isOwn(RoutingRequest request, String host) {
        if (!request.headers().contains(OWN)) {
            return false;
        }
        String origin = request.headers().first(HeaderNames.ORIGIN).orElse(null);
        if (origin == null) {
            return true; // no browser
        }
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private boolean isAllowed(RoutingRequest request, RoutingResponse response) {
        String authorization =
                request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
        String credential = credential(authorization);
        String address = String.valueOf(request.remotePeer().host());
        PasswordCheck.Answer answer =
                credential.isEmpty() ? PasswordCheck.Answer.WRONG : passwords.check(credential, address);
        switch (answer) {
            case RIGHT -> {
                return true;
            }
            case WRONG -> {
                response.header("WWW-Authenticate", "Basic realm=\"Offhook\", charset=\"UTF-8\"");
                JsonReply.error(response, 401, "a password or token is needed");
            }
            case TOO_OFTEN -> {
                response.header("Retry-After", "60");
                JsonReply.error(response, 429, "too many wrong passwords; wait a minute");
            }
        }
        return false;
    }

    /** The password or token; empty if there is none. */
    private static String credential(String authorization) {
        int space = authorization.indexOf(' ');
        String scheme = space < 0 ? "" : authorization.substring(0, space).toLowerCase(Locale.ROOT);
        String rest = authorization.substring(space + 1).strip();
        return switch (scheme) {
            case "bearer" -> rest;
            case "basic" -> {
                try {
                    String pair = new String(Base64.getDecoder().decode(rest), StandardCharsets.UTF_8);
                    yield pair.substring(pair.indexOf(':') + 1);
                } catch (IllegalArgumentException _) {
                    yield "";
                }
            }
            default -> "";
        };
    }
}
