package io.offhook.proxy.dns;

import io.offhook.config.ConfigSchema;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.Map;

/**
 * How names become addresses.
 *
 * @param isEnabled whether servers are asked; if not, only addresses, {@code localhost} and {@code hosts} are known
 * @param servers whom to ask, in this order; empty for those of the system
 * @param limits bounds of the work
 * @param families which addresses are used, and which first
 * @param cache bounds of the memory
 * @param hosts addresses by name in lower case, which no server is asked about
 * @param enumeration telephone numbers to URIs
 */
public record DnsConfig(
        boolean isEnabled,
        List<Endpoint> servers,
        Limits limits,
        Families families,
        Cache cache,
        Map<String, List<IpAddress>> hosts,
        Enumeration enumeration) {

    /** Which addresses are used, and in which order: RFC 7984 asks for both of a host with two families. */
    public enum Families {
        /** Both, IPv4 first. */
        IPV4_FIRST,
        /** Both, IPv6 first. */
        IPV6_FIRST,
        /** IPv4 alone. */
        IPV4,
        /** IPv6 alone. */
        IPV6
    }

    /**
     * Bounds of the work.
     *
     * @param timeoutMs how long one server has for one answer, in milliseconds
     * @param tries how often all servers are asked before a name counts as failed, at least 1
     * @param openQuestions the most questions that are open at a time; further ones are refused
     * @param destinations the most destinations of one URI
     * @param downMs how long a destination that failed is tried last, in milliseconds
     * @param downDestinations the most destinations that are remembered as failed
     */
    public record Limits(
            int timeoutMs, int tries, int openQuestions, int destinations, long downMs, int downDestinations) {}

    /**
     * Bounds of the memory. Times are in seconds.
     *
     * @param entries the most answers that are kept
     * @param minSeconds how long an answer is kept at least
     * @param maxSeconds how long an answer is kept at most
     * @param negativeSeconds how long it is kept at most that there are no records
     * @param failureSeconds how long it is kept that no server answered
     * @param staleSeconds how long after its end an answer serves if no server answers; 0 for never (RFC 8767)
     */
    public record Cache(
            int entries,
            long minSeconds,
            long maxSeconds,
            long negativeSeconds,
            long failureSeconds,
            long staleSeconds) {}

    /**
     * ENUM (RFC 6116).
     *
     * @param isEnabled whether numbers are looked up
     * @param suffix what follows the digits: {@code e164.arpa}, or a tree of one's own
     */
    public record Enumeration(boolean isEnabled, String suffix) {}

    /** Copies what is given. */
    public DnsConfig {
        servers = List.copyOf(servers);
        hosts = Map.copyOf(hosts);
    }

    /** The keys of the section, always the same. */
    public static ConfigSchema<DnsConfig> schema() {
        return DnsKeys.SCHEMA;
    }
}
