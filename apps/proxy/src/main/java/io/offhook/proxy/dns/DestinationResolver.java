package io.offhook.proxy.dns;

import io.offhook.sip.SipUri;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where a URI leads (RFC 3263). What is known is answered at once; else DNS servers are asked on virtual
 * threads, on one of which the stage completes. Destinations that failed lately come last. Thread-safe.
 */
public final class DestinationResolver implements AutoCloseable {
    /** NAPTR, SRV and addresses are three; an order of NAPTR records without a destination leads to the next. */
    private static final int MAX_STEPS = 12;

    /** What one URI may cost: its domain decides how many names there are to ask about. */
    private static final int MAX_QUESTIONS = 96;

    private final DnsClient client;
    private final DnsCounts counts = new DnsCounts();
    private final DownList down;
    private final InstantSource clock;
    private final LongSupplier seeds;

    /**
     * Creates a resolver.
     *
     * @param config what it obeys until {@link #configure}
     * @param clock the time by which answers end
     * @param seeds random numbers, one a search, by which equal servers take turns; called by several threads
     */
    public DestinationResolver(DnsConfig config, InstantSource clock, LongSupplier seeds) {
        this.clock = clock;
        this.seeds = seeds;
        client = new DnsClient(config, clock, counts);
        down = new DownList(config.limits().downMs(), config.limits().downDestinations());
    }

    /** Goes on with another configuration; questions that are open end by the old one. */
    public void configure(DnsConfig config) {
        client.configure(config);
        down.configure(config.limits().downMs(), config.limits().downDestinations());
    }

    /**
     * Where a URI leads, if that can be said without asking a server: it has an address, or the answers are in memory.
     *
     * @return null if a server must be asked
     */
    public @Nullable Resolution resolveNow(SipUri uri, TargetPolicy policy) {
        TargetSearch search = new TargetSearch(client::known, client.config(), seeds.getAsLong());
        Resolution found = search.run(uri, policy);
        return search.missing().isEmpty() ? ended(search, found) : null;
    }

    /** Where a URI leads. The stage never completes exceptionally. */
    public CompletionStage<Resolution> resolve(SipUri uri, TargetPolicy policy) {
        CompletableFuture<Resolution> result = new CompletableFuture<>();
        new Steps(uri, policy, seeds.getAsLong(), result).next(0);
        return result;
    }

    private Resolution ended(TargetSearch search, Resolution found) {
        if (search.hasBadName()) {
            counts.count(DnsCounter.BAD_NAMES);
        }
        return new Resolution(found.status(), down.lastIfDown(found.destinations(), clock.millis()));
    }

    /** A search that asks what is missing, and goes on with all answers that it got, in memory or not. */
    private final class Steps {
        private final SipUri uri;
        private final TargetPolicy policy;
        private final long seed;
        private final CompletableFuture<Resolution> result;
        private final Map<DnsQuestion, DnsAnswer> answers = new HashMap<>();

        private Steps(SipUri uri, TargetPolicy policy, long seed, CompletableFuture<Resolution> result) {
            this.uri = uri;
            this.policy = policy;
            this.seed = seed;
            this.result = result;
        }

        private @Nullable DnsAnswer answer(DnsQuestion question) {
            DnsAnswer mine = answers.get(question);
            return mine != null ? mine : client.known(question);
        }

        private void next(int step) {
            TargetSearch search = new TargetSearch(this::answer, client.config(), seed);
            Resolution found = search.run(uri, policy);
            Set<DnsQuestion> missing = search.missing();
            if (missing.isEmpty()) {
                result.complete(ended(search, found));
                return;
            }
            if (step == MAX_STEPS || answers.size() >= MAX_QUESTIONS) {
                counts.count(DnsCounter.SEARCHES_CUT);
                result.complete(
                        found.destinations().isEmpty()
                                ? Resolution.none(Resolution.Status.FAILED)
                                : ended(search, found));
                return;
            }
            Map<DnsQuestion, CompletableFuture<DnsAnswer>> asked = new HashMap<>();
            missing.forEach(question -> asked.put(question, client.lookup(question)));
            CompletableFuture<?> _ = CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
                    .thenRun(() -> {
                        asked.forEach((question, answer) -> answers.put(question, answer.join()));
                        next(step + 1);
                    });
        }
    }

    DnsClient client() {
        return client;
    }

    /** Telephone numbers to URIs, by the same servers and memory. */
    public EnumResolver numbers() {
        return new EnumResolver(client, counts);
    }

    /**
     * Notes that a destination failed, so that it is tried last for a while.
     *
     * @param retryAfterMs how long it asked to be left alone, in ms; 0 if it did not
     */
    public void failed(Destination destination, DownList.Failure how, long retryAfterMs) {
        down.failed(destination, how, retryAfterMs, clock.millis());
    }

    /** Notes that a destination answered. */
    public void answered(Destination destination) {
        down.answered(destination);
    }

    /** Destinations that failed lately. */
    public DownList down() {
        return down;
    }

    /** What was asked and answered. */
    public DnsCounts counts() {
        return counts;
    }

    /** Questions that are open now. */
    public int openQuestions() {
        return client.openQuestions();
    }

    /** Answers in memory now. */
    public int cachedAnswers() {
        return client.cached();
    }

    /** Ends; questions that are open end as failed. */
    @Override
    public void close() {
        client.close();
    }
}
