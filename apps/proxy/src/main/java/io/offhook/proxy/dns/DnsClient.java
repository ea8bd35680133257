package io.offhook.proxy.dns;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions: from the hosts of the configuration, from memory, or by asking servers on a virtual thread, once
 * for all who ask at the same time. Thread-safe.
 */
final class DnsClient implements AutoCloseable {
    private static final IpAddress LOOPBACK_V4 = IpAddress.ofIpv4(0x7f00_0001);
    private static final IpAddress LOOPBACK_V6 = new IpAddress(0, 1);
    /** RFC 8767, 5: how long an outdated answer serves before servers are asked again. */
    private static final long STALE_SECONDS = 30;

    private static final long ALWAYS = 1L << 30;

    private final InstantSource clock;
    private final DnsCounts counts;
    private final DnsCache cache;
    private final DnsExchange exchange;
    private final Map<DnsQuestion, CompletableFuture<DnsAnswer>> open = new ConcurrentHashMap<>();
    private final AtomicInteger openCount = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile DnsConfig config;
    private volatile List<InetSocketAddress> servers;
    /** The server that answered last is asked first: one that is silent costs its time-out once. */
    private volatile int preferred;

    DnsClient(DnsConfig config, InstantSource clock, DnsCounts counts) {
        this.clock = clock;
        this.counts = counts;
        cache = new DnsCache(counts);
        exchange = new DnsExchange(new DnsMessages(counts), counts);
        this.config = config;
        servers = servers(config);
    }

    private static List<InetSocketAddress> servers(DnsConfig config) {
        if (!config.isEnabled()) {
            return List.of();
        }
        return config.servers().isEmpty()
                ? DnsMessages.systemServers()
                : config.servers().stream().map(Endpoint::toInetSocketAddress).toList();
    }

    /** Goes on with another configuration; what is in memory is forgotten if it may come from other servers. */
    void configure(DnsConfig changed) {
        List<InetSocketAddress> others = servers(changed);
        boolean isOther = !others.equals(servers);
        config = changed;
        servers = others;
        preferred = 0;
        if (isOther) {
            cache.clear();
        }
    }

    DnsConfig config() {
        return config;
    }

    /** What can be said without asking; null if a server must be asked. */
    @Nullable
    DnsAnswer known(DnsQuestion question) {
        DnsAnswer local = local(question);
        if (local != null) {
            return local;
        }
        DnsAnswer cached = cache.fresh(question, clock.millis());
        if (cached != null) {
            counts.count(DnsCounter.CACHE_HITS);
        }
        return cached;
    }

    /** A name of the configuration has the addresses given there and nothing else: no NAPTR, and no SRV below it. */
    private @Nullable DnsAnswer local(DnsQuestion question) {
        String name = question.name();
        if (name.equals("localhost") || name.endsWith(".localhost")) { // RFC 6761, 6.3
            return addresses(question.type(), List.of(LOOPBACK_V4, LOOPBACK_V6));
        }
        Map<String, List<IpAddress>> hosts = config.hosts();
        if (!hosts.isEmpty()) {
            String host = question.type() == DnsType.SRV ? withoutService(name) : name;
            List<IpAddress> given = hosts.get(host);
            if (given != null) {
                return addresses(question.type(), given);
            }
        }
        return servers.isEmpty() ? DnsAnswer.NO_NAME : null;
    }

    private static DnsAnswer addresses(DnsType type, List<IpAddress> all) {
        if (type != DnsType.A && type != DnsType.AAAA) {
            return DnsAnswer.NO_DATA;
        }
        List<DnsRecord> found = new ArrayList<>();
        for (IpAddress address : all) {
            if (address.isIpv4() == (type == DnsType.A)) {
                found.add(new DnsRecord.Address(address));
            }
        }
        return found.isEmpty() ? DnsAnswer.NO_DATA : new DnsAnswer(DnsAnswer.Kind.FOUND, found, ALWAYS);
    }

    /** {@code _sip._udp.example.com} is example.com's. */
    private static String withoutService(String name) {
        int at = name.startsWith("_") ? name.indexOf("._") : -1;
        int dot = at < 0 ? -1 : name.indexOf('.', at + 1);
        return dot < 0 ? name : name.substring(dot + 1);
    }

