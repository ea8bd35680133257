package io.offhook.proxy.dns;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locates SIP servers (RFC 3263, 4; RFC 7984) from answers that are known. Asks nobody: what is not known is noted in
 * {@link #missing()}, and once that has been found out the search is run again. A run with the same answers and the same
 * seed has the same result, so that searching in steps does not change the order.
 */
final class TargetSearch {
    /** Questions noted in one run; what is beyond them is noted in the next. */
    private static final int MAX_MISSING = 32;

    /** Services of one order that are followed: each leads to several targets, each of these to two families. */
    private static final int MAX_POINTERS = 8;

    private final Function<DnsQuestion, @Nullable DnsAnswer> answers;
    private final DnsConfig config;
    private final long seed;
    private final Set<DnsQuestion> missing = new LinkedHashSet<>();
    private final Set<Destination> found = new LinkedHashSet<>();
    private Resolution.Status without = Resolution.Status.NO_DESTINATION;
    private String serverName = "";
    private boolean hasBadName;

    TargetSearch(Function<DnsQuestion, @Nullable DnsAnswer> answers, DnsConfig config, long seed) {
        this.answers = answers;
        this.config = config;
        this.seed = seed;
    }

    /** What must be asked before the result of {@link #run} is final. */
    Set<DnsQuestion> missing() {
        return missing;
    }

    /** Whether a host or target cannot be a name of the DNS. */
    boolean hasBadName() {
        return hasBadName;
    }

    /** Searches; the result is not final while something is {@link #missing()}. */
    Resolution run(SipUri uri, TargetPolicy policy) {
        boolean isSip = uri.scheme().equals("sip") || uri.scheme().equals("sips");
        boolean isSecure = policy.isSecure() || uri.scheme().equals("sips");
        List<SipTransport> allowed = policy.transports().stream()
                .filter(transport -> !isSecure || transport.isSecure())
                .toList();
        String parameter = uri.parameter("transport");
        SipTransport named = parameter.isEmpty() ? null : transport(parameter, isSecure);
        String host = withoutBrackets(uri.host());
        if (!isSip || host.isEmpty() || allowed.isEmpty()) {
            return Resolution.none(Resolution.Status.UNSUPPORTED);
        }
        if (!parameter.isEmpty() && (named == null || !allowed.contains(named))) {
            return Resolution.none(Resolution.Status.UNSUPPORTED);
        }
        serverName = host;
        String maddr = withoutBrackets(uri.parameter("maddr"));
        String target = maddr.isEmpty() ? host : maddr; // RFC 3263, 4: TARGET is maddr if it is present
        SipTransport usual = named != null ? named : usual(allowed, isSecure);
        if (uri.port() > 0 || IpAddress.parse(target) != null) {
            addresses(target, usual, uri.port() > 0 ? uri.port() : defaultPort(usual));
        } else if (named != null) {
            services(target, List.of(named), usual);
        } else {
            pointers(target, allowed, usual);
        }
        return found.isEmpty() ? Resolution.none(without) : new Resolution(Resolution.Status.FOUND, List.copyOf(found));
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** What a transport parameter means; null if nothing that can be sent by. TLS over TCP is SIPS, or the old "tls". */
    private static @Nullable SipTransport transport(String parameter, boolean isSecure) {
        return switch (parameter.toLowerCase(Locale.ROOT)) {
            case "udp" -> isSecure ? null : SipTransport.UDP;
            case "tcp" -> isSecure ? SipTransport.TLS : SipTransport.TCP;
            case "tls" -> SipTransport.TLS;
            case "ws" -> isSecure ? SipTransport.WSS : SipTransport.WS;
            case "wss" -> SipTransport.WSS;
            case "sctp" -> isSecure ? null : SipTransport.SCTP;
            default -> null;
        };
    }

    /** Where nothing says which: UDP, or TLS for SIPS (RFC 3263, 4.1), or what is allowed instead. */
    private static SipTransport usual(List<SipTransport> allowed, boolean isSecure) {
        SipTransport usual = isSecure ? SipTransport.TLS : SipTransport.UDP;
        return allowed.contains(usual) ? usual : allowed.getFirst();
    }

    /** RFC 3261, 19.1.2; for WebSocket those of HTTP (RFC 7118). */
    static int defaultPort(SipTransport transport) {
        return switch (transport) {
            case WS -> 80;
            case WSS -> 443;
            default -> transport.defaultPort();
        };
    }

    private @Nullable DnsAnswer answer(String name, DnsType type) {
        DnsQuestion question = DnsQuestion.of(name, type);
        if (question == null) {
            hasBadName = true;
            return DnsAnswer.NO_NAME;
        }
        DnsAnswer answer = answers.apply(question);
        if (answer == null) {
            if (missing.size() < MAX_MISSING) {
                missing.add(question);
            }
        } else if (answer.kind() == DnsAnswer.Kind.FAILED && without != Resolution.Status.REFUSED) {
            without = Resolution.Status.FAILED;
        } else if (answer.kind() == DnsAnswer.Kind.REFUSED) {
            without = Resolution.Status.REFUSED;
        }
        return answer;
    }

    // ---- NAPTR

    private static @Nullable SipTransport transportOf(DnsRecord.Pointer pointer) {
        return switch (pointer.service().toUpperCase(Locale.ROOT)) {
            case "SIP+D2U" -> SipTransport.UDP;
            case "SIP+D2T" -> SipTransport.TCP;
            case "SIPS+D2T" -> SipTransport.TLS;
            case "SIP+D2W" -> SipTransport.WS;
            case "SIPS+D2W" -> SipTransport.WSS;
            case "SIP+D2S" -> SipTransport.SCTP;
            default -> null;
        };
    }

    /** Takes the records of the lowest order that leads somewhere: those behind it must not be considered (RFC 3403, 4.1). */
    private void pointers(String target, List<SipTransport> allowed, SipTransport usual) {
        DnsAnswer answer = answer(target, DnsType.NAPTR);
        if (answer == null) {
            return;
        }
        List<DnsRecord.Pointer> usable = usable(answer, allowed);
        if (usable.isEmpty()) {
            // services of WebSocket have no names of their own, but those that a pointer gives (RFC 7118)
            List<SipTransport> named = allowed.stream()
                    .filter(transport -> transport != SipTransport.WS && transport != SipTransport.WSS)
                    .toList();
            services(target, named.isEmpty() ? allowed : named, usual);
            return;
        }
        int order = usable.getFirst().order();
        for (DnsRecord.Pointer pointer : usable) {
            if (pointer.order() != order && (!found.isEmpty() || !missing.isEmpty())) {
                return;
            }
            order = pointer.order();
            SipTransport transport = transportOf(pointer);
            if (transport != null && pointer.flags().equalsIgnoreCase("s")) {
                service(pointer.replacement(), transport);
            } else if (transport != null) {
                addresses(pointer.replacement(), transport, defaultPort(transport));
            }
        }
    }

    /** Whether it leads to services or addresses, rather than to another pointer or a URI. */
    private static boolean isTerminal(DnsRecord.Pointer pointer) {
        return pointer.flags().equalsIgnoreCase("s") || pointer.flags().equalsIgnoreCase("a");
    }

    private static List<DnsRecord.Pointer> usable(DnsAnswer answer, List<SipTransport> allowed) {
        List<DnsRecord.Pointer> usable = new ArrayList<>();
        for (DnsRecord record : answer.records()) {
            SipTransport transport = record instanceof DnsRecord.Pointer pointer ? transportOf(pointer) : null;
            boolean isAllowed = transport != null && allowed.contains(transport);
            if (isAllowed
                    && record instanceof DnsRecord.Pointer pointer
                    && isTerminal(pointer)
                    && usable.size() < MAX_POINTERS) {
                usable.add(pointer);
            }
        }
        // answers are in the order of order and preference already; where the owner has none, ours counts
        usable.sort((one, other) -> one.order() != other.order()
                ? Integer.compare(one.order(), other.order())
                : one.preference() != other.preference()
                        ? Integer.compare(one.preference(), other.preference())
                        : Integer.compare(allowed.indexOf(transportOf(one)), allowed.indexOf(transportOf(other))));
        return usable;
    }

    // ---- SRV

    private static String serviceName(SipTransport transport, String domain) {
        return switch (transport) {
                    case UDP -> "_sip._udp.";
                    case TCP -> "_sip._tcp.";
                    case TLS -> "_sips._tcp.";
                    case WS -> "_sip._ws.";
                    case WSS -> "_sips._ws.";
                    case SCTP -> "_sip._sctp.";
                }
                + domain;
    }

    /** Services of a domain by transport; the domain itself as host if it has none (RFC 3263, 4.1 and 4.2). */
    private void services(String domain, List<SipTransport> transports, SipTransport usual) {
        boolean hasService = false;
        for (SipTransport transport : transports) {
            hasService |= service(serviceName(transport, domain), transport);
        }
        if (!hasService && missing.isEmpty()) {
            addresses(domain, usual, defaultPort(usual));
        }
    }

    /** Returns whether there is such a service; a target "." declares that there is none (RFC 2782), which counts too. */
    private boolean service(String name, SipTransport transport) {
        DnsAnswer answer = answer(name, DnsType.SRV);
        if (answer == null || !answer.isFound()) {
            return false;
        }
        SplittableRandom random = new SplittableRandom(seed ^ name.hashCode());
        int targets = 0;
        for (DnsRecord.Service service : ServiceOrder.of(answer.records(), random::nextInt)) {
            if (++targets > config.limits().destinations()) {
                break;
            }
            if (!service.target().equals(".") && service.port() > 0) {
                addresses(service.target(), transport, service.port());
            }
        }
        return true;
    }

    // ---- addresses

    private void addresses(String host, SipTransport transport, int port) {
        IpAddress numeric = IpAddress.parse(host);
        if (numeric != null) {
            add(numeric, transport, port);
            return;
        }
        switch (config.families()) {
            case IPV4 -> addresses(host, DnsType.A, transport, port);
            case IPV6 -> addresses(host, DnsType.AAAA, transport, port);
            case IPV4_FIRST -> {
                addresses(host, DnsType.A, transport, port);
                addresses(host, DnsType.AAAA, transport, port);
            }
            case IPV6_FIRST -> {
                addresses(host, DnsType.AAAA, transport, port);
                addresses(host, DnsType.A, transport, port);
            }
        }
    }

    private void addresses(String host, DnsType type, SipTransport transport, int port) {
        DnsAnswer answer = answer(host, type);
        if (answer == null) {
            return;
        }
        for (DnsRecord record : answer.records()) {
            if (record instanceof DnsRecord.Address address) {
                add(address.address(), transport, port);
            }
        }
    }

    private void add(IpAddress address, SipTransport transport, int port) {
        if (found.size() < config.limits().destinations()) {
            found.add(new Destination(transport, address, port, serverName));
        }
    }
}
