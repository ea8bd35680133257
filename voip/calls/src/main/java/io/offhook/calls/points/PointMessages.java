package io.offhook.calls.points;

import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The SIP messages of one point: what is needed to find them again at another one. Give it to the analysis of the
 * capture as its listener. Single-threaded.
 */
public final class PointMessages implements SipListener {
    /** The most messages kept, some 200 bytes each; retransmissions do not count. */
    public static final int MOST = 500_000;

    /** Of a Call-ID; what is longer, as no phone makes it, is cut. */
    private static final int MOST_CHARACTERS = 256;

    private final int most;
    private final Map<Long, PointMessage> byHop = new HashMap<>();
    private final Map<Long, List<PointMessage>> dialogs = new HashMap<>();
    private final Map<String, String> kinds = new HashMap<>();
    private final PlacedCount leftOut = new PlacedCount();

    /** Creates an empty list. */
    public PointMessages() {
        this(MOST);
    }

    PointMessages(int most) {
        this.most = most;
    }

    @Override
    public void message(SipMessageView message, SipPacket packet, Copy copy) {
        long callId = message.callIdHash();
        if (copy == Copy.MIRRORED || callId == 0 || message.cseqNumber() < 0) {
            return;
        }
        long dialogKey = PointMessage.mix(
                callId, message.cseqNumber(), kind(message).hashCode(), message.fromTagHash(), message.toTagHash());
        long hopKey = PointMessage.mix(dialogKey, message.topViaBranchHash());
        PointMessage known = byHop.get(hopKey);
        if (known != null) {
            known.transmissions++;
            known.lastNs = packet.timestampNs();
        } else if (byHop.size() >= most) {
            leftOut.add(packet.frameNumber(), packet.timestampNs());
        } else {
            List<PointMessage> dialog = dialogs.computeIfAbsent(callId, _ -> new ArrayList<>(8));
            PointMessage added = new PointMessage(
                    new PointMessage.Identity(
                            dialog.isEmpty() ? cut(message.callId()) : dialog.getFirst().callId,
                            kind(message),
                            message.cseqNumber(),
                            message.isRequest(),
                            isHopByHop(message),
                            hopKey,
                            dialogKey),
                    packet.timestampNs(),
                    packet.frameNumber(),
                    packet.source(),
                    packet.destination());
            byHop.put(hopKey, added);
            dialog.add(added);
        }
    }

    private String kind(SipMessageView message) {
        String kind =
                message.isRequest() ? message.methodText() : message.statusCode() + " " + message.cseqMethodText();
        String cut = cut(kind);
        if (kinds.size() < MOST_CHARACTERS) {
            return kinds.computeIfAbsent(cut, text -> text);
        }
        return kinds.getOrDefault(cut, cut);
    }

    private static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }

    /**
     * CANCEL and its response, 100, and the ACK of a refusal go from hop to hop (RFC 3261, 16.7, 16.10 and 17.1.1.3), and
     * that ACK looks like any other; a proxy may challenge or give up by itself.
     */
    private static boolean isHopByHop(SipMessageView message) {
        int status = message.statusCode();
        return message.cseqMethod() == SipMethod.CANCEL
                || message.cseqMethod() == SipMethod.ACK
                || status == 100
                || status == 407
                || status == 408
                || status == 487;
    }

    /** The messages of each Call-ID, by the hash of it, in the order of capture. */
    Map<Long, List<PointMessage>> dialogs() {
        return dialogs;
    }

    /** Messages beyond the limit. */
    public PlacedCount leftOut() {
        return leftOut;
    }
}
