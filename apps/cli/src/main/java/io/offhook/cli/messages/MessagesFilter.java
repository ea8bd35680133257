package io.offhook.cli.messages;

import io.offhook.calls.event.SipPacket;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages by {@code --method}, {@code --status} and a {@link CallFilter}. From, To and Call-ID are taken from the
 * first message of a dialog, so that {@code --from} with the caller also selects the callee's BYE.
 *
 * <p>The result is remembered for at most {@value #MAX_DIALOGS} dialogs. Beyond that the oldest is evicted, and checked again
 * if it continues.
 */
final class MessagesFilter {
    private static final int MAX_DIALOGS = 1 << 16;

    private record StatusRange(int low, int high) {}

    private final CallFilter calls;
    private final boolean isOpen;
    private final @Nullable Wanted wanted;
    private final List<String> methods;
    private final List<StatusRange> statuses;
    private final Map<Long, Boolean> dialogs = new LinkedHashMap<>();

    /**
     * The calls and registrations whose outcome and headers match.
     *
     * @param callIds whole ones
     * @param cutFrames numbers of packets with their messages whose Call-ID was cut off
     */
    record Wanted(Set<String> callIds, Set<Long> cutFrames) {
        private boolean has(String callId, SipPacket packet) {
            return callId.isEmpty() ? cutFrames.contains(packet.frameNumber()) : callIds.contains(callId);
        }
    }

    /** @param wanted the calls and registrations whose outcome and headers match; null if no such option was given */
    MessagesFilter(ParseResult arguments, CallFilter calls, @Nullable Wanted wanted) {
        this.calls = calls;
        this.wanted = wanted;
        this.isOpen = calls.isOpen();
        methods = words(arguments, "--method").stream()
                .map(word -> word.toUpperCase(Locale.ROOT))
                .toList();
        statuses =
                words(arguments, "--status").stream().map(MessagesFilter::range).toList();
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                "--method",
                "NAMES",
                List.class,
                "Only requests with this method and their responses; separate several by commas.");
        spec.addOption(
                "--status",
                "CODES",
                List.class,
                "Only responses with this status: 486, 4xx, 180-189; separate several by commas.");
    }

    private static List<String> words(ParseResult arguments, String option) {
        List<String> words = new ArrayList<>();
        List<String> given = arguments.matchedOptionValue(option, List.of());
        for (String list : given) {
            for (String word : list.split(",", -1)) {
                if (!word.isBlank()) {
                    words.add(word.strip());
                }
            }
        }
        return words;
    }

    private static StatusRange range(String text) {
        if (text.matches("[1-6][0-9]{2}")) {
            return new StatusRange(Integer.parseInt(text), Integer.parseInt(text));
        }
        if (text.matches("[1-6][xX]{2}")) {
            int hundred = (text.charAt(0) - '0') * 100;
            return new StatusRange(hundred, hundred + 99);
        }
        if (text.matches("[1-6][0-9]{2}-[1-6][0-9]{2}")) {
            return new StatusRange(Integer.parseInt(text.substring(0, 3)), Integer.parseInt(text.substring(4)));
        }
        throw new MisuseException("--status " + text + " is not a status; examples: 486, 4xx, 180-189");
    }

    /** Whether a message is selected. Called for all messages, in the order of capture. */
    boolean matches(SipMessageView message, SipPacket packet) {
        return (isOpen || matchesCall(message, packet)) && matchesMethod(message) && matchesStatus(message);
    }

    private boolean matchesCall(SipMessageView message, SipPacket packet) {
        boolean isDialogWanted;
        Boolean known = dialogs.get(packet.callIdHash());
        if (packet.callIdHash() == 0) {
            isDialogWanted = matchesDialog(message, packet); // the Call-ID was cut off: each message for itself
        } else if (known == null) {
            isDialogWanted = matchesDialog(message, packet);
            if (dialogs.size() == MAX_DIALOGS) {
                dialogs.remove(dialogs.keySet().iterator().next());
            }
            dialogs.put(packet.callIdHash(), isDialogWanted);
        } else {
            isDialogWanted = known;
        }
        return isDialogWanted
                && calls.matchesTime(packet.timestampNs())
                && calls.matchesAddress(packet.source(), packet.destination());
    }

    private boolean matchesDialog(SipMessageView message, SipPacket packet) {
        String callId = message.callId();
        Wanted only = wanted;
        return (only == null || only.has(callId, packet))
                && calls.matchesCallId(callId)
                && calls.matchesParties(message.fromUser(), message.fromUri(), message.toUser(), message.toUri());
    }

    private boolean matchesMethod(SipMessageView message) {
        return methods.isEmpty()
                || methods.contains(message.isRequest() ? message.methodText() : message.cseqMethodText());
    }

    private boolean matchesStatus(SipMessageView message) {
        if (statuses.isEmpty()) {
            return true;
        }
        int status = message.statusCode();
        for (StatusRange range : statuses) {
            if (status >= range.low() && status <= range.high()) {
                return true;
            }
        }
        return false;
    }
}
