package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.registration.Registration;
import io.offhook.cli.command.AddressPattern;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TextPattern;
import io.offhook.cli.command.TimeBound;
import io.offhook.packet.Endpoint;
import io.offhook.report.text.Times;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects calls, streams and packets by {@code --from}, {@code --to}, {@code --number}, {@code --address},
 * {@code --call-id}, {@code --since}, {@code --until} and {@code --outcome}, and by headers ({@link CallHeaderFilter}). All
 * options given must match; a repeated option matches if one of its values does.
 *
 * <p>A time of day is on the day on which the capture begins, so {@link #beginningAt} must be called before the first query.
 */
public final class CallFilter {
    private final List<TextPattern> from;
    private final List<TextPattern> to;
    private final List<TextPattern> number;
    private final List<TextPattern> callId;
    private final List<AddressPattern> address;
    private final Set<String> outcomes;
    private final CallHeaderFilter headers;
    private final @Nullable TimeBound since;
    private final @Nullable TimeBound until;

    private long sinceNs = Long.MIN_VALUE;
    private long untilNs = Long.MAX_VALUE;

    private CallFilter(ParseResult arguments, Set<String> knownOutcomes) {
        from = patterns(arguments, "--from");
        to = patterns(arguments, "--to");
        number = patterns(arguments, "--number");
        callId = patterns(arguments, "--call-id");
        address = texts(arguments, "--address").stream().map(AddressPattern::of).toList();
        outcomes = outcomes(texts(arguments, "--outcome"), knownOutcomes);
        headers = new CallHeaderFilter(arguments);
        ZoneId zone = Times.of(arguments.hasMatchedOption("--utc")).zone();
        since = TimeBound.since(arguments, zone);
        until = TimeBound.until(arguments, zone);
    }

    public static void describe(CommandSpec spec) {
        describe(spec, CallOutcomes.LABELS);
        CallHeaderFilter.describe(spec);
    }

    /** Adds the options that apply to registrations, with the given outcomes for {@code --outcome}. */
    static void describeRegistrations(CommandSpec spec, Set<String> outcomes) {
        describe(spec, outcomes);
        CallHeaderFilter.describeRegistrations(spec);
    }

    private static void describe(CommandSpec spec, Set<String> outcomes) {
        spec.addOption(
                "--from",
                "TEXT",
                List.class,
                "Only calls whose From header contains this text in user or URI. With the wildcard *, the text must match"
                        + " the whole user or URI.");
        spec.addOption("--to", "TEXT", List.class, "The same for the To header.");
        spec.addOption("--number", "TEXT", List.class, "The same for the user in From or To.");
        spec.addOption(
                "--address",
                "IP",
                List.class,
                "Only calls with this signalling or media address: 192.0.2.1, 192.0.2.1:5060, 192.0.2.0/24, or IPv6.");
        spec.addOption("--call-id", "TEXT", List.class, "Only calls whose Call-ID matches, as for --from.");
        spec.addOption("--outcome", "NAMES", List.class, String.join(", ", outcomes) + "; separate several by commas.");
        spec.addOption(
                "--since",
                "TIME",
                String.class,
                "Only what began at this time or later: 2026-11-21T14:03:07Z, 1795269787.5, or 14:03 on the capture's first"
                        + " day.");
        spec.addOption("--until", "TIME", String.class, "Only what began at this time or earlier.");
    }

    /** The filter that the arguments describe, with the outcomes of calls. */
    public static CallFilter of(ParseResult arguments) {
        return new CallFilter(arguments, CallOutcomes.LABELS);
    }

    /** The filter that the arguments describe, with the given outcomes. */
    static CallFilter of(ParseResult arguments, Set<String> knownOutcomes) {
        return new CallFilter(arguments, knownOutcomes);
    }

    private static List<String> texts(ParseResult arguments, String name) {
        return arguments.matchedOptionValue(name, List.of());
    }

    private static List<TextPattern> patterns(ParseResult arguments, String name) {
        return texts(arguments, name).stream().map(TextPattern::new).toList();
    }

    private static Set<String> outcomes(List<String> lists, Set<String> known) {
        Set<String> outcomes = new TreeSet<>();
        for (String list : lists) {
            for (String name : list.split(",", -1)) {
                String outcome = name.strip().toLowerCase(Locale.ROOT);
                if (!known.contains(outcome)) {
                    throw new MisuseException(
                            "--outcome " + name + " is not an outcome; one of " + String.join(", ", known));
                }
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    /** Sets the time at which the capture begins. Not needed if the filter {@link #isOpen}. */
    public void beginningAt(long firstNs) {
        sinceNs = since == null ? Long.MIN_VALUE : since.ns(firstNs);
        untilNs = until == null ? Long.MAX_VALUE : until.ns(firstNs);
    }

    /** Whether no option was given, so that everything matches. */
    public boolean isOpen() {
        return !asksForCalls() && address.isEmpty() && since == null && until == null;
    }

    /** Whether an option was given that applies to calls instead of packets: parties, Call-ID, outcome or headers. */
    public boolean asksForCalls() {
        return asksForParties() || !callId.isEmpty() || asksForReports();
    }

    private boolean asksForParties() {
        return !from.isEmpty() || !to.isEmpty() || !number.isEmpty();
    }

    /** Whether an option was given that needs whole calls: their outcome and headers are unknown until they end. */
    public boolean asksForReports() {
        return !outcomes.isEmpty() || !headers.isOpen();
    }

    /** Whether outcome and headers of a call match. */
    public boolean matchesReport(CallReport call) {
        return matchesOutcome(call.outcome().label()) && headers.matches(call);
    }

    /** Whether the headers of a registration match, where no outcome of a call is asked for. */
    public boolean matchesReport(Registration registration) {
        return outcomes.isEmpty() && headers.matches(registration);
    }

    public boolean matches(CallReport call) {
        return matchesTime(call.times().startedNs())
                && matchesParties(
                        call.parties().from(),
                        call.parties().fromUri(),
                        call.parties().to(),
                        call.parties().toUri())
                && matchesCallId(call)
                && matchesReport(call)
                && matchesAddress(call);
    }

    /**
     * Whether a stream matches, by its own addresses and time, and by its call if it has one.
     *
     * @param call the call that the stream belongs to, or null
     */
    public boolean matches(StreamReport stream, @Nullable CallReport call) {
        if (call == null && asksForCalls()) {
            return false;
        }
        return (call == null
                        || matchesParties(
                                        call.parties().from(),
                                        call.parties().fromUri(),
                                        call.parties().to(),
                                        call.parties().toUri())
                                && matchesCallId(call)
                                && matchesReport(call))
                && matchesTime(stream.statistics().firstNs())
                && matchesAddress(stream.source(), stream.destination());
    }

    public boolean matches(Registration registration, String outcome) {
        return matchesTime(registration.firstNs())
                && matchesParties(
                        registration.user(),
                        registration.addressOfRecord(),
                        registration.user(),
                        registration.contact())
                && matchesCallId(registration.callId())
                && matchesOutcome(outcome)
                && headers.matches(registration)
                && matchesAddress(registration.client(), registration.registrar());
    }

    public boolean matchesTime(long ns) {
        return ns >= sinceNs && ns <= untilNs;
    }

    /** Whether {@code --from}, {@code --to} and {@code --number} match. */
    public boolean matchesParties(
            @Nullable String fromUser, @Nullable String fromUri, @Nullable String toUser, @Nullable String toUri) {
        return any(from, fromUser, fromUri) && any(to, toUser, toUri) && any(number, fromUser, toUser);
    }

    private static boolean any(List<TextPattern> patterns, @Nullable String one, @Nullable String other) {
        if (patterns.isEmpty()) {
            return true;
        }
        for (TextPattern pattern : patterns) {
            if (pattern.matches(one) || pattern.matches(other)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any dialog of a call matches. */
    private boolean matchesCallId(CallReport call) {
        boolean matches = matchesCallId(call.callId());
        for (CallReport.Dialog dialog : call.dialogs()) {
            matches |= matchesCallId(dialog.callId());
        }
        return matches;
    }

    public boolean matchesCallId(@Nullable String id) {
        return any(callId, id, null);
    }

    private boolean matchesOutcome(String label) {
        return outcomes.isEmpty() || outcomes.contains(label);
    }

    /** Whether {@code --address} matches either end of a packet. */
    public boolean matchesAddress(Endpoint source, Endpoint destination) {
        if (address.isEmpty()) {
            return true;
        }
        for (AddressPattern pattern : address) {
            if (pattern.matches(source) || pattern.matches(destination)) {
                return true;
            }
        }
        return false;
    }

    private boolean matchesAddress(CallReport call) {
        if (address.isEmpty()) {
            return true;
        }
        for (CallReport.Leg leg : call.legs()) {
            if (matchesAddress(leg.source(), leg.destination())) {
                return true;
            }
        }
        for (StreamReport stream : call.streams()) {
            if (matchesAddress(stream.source(), stream.destination())) {
                return true;
            }
        }
        return false;
    }
}
