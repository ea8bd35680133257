package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipViaView;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A user agent of a simulation: transactions with the timers of RFC 3261, 17, over UDP, and the legs of its calls. It fails when it
 * receives what it should not.
 */
final class SimAgent implements SimNetwork.Host {
    static final long T1 = 500;
    static final long T2 = 4_000;
    static final long TIMEOUT = 64 * T1;

    /** A request that was sent; the result gets each response but 100, and null after a timeout. */
    private final class Client {
        final Received request;
        final boolean isInvite;
        final String to;
        final Consumer<@Nullable Received> result;
        boolean proceeding;
        boolean done;

        @Nullable
        String ack;

        Client(Received request, String to, Consumer<@Nullable Received> result) {
            this.request = request;
            this.to = to;
            this.result = result;
            isInvite = request.view().method() == SipMethod.INVITE;
        }

        boolean waits() {
            return !done && !(proceeding && isInvite);
        }

        void repeat(long interval) {
            network.after(interval, () -> {
                if (waits()) {
                    sendOnce(request.text(), to);
                    repeat(isInvite ? 2 * interval : Math.min(2 * interval, T2));
                }
            });
        }
    }

    /** A request that was received. */
    final class Server {
        final Received request;
        final String from;
        int status;
        boolean acknowledged;
        private String last = "";

        Server(Received request, String from) {
            this.request = request;
            this.from = from;
        }

        /** Answers; a final response to an INVITE is repeated until its ACK comes, or else {@code unacknowledged} runs. */
        void answer(int code, String tag, Runnable unacknowledged) {
            String reason = code == 100 ? "X-Callee: " + address : "Contact: <sip:" + address + ">";
            last = request.answer(code, tag, reason, stamp(request.view().callId()));
            status = code;
            sendOnce(last, from);
            if (code >= 200 && request.view().method() == SipMethod.INVITE) {
                repeat(T1);
                network.after(TIMEOUT, () -> {
                    if (!acknowledged) {
                        unacknowledged.run();
                        acknowledged = true;
                    }
                });
            }
        }

        private void repeat(long interval) {
            network.after(interval, () -> {
                if (!acknowledged) {
                    sendOnce(last, from);
                    repeat(Math.min(2 * interval, T2));
                }
            });
        }
    }

    final SimNetwork network;
    final String address;
    final List<SimLeg> legs = new ArrayList<>();
    /** What is done with a new call. */
    BiConsumer<SimLeg, Server> incoming = (leg, server) -> {
        throw new AssertionError("nobody calls " + leg);
    };

    private final Map<String, Client> clients = new HashMap<>();
    private final Map<String, Server> servers = new HashMap<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, TreeSet<Integer>> seen = new HashMap<>();
    private final Map<String, SimLeg> dialogs = new HashMap<>();
    private int numbers;

    SimAgent(SimNetwork network, String address) {
        this.network = network;
        this.address = address;
        network.add(address, this);
    }

    String newBranch() {
        return "z9hG4bK-" + address.hashCode() + "-" + numbers++;
    }

    String newTag() {
        return "t" + address.hashCode() + "-" + numbers++;
    }

    /** Each message of a call has a number, so that its receiver sees whether the order is kept. */
    String stamp(String callId) {
        return "X-Order: " + address + " " + order.merge(callId, 1, Integer::sum);
    }

    void add(SimLeg leg) {
        legs.add(leg);
        dialogs.put(leg.callId + " " + leg.localTag, leg);
    }

    void sendOnce(String text, String to) {
        network.send(address, to, text.getBytes(StandardCharsets.UTF_8));
    }

    void send(String text, String to, Consumer<@Nullable Received> result) {
        Client client = new Client(new Received(text), to, result);
        clients.put(client.request.branch() + " " + client.request.brief(), client);
        sendOnce(text, to);
        client.repeat(T1);
        network.after(TIMEOUT, () -> {
            if (client.waits()) {
                client.done = true;
                result.accept(null);
            }
        });
    }

    @Override
    public void receive(String from, byte[] message) {
        Received received = new Received(new String(message, StandardCharsets.UTF_8));
        SipMessageView view = received.view();
        if (view.isRequest()) {
            request(received, view, from);
        } else {
            response(received, view);
        }
    }

