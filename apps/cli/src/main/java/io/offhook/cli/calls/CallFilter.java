package io.offhook.cli.calls;

import io.offhook.calls.CallReport;
import io.offhook.calls.RegistrationTable.Registration;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.AddressPattern;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TextPattern;
import io.offhook.cli.command.TimeBound;
import io.offhook.cli.terminal.Times;
import io.offhook.packet.Endpoint;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of a capture is wanted: {@code --from}, {@code --to}, {@code --number}, {@code --address}, {@code --call-id},
 * {@code --since}, {@code --until} and {@code --outcome}. Of several all must hold; an option given twice holds when
 * either does.
 *
 * <p>A time of day is one of the day that the capture begins on: {@link #beginningAt} says when, before anything is asked.
 */
public final class CallFilter {
    private final List<TextPattern> from;
    private final List<TextPattern> to;
    private final List<TextPattern> number;
    private final List<TextPattern> callId;
    private final List<AddressPattern> address;
    private final Set<String> outcomes;
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
        Times times = Times.of(arguments.hasMatchedOption("--utc"));
        since = bound(arguments, "--since", times);
        until = bound(arguments, "--until", times);
    }

    public static void describe(CommandSpec spec) {
        describe(spec, CallOutcomes.LABELS);
    }

    /** Adds the options where outcomes have names of their own. */
    static void describe(CommandSpec spec, Set<String> outcomes) {
        text(
                spec,
                "--from",
                "TEXT",
                "Calls whose From contains this part of user or URI; with * as a wildcard, it must match as a whole.");
        text(spec, "--to", "TEXT", "The same of To.");
        text(spec, "--number", "TEXT", "From or To; of the user part.");
        text(
                spec,
                "--address",
                "IP",
                "An address of signalling or media: 192.0.2.1, 192.0.2.1:5060, 192.0.2.0/24, IPv6 alike.");
        text(spec, "--call-id", "TEXT", "Call-ID; as for --from.");
        text(spec, "--outcome", "NAMES", String.join(", ", outcomes) + "; several with commas.");
        time(
                spec,
                "--since",
                "Begun at that time or later: 2026-11-21T14:03:07Z, 1795269787.5, or 14:03 on the capture's first day.");
        time(spec, "--until", "Begun at that time or before.");
    }

    private static void text(CommandSpec spec, String name, String label, String description) {
        spec.addOption(OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .description(description)
                .build());
    }

    private static void time(CommandSpec spec, String name, String description) {
        spec.addOption(OptionSpec.builder(name)
                .paramLabel("TIME")
                .type(String.class)
                .description(description)
                .build());
    }

    /** The filter of these options; outcomes are those of calls. */
    public static CallFilter of(ParseResult arguments) {
        return new CallFilter(arguments, CallOutcomes.LABELS);
    }

    /** The filter of these options, for outcomes with other names. */
    static CallFilter of(ParseResult arguments, Set<String> knownOutcomes) {
        return new CallFilter(arguments, knownOutcomes);
    }

    private static List<String> texts(ParseResult arguments, String name) {
        return arguments.matchedOptionValue(name, List.of());
    }

    private static List<TextPattern> patterns(ParseResult arguments, String name) {
        return texts(arguments, name).stream().map(TextPattern::new).toList();
    }

    private static @Nullable TimeBound bound(ParseResult arguments, String name, Times times) {
        String text = arguments.optionValue(name, String.class);
        return text == null ? null : TimeBound.of(name, text, name.equals("--until"), times.zone());
    }

    private static Set<String> outcomes(List<String> lists, Set<String> known) {
        Set<String> outcomes = new TreeSet<>();
        for (String list : lists) {
            for (String name : list.split(",", -1)) {
                String outcome = name.strip().toLowerCase(Locale.ROOT);
                if (!known.contains(outcome)) {
                    throw new MisuseException("--outcome " + name + " is none of " + String.join(", ", known));
                }
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    /** Says when the capture begins. Not needed where {@link #isOpen}. */
    public void beginningAt(long firstNs) {
        sinceNs = since == null ? Long.MIN_VALUE : since.ns(firstNs);
        untilNs = until == null ? Long.MAX_VALUE : until.ns(firstNs);
    }

    /** Whether no option was given: everything matches. */
    public boolean isOpen() {
        return !asksForCalls() && address.isEmpty() && since == null && until == null;
    }

    /** Whether an option was given that applies to calls, not to packets: numbers, Call-ID, outcome. */
    public boolean asksForCalls() {
        return asksForParties() || !callId.isEmpty() || !outcomes.isEmpty();
    }

    private boolean asksForParties() {
        return !from.isEmpty() || !to.isEmpty() || !number.isEmpty();
    }

    /** Whether an outcome was given: it is unknown until a call is over. */
    public boolean asksForOutcome() {
        return !outcomes.isEmpty();
    }

    public boolean matches(CallReport call) {
        return matchesTime(call.times().startedNs())
                && matchesParties(
                        call.parties().from(),
                        call.parties().fromUri(),
                        call.parties().to(),
                        call.parties().toUri())
                && matchesCallId(call.callId())
                && matchesOutcome(call.outcome().label())
                && matchesAddress(call);
    }

    /**
     * Whether a stream is wanted: with its call, or by its own addresses and time.
     *
     * @param call that it belongs to, or null
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
                                && matchesCallId(call.callId())
                                && matchesOutcome(call.outcome().label()))
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
                && matchesAddress(registration.client(), registration.registrar());
    }

    public boolean matchesTime(long ns) {
        return ns >= sinceNs && ns <= untilNs;
    }

    /** {@code --from}, {@code --to} and {@code --number}. */
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

    public boolean matchesCallId(@Nullable String id) {
        return any(callId, id, null);
    }

    /** {@code --outcome}, by its label. */
    public boolean matchesOutcome(String label) {
        return outcomes.isEmpty() || outcomes.contains(label);
    }

    /** {@code --address}, of either end of a packet. */
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
