package io.offhook.sip.proxy;

import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.ProxyScene.Received;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One end of a call in a simulation: the dialog of one user agent. */
final class SimLeg {
    final SimAgent agent;
    final String callId;
    final String localTag;
    final boolean isCaller;
    SimAgent.@Nullable Server invite;
    String remoteTag = "";
    boolean answered;
    boolean ended;
    /** The final status of a call that was not answered. */
    int status;
    /** What happens once the call is up. */
    Runnable confirmed = () -> {};

    private String target;
    private List<String> routes = new ArrayList<>();
    private long cseq;
    private String inviteText = "";
    private String inviteTo = "";
    private boolean rings;
    private boolean wantsCancel;
    private boolean hasCancelled;
    private boolean hasConfirmed;
    private boolean hasHungUp;
    private boolean reInvites;
    private SimAgent.@Nullable Server unacknowledged;
    private long unacknowledgedCseq;
    private final Map<String, String> acks = new HashMap<>();

    private SimLeg(SimAgent agent, String callId, String localTag, boolean isCaller, String target) {
        this.agent = agent;
        this.callId = callId;
        this.localTag = localTag;
        this.isCaller = isCaller;
        this.target = target;
    }

    // the caller

    static SimLeg call(SimAgent agent, String callId, String target, String proxy) {
        SimLeg leg = new SimLeg(agent, callId, agent.newTag(), true, target);
        leg.routes.add("<sip:" + proxy + ";lr>");
        agent.add(leg);
        leg.cseq = 1;
        leg.inviteText = leg.text("INVITE", 1);
        leg.inviteTo = leg.nextHop();
        agent.send(leg.inviteText, leg.inviteTo, leg::invited);
        return leg;
    }

    private void invited(@Nullable Received response) {
        if (response == null) {
            failed(408);
            return;
        }
        SipMessageView view = response.view();
        if (view.statusCode() >= 300) {
            failed(view.statusCode());
        } else if (view.statusCode() < 200) {
            rings = true;
            cancelIfWanted();
        } else if (!answered && !ended) {
            answered = true;
            establish(response, view);
            acknowledge(response, 1);
            if (wantsCancel) {
                hangUp();
            } else {
                confirmed.run();
            }
        } else if (view.toTag().equals(remoteTag) && answered) {
            acknowledge(response, 1);
        } else {
            // another callee has answered, too, or one after the failure
            SimLeg other = agent.legs.stream()
                    .filter(leg -> leg.callId.equals(callId) && leg.remoteTag.equals(view.toTag()))
                    .findFirst()
                    .orElseGet(() -> late(response, view));
            other.acknowledge(response, 1);
            other.hangUp();
        }
    }

    private SimLeg late(Received response, SipMessageView view) {
        SimLeg leg = new SimLeg(agent, callId, localTag, true, target);
        leg.cseq = 1;
        leg.answered = true;
        leg.establish(response, view);
        agent.legs.add(leg);
        return leg;
    }

    private void establish(Received response, SipMessageView view) {
        remoteTag = view.toTag();
        target = view.contactUri();
        routes = new ArrayList<>(response.values(SipHeader.RECORD_ROUTE).reversed());
    }

    private void acknowledge(Received response, long number) {
        String ack = acks.computeIfAbsent(response.view().toTag() + number, key -> text("ACK", number));
        agent.sendOnce(ack, nextHop());
    }

    private void failed(int code) {
        if (!answered && !ended) {
            status = code;
            ended = true;
        }
    }

    /** Gives up, if the call is not answered before. */
    void cancel() {
        if (answered || ended || wantsCancel) {
            return;
        }
        wantsCancel = true;
        cancelIfWanted();
        // 9.1: a UAC gives up 64 T1 after the CANCEL
        agent.network.after(2 * SimAgent.TIMEOUT + 8_000, () -> failed(487));
    }

    private void cancelIfWanted() {
        if (wantsCancel && rings && !hasCancelled && !answered && !ended) {
            hasCancelled = true;
            String text = inviteText
                    .replaceFirst("^INVITE ", "CANCEL ")
                    .replaceFirst("1 INVITE", "1 CANCEL")
                    .replaceFirst("X-Order: [^\r]*", agent.stamp(callId));
            agent.send(text, inviteTo, response -> {});
        }
    }