    /** Answers a question; never completes exceptionally. */
    CompletableFuture<DnsAnswer> lookup(DnsQuestion question) {
        DnsAnswer known = known(question);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<DnsAnswer> mine = new CompletableFuture<>();
        CompletableFuture<DnsAnswer> running = open.putIfAbsent(question, mine);
        if (running != null) {
            counts.count(DnsCounter.COALESCED);
            return running;
        }
        DnsAnswer meanwhile = cache.fresh(question, clock.millis()); // of one that ended between the two looks
        if (meanwhile != null) {
            ended(question, mine, meanwhile);
            return mine;
        }
        if (openCount.incrementAndGet() > config.limits().openQuestions()) {
            openCount.decrementAndGet();
            counts.count(DnsCounter.REFUSED);
            ended(question, mine, DnsAnswer.REFUSED);
            return mine;
        }
        try {
            threads.execute(() -> {
                DnsAnswer answer = DnsAnswer.FAILED;
                try {
                    answer = asked(question);
                } finally {
                    openCount.decrementAndGet();
                    ended(question, mine, answer);
                }
            });
        } catch (RejectedExecutionException _) { // closed
            openCount.decrementAndGet();
            ended(question, mine, DnsAnswer.FAILED);
        }
        return mine;
    }

    private void ended(DnsQuestion question, CompletableFuture<DnsAnswer> mine, DnsAnswer answer) {
        open.remove(question, mine);
        mine.complete(answer);
    }

    /** Asks servers, and remembers the answer. Blocks. */
    private DnsAnswer asked(DnsQuestion question) {
        DnsAnswer answer = throughAliases(question);
        long nowMs = clock.millis();
        if (answer.kind() == DnsAnswer.Kind.FAILED) {
            DnsAnswer outdated = config.cache().staleSeconds() > 0 ? cache.stale(question, nowMs) : null;
            if (outdated != null && outdated.kind() != DnsAnswer.Kind.FAILED) {
                counts.count(DnsCounter.STALE);
                cache.extend(question, outdated, nowMs, STALE_SECONDS);
                return outdated;
            }
        }
        cache.put(question, answer, nowMs, config);
        return answer;
    }

    /** Most servers follow aliases themselves; the rest names the target, which is then asked about. */
    private DnsAnswer throughAliases(DnsQuestion question) {
        Set<String> seen = new HashSet<>();
        DnsQuestion at = question;
        long ttl = Long.MAX_VALUE;
        while (seen.add(at.name()) && seen.size() <= DnsMessages.MAX_ALIASES) {
            DnsReply reply = fromServers(at);
            if (reply.kind() != DnsReply.Kind.ALIAS) {
                DnsAnswer answer = reply.answer();
                return answer.isFound()
                        ? new DnsAnswer(answer.kind(), answer.records(), Math.min(ttl, answer.ttlSeconds()))
                        : answer;
            }
            ttl = Math.min(ttl, reply.aliasTtlSeconds());
            DnsQuestion next = DnsQuestion.of(reply.alias(), question.type());
            if (next == null) {
                counts.count(DnsCounter.BAD_NAMES);
                return DnsAnswer.NO_NAME;
            }
            at = next;
        }
        counts.count(DnsCounter.ALIAS_LOOPS);
        return DnsAnswer.FAILED;
    }

    private DnsReply fromServers(DnsQuestion question) {
        List<InetSocketAddress> all = servers;
        DnsConfig.Limits limits = config.limits();
        DnsReply reply = DnsReply.of(DnsReply.Kind.TIMEOUT);
        int first = preferred;
        for (int i = 0; i < limits.tries() * all.size(); i++) {
            if (Thread.currentThread().isInterrupted()) {
                break; // closed
            }
            int server = (first + i) % all.size();
            reply = exchange.ask(all.get(server), question, limits.timeoutMs());
            if (reply.kind() == DnsReply.Kind.ANSWER || reply.kind() == DnsReply.Kind.ALIAS) {
                preferred = server;
                return reply;
            }
            if (reply.kind() == DnsReply.Kind.ALIAS_LOOP) {
                return reply; // a fault of the zone, which all servers have
            }
        }
        return reply;
    }

    int openQuestions() {
        return openCount.get();
    }

    int cached() {
        return cache.size();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