    private void response(Received response, SipMessageView view) {
        Client client = clients.get(response.branch() + " " + view.cseqMethodText());
        if (client == null || view.secondVia(new SipViaView())) {
            throw new AssertionError(address + " did not ask for " + response.text());
        }
        int status = view.statusCode();
        if (status == 100 && response.text().contains("X-Callee")) {
            throw new AssertionError("a 100 was forwarded: " + response.text());
        }
        if (!client.isInvite && status > 100 && status < 200) {
            throw new AssertionError("a provisional response to another request: " + response.text());
        }
        checkOrder(view);
        if (status < 200) {
            client.proceeding = true;
            if (status > 100 && !client.done) {
                client.result.accept(response);
            }
        } else if (!client.isInvite) {
            if (!client.done) {
                client.done = true;
                client.result.accept(response);
            }
        } else if (status < 300) {
            client.done = true;
            client.result.accept(response);
        } else {
            rejected(client, response);
        }
    }

    private void rejected(Client client, Received response) {
        String ack = client.ack;
        if (ack == null) {
            ack = client.request
                    .text()
                    .replaceFirst("^INVITE ", "ACK ")
                    .replaceFirst("CSeq: (\\d+) INVITE", "CSeq: $1 ACK")
                    .replaceFirst("To: [^\r]*", Matcher.quoteReplacement("To: " + response.value(SipHeader.TO)))
                    .replaceFirst("X-Order: [^\r]*\r\n", "");
            client.ack = ack;
        }
        sendOnce(ack, client.to);
        if (!client.done) {
            client.done = true;
            client.result.accept(response);
        }
    }

    private void checkOrder(SipMessageView message) {
        for (int i = 0; i < message.headerCount(); i++) {
            if (message.name(i).equals("X-Order")) {
                String stamp = message.value(i);
                int space = stamp.indexOf(' ');
                int number = Integer.parseInt(stamp.substring(space + 1));
                TreeSet<Integer> before =
                        seen.computeIfAbsent(message.callId() + stamp.substring(0, space), key -> new TreeSet<>());
                boolean isNew = before.add(number);
                if (isNew && !network.isBad && before.last() > number) {
                    throw new AssertionError("message " + number + " came after " + before + ": " + message);
                }
            }
        }
    }

    /** The leg of a request: of several dialogs of a forked call, which share the caller's tag, that with the sender's tag. */
    private @Nullable SimLeg leg(SipMessageView view) {
        SimLeg usual = dialogs.get(view.callId() + " " + view.toTag());
        if (usual == null || usual.remoteTag.equals(view.fromTag())) {
            return usual;
        }
        return legs.stream()
                .filter(each -> each.callId.equals(view.callId())
                        && each.localTag.equals(view.toTag())
                        && each.remoteTag.equals(view.fromTag()))
                .findFirst()
                .orElse(usual);
    }

    private void request(Received request, SipMessageView view, String from) {
        String branch = request.branch();
        SimLeg leg = leg(view);
        if (view.method() == SipMethod.ACK) {
            Server invite = servers.get(branch + " INVITE");
            if (invite != null && invite.status >= 300) {
                invite.acknowledged = true;
            } else if (leg != null) {
                checkOrder(view);
                leg.acknowledged(view.cseqNumber());
            }
            return;
        }
        String key = branch + " " + view.methodText();
        Server known = servers.get(key);
        if (known != null) {
            if (!known.last.isEmpty()) {
                sendOnce(known.last, from);
            }
            return;
        }
        checkOrder(view);
        Server server = new Server(request, from);
        servers.put(key, server);
        if (view.method() == SipMethod.CANCEL) {
            Server invite = servers.get(branch + " INVITE");
            server.answer(invite == null ? 481 : 200, "c", () -> {});
            SimLeg called = invite == null ? null : legOf(invite);
            if (called != null) {
                called.cancelled();
            }
        } else if (leg != null) {
            leg.request(server, view);
        } else if (view.method() == SipMethod.INVITE && view.toTag().isEmpty()) {
            SimLeg called = SimLeg.called(this, server);
            add(called);
            incoming.accept(called, server);
        } else {
            server.answer(481, "x", () -> {});
        }
    }

    private @Nullable SimLeg legOf(Server invite) {
        return legs.stream().filter(leg -> leg.invite == invite).findFirst().orElse(null);
    }
}