    // the callee

    static SimLeg called(SimAgent agent, SimAgent.Server server) {
        SipMessageView view = server.request.view();
        SimLeg leg = new SimLeg(agent, view.callId(), agent.newTag(), false, view.contactUri());
        leg.invite = server;
        leg.remoteTag = view.fromTag();
        leg.routes = server.request.values(SipHeader.RECORD_ROUTE);
        return leg;
    }

    /** Answers the INVITE, unless it was before. */
    void answer(int code) {
        SimAgent.Server server = invite;
        if (server == null || server.status >= 200) {
            return;
        }
        if (code < 200) {
            server.answer(code, localTag, () -> {});
        } else if (code < 300) {
            answered = true;
            expectAck(server);
        } else {
            status = code;
            ended = true;
            server.answer(code, localTag, () -> {});
        }
    }

    private void expectAck(SimAgent.Server server) {
        unacknowledged = server;
        unacknowledgedCseq = server.request.view().cseqNumber();
        server.answer(200, localTag, this::hangUp);
    }

    void acknowledged(long number) {
        SimAgent.Server server = unacknowledged;
        if (server != null && number == unacknowledgedCseq) {
            server.acknowledged = true;
            unacknowledged = null;
            if (!hasConfirmed) {
                hasConfirmed = true;
                confirmed.run();
            }
        }
    }

    void cancelled() {
        answer(487);
    }

    // both

    void hangUp() {
        if (!hasHungUp && !ended) {
            hasHungUp = true;
            agent.send(text("BYE", ++cseq), nextHop(), response -> ended = true);
        }
    }

    void reInvite() {
        if (ended || hasHungUp || reInvites || unacknowledged != null) {
            return;
        }
        reInvites = true;
        long number = ++cseq;
        agent.send(text("INVITE", number), nextHop(), response -> {
            if (response == null) {
                hangUp();
            } else if (response.view().statusCode() >= 200) {
                reInvites = false;
                if (response.view().statusCode() < 300) {
                    acknowledge(response, number);
                }
            }
        });
    }

    /** A request in the dialog. */
    void request(SimAgent.Server server, SipMessageView view) {
        if (view.method() == SipMethod.BYE) {
            server.answer(200, localTag, () -> {});
            ended = true;
            if (unacknowledged != null) {
                unacknowledged.acknowledged = true;
            }
        } else if (view.method() != SipMethod.INVITE) {
            server.answer(200, localTag, () -> {});
        } else if (ended) {
            server.answer(481, localTag, () -> {});
        } else if (reInvites || unacknowledged != null) {
            server.answer(491, localTag, () -> {});
        } else {
            expectAck(server);
        }
    }

    private String text(String method, long number) {
        StringBuilder out = new StringBuilder(method + " " + target + " SIP/2.0\r\n");
        out.append("Via: SIP/2.0/UDP ")
                .append(agent.address)
                .append(";rport;branch=")
                .append(agent.newBranch());
        out.append("\r\nMax-Forwards: 70\r\n");
        routes.forEach(route -> out.append("Route: ").append(route).append("\r\n"));
        out.append("From: <sip:")
                .append(agent.address)
                .append(">;tag=")
                .append(localTag)
                .append("\r\n");
        out.append("To: <sip:other@example.com>").append(remoteTag.isEmpty() ? "" : ";tag=" + remoteTag);
        out.append("\r\nCall-ID: ")
                .append(callId)
                .append("\r\nCSeq: ")
                .append(number)
                .append(' ')
                .append(method);
        out.append("\r\nContact: <sip:").append(agent.address).append(">\r\n").append(agent.stamp(callId));
        return out.append("\r\nContent-Length: 0\r\n\r\n").toString();
    }

    private String nextHop() {
        String uri = routes.isEmpty() ? target : routes.getFirst().replaceAll("[<>]", "");
        SipUri parsed = SipUri.parse(uri);
        return parsed.host() + ":" + parsed.port();
    }

    @Override
    public String toString() {
        return (isCaller ? "caller " : "callee ") + agent.address + " of " + callId + ", answered " + answered
                + ", ended " + ended + ", status " + status + ", remote " + remoteTag + ", local " + localTag;
    }
}
