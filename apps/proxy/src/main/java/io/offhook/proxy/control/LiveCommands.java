package io.offhook.proxy.control;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.line.JsonLine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The commands that show and change a {@link LiveState}: calls, call, registrations, bans, ban, unban, reload, stop. */
public final class LiveCommands {
    /** The most calls or bindings of an answer. */
    public static final int MOST_LINES = 100_000;

    private static final int USUAL_LINES = 1000;
    private static final long USUAL_BAN_SECONDS = 3600;
    private static final long MOST_BAN_SECONDS = 366L * 86_400;

    private LiveCommands() {}

    /** The work of a command. */
    private interface Work {
        void run(ControlRequest request, ControlAnswer answer) throws IOException;
    }

    private record Named(String name, Work work) implements ControlCommand {
        @Override
        public void run(ControlRequest request, ControlAnswer answer) throws IOException {
            work.run(request, answer);
        }
    }

    /** All of them. */
    public static List<ControlCommand> of(LiveState state) {
        return List.of(
                new Named("calls", (request, answer) -> calls(state, request, answer)),
                new Named("call", (request, answer) -> call(state, request, answer)),
                new Named("registrations", (request, answer) -> registrations(state, request, answer)),
                new Named("bans", (_, answer) -> bans(state, answer)),
                new Named("ban", (request, _) -> ban(state, request)),
                new Named("unban", (request, _) -> unban(state, request)),
                new Named("reload", (_, answer) -> reload(state, answer)),
                new Named("stop", (request, _) -> stop(state, request)));
    }

    private static void calls(LiveState state, ControlRequest request, ControlAnswer answer) throws IOException {
        String with = request.option("with", "").toLowerCase(Locale.ROOT);
        String inState = request.option("state", "");
        Predicate<LiveCall> condition = call -> (inState.isEmpty()
                        || call.progress().state().word().equals(inState))
                && (contains(call.caller(), with) || contains(call.callee(), with) || contains(call.callId(), with));
        for (LiveCall call : state.calls(condition, limit(request))) {
            write(answer.line().object(), call).end();
            answer.send();
        }
    }

    private static void call(LiveState state, ControlRequest request, ControlAnswer answer) throws IOException {
        String callId = request.only("a Call-ID");
        List<LiveCall> found = state.calls(call -> call.callId().equals(callId), 1);
        LiveMessages known = state.messages(callId);
        if (found.isEmpty() && known == null) {
            throw new ControlException("there is no call with the Call-ID " + callId + "; see calls");
        }
        JsonLine json = answer.line().object();
        if (found.isEmpty()) {
            json.field("callId", callId).field("state", "ended");
        } else {
            write(json, found.getFirst());
        }
        messages(json, known == null ? LiveMessages.NONE : known);
        json.end();
        answer.send();
    }

    private static void messages(JsonLine json, LiveMessages known) {
        json.field("messagesLeftOut", known.forgotten()).array("messages");
        for (LiveMessage message : known.messages()) {
            json.object()
                    .field("atUs", message.epochUs())
                    .field("sent", message.isSent())
                    .field("transport", message.transport().name())
                    .field("from", message.from().toString())
                    .field("to", message.to().toString())
                    .field("method", message.content().method().name())
                    .field("status", message.content().status())
                    .field("repeated", message.content().isRepeated())
                    .end();
        }
        json.end();
    }

    private static JsonLine write(JsonLine json, LiveCall call) {
        json.field("callId", call.callId())
                .field("caller", call.caller())
                .field("callee", call.callee())
                .field("state", call.progress().state().word())
                .field("startedMs", call.progress().startedMs());
        if (call.progress().answeredMs() == 0) {
            json.field("answeredMs", (String) null);
        } else {
            json.field("answeredMs", call.progress().answeredMs());
        }
        return json.field("status", call.progress().status())
                .field("source", call.source().toString())
                .field("target", call.target() == null ? null : call.target().toString())
                .field("lane", call.lane());
    }

    private static void registrations(LiveState state, ControlRequest request, ControlAnswer answer)
            throws IOException {
        String with = request.option("with", "").toLowerCase(Locale.ROOT);
        Predicate<LiveBinding> condition =
                binding -> contains(binding.addressOfRecord(), with) || contains(binding.contact(), with);
        for (LiveBinding binding : state.bindings(condition, limit(request))) {
            answer.line()
                    .object()
                    .field("addressOfRecord", binding.addressOfRecord())
                    .field("contact", binding.contact())
                    .field("source", binding.source().toString())
                    .field("registeredMs", binding.registeredMs())
                    .field("expiresMs", binding.expiresMs())
                    .field("q", binding.quality() / 1000.0, 3)
                    .field("userAgent", binding.userAgent())
                    .end();
            answer.send();
        }
    }

    private static void bans(LiveState state, ControlAnswer answer) throws IOException {
        for (LiveBan ban : state.bans()) {
            answer.line()
                    .object()
                    .field("address", ban.address().toString())
                    .field("reason", ban.reason())
                    .field("untilMs", ban.untilMs())
                    .field("refused", ban.refused())
                    .end();
            answer.send();
        }
    }

    private static void ban(LiveState state, ControlRequest request) {
        List<String> words = request.words();
        IpAddress address = address(words.subList(0, Periods.at(words)));
        long seconds = Periods.seconds(words);
        if (Periods.at(words) < words.size() && (seconds < 1 || seconds > MOST_BAN_SECONDS)) {
            throw new ControlException("an address may be banned for 1 s to " + MOST_BAN_SECONDS / 86_400 + " d");
        }
        if (!state.ban(address, seconds == 0 ? USUAL_BAN_SECONDS : seconds)) {
            throw new ControlException(
                    address + " is not banned: it is loopback, of a trunk, or in ban.allow of the configuration");
        }
    }

    private static void unban(LiveState state, ControlRequest request) {
        IpAddress address = address(request.words());
        if (!state.unban(address)) {
            throw new ControlException(address + " is not banned; see bans");
        }
    }

    private static IpAddress address(List<String> words) {
        IpAddress address = words.size() == 1 ? IpAddress.parse(words.getFirst()) : null;
        if (address == null) {
            throw new ControlException("\"" + String.join(" ", words) + "\" is not an IPv4 or IPv6 address");
        }
        return address;
    }

    private static void reload(LiveState state, ControlAnswer answer) throws IOException {
        LiveState.Reload reload = state.reload();
        if (!reload.isApplied()) {
            throw new ControlException(
                    "the old configuration stays, because the new one is wrong: " + String.join("; ", reload.lines()));
        }
        for (String line : reload.lines()) {
            answer.line().object().field("changed", line).end();
            answer.send();
        }
    }

    private static void stop(LiveState state, ControlRequest request) {
        if (!request.words().isEmpty() && !request.words().equals(List.of("now"))) {
            throw new ControlException("stop takes no word but now");
        }
        state.stop(!request.words().isEmpty());
    }

    private static int limit(ControlRequest request) {
        return request.number("limit", USUAL_LINES, 1, MOST_LINES);
    }

    private static boolean contains(String text, String part) {
        return part.isEmpty() || text.toLowerCase(Locale.ROOT).contains(part);
    }
}
