package io.offhook.proxy.control;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.statistics.CallState;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A proxy with two calls, a binding and whatever bans a test sets. */
final class FixedState implements LiveState {
    final List<LiveBan> bans = new ArrayList<>();
    Reload reload = new Reload(true, List.of("limits.calls: 10 to 20"));
    String stopped = "";

    @Override
    public List<LiveCall> calls(Predicate<LiveCall> condition, int most) {
        LiveCall ringing = new LiveCall(
                "one@host",
                "sip:alice@example.com",
                "sip:bob@example.com",
                new LiveCall.Progress(CallState.RINGING, 1_000, 0, 180),
                Endpoint.of("192.0.2.1", 5060),
                null,
                0);
        LiveCall answered = new LiveCall(
                "two@host",
                "sip:carol@example.com",
                "sip:\u001b[31mdave@example.com",
                new LiveCall.Progress(CallState.ANSWERED, 2_000, 3_000, 200),
                Endpoint.of("192.0.2.2", 5060),
                Endpoint.of("2001:db8::1", 5061),
                1);
        return List.of(ringing, answered).stream().filter(condition).limit(most).toList();
    }

    @Override
    public @Nullable LiveMessages messages(String callId) {
        return callId.equals("none")
                ? null
                : new LiveMessages(
                        List.of(new LiveMessage(
                                1_000_001,
                                true,
                                SipTransport.TCP,
                                Endpoint.of("192.0.2.9", 5070),
                                Endpoint.of("192.0.2.1", 5060),
                                new LiveMessage.Content(SipMethod.INVITE, 180, true))),
                        3);
    }

    @Override
    public List<LiveBinding> bindings(Predicate<LiveBinding> condition, int most) {
        LiveBinding binding = new LiveBinding(
                "sip:alice@example.com", "sip:alice@10.0.0.7:5060", Endpoint.of("192.0.2.1", 5060), 1, 2, 500, "phone");
        return List.of(binding).stream().filter(condition).limit(most).toList();
    }

    @Override
    public List<LiveBan> bans() {
        return bans;
    }

    @Override
    public boolean ban(IpAddress address, long seconds) {
        return bans.add(new LiveBan(address, "by command", seconds * 1000, 0));
    }

    @Override
    public boolean unban(IpAddress address) {
        return bans.removeIf(ban -> ban.address().equals(address));
    }

    @Override
    public Reload reload() {
        return reload;
    }

    @Override
    public void stop(boolean isNow) {
        stopped = isNow ? "now" : "in order";
    }
}
