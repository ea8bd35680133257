package io.offhook.proxy.stream;

import io.offhook.sip.stream.SipStreamFramer;
import io.offhook.sip.stream.SipStreamUnit;
import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SIP on a TCP or TLS connection: framing, keep-alives, and what becomes of faults. */
final class StreamConnection implements ConnectionHandler {
    private final SipConnections connections;
    private final StreamFlow flow;
    private final SipStreamFramer framer;
    private final PeerCheck peerCheck;
    private boolean isFaulty;

    StreamConnection(SipConnections connections, StreamFlow flow, PeerCheck peerCheck) {
        this.connections = connections;
        this.flow = flow;
        this.peerCheck = peerCheck;
        framer = new SipStreamFramer(connections.limits());
    }

    @Override
    public boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
        flow.prove(peerCheck.names(chain));
        return peerCheck.accepts(flow.certifiedNames());
    }

    @Override
    public void opened(Connection connection) {
        flow.on(connection);
        connections.opened(flow);
    }

    @Override
    public int received(Connection connection, byte[] octets, int offset, int length) {
        int end = offset + length;
        int at = offset;
        while (!isFaulty) {
            SipStreamUnit unit = framer.next(octets, at, end - at);
            switch (unit) {
                case INCOMPLETE -> {
                    return at - offset;
                }
                case MESSAGE -> connections.message(octets, at, framer.length(), flow);
                case PING -> connections.ping(flow);
                case PONG -> connections.pong(flow);
                case FAULT -> fault(octets, at);
            }
            at += framer.length();
        }
        return length; // what follows a fault is nothing
    }

    private void fault(byte[] octets, int at) {
        isFaulty = true;
        if (framer.fault().hasHeaders()) {
            byte[] reply = FaultReply.of(octets, at, framer.length(), framer.fault());
            if (reply != null && flow.send(reply, 0, reply.length)) {
                connections.add(StreamCounter.FAULTS_ANSWERED);
            }
        }
        flow.closeAfterSending();
        connections.fault(flow, framer.fault());
    }

    @Override
    public void drained(Connection connection) {
        flow.forgetSent();
    }

    @Override
    public void closed(Connection connection, CloseCause cause, @Nullable String detail) {
        flow.on(connection);
        connections.closed(flow, cause, detail);
    }
}
