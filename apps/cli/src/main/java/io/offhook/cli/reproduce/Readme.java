package io.offhook.cli.reproduce;

import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of README.txt: what is in the folder, and what was not taken over. */
final class Readme {
    private Readme() {}

    /** @param more what else is to be said, each a paragraph */
    static String of(ReproducedCall original, CallLeg leg, Reproduction scenario, long longestNs, List<String> more) {
        StringBuilder text = new StringBuilder();
        text.append("A call of a capture, to be played again by sipp (https://sipp.sourceforge.net).\n\n");
        text.append("Call-ID: ").append(Text.printable(leg.callId())).append('\n');
        text.append("Leg: ")
                .append(original.chosen() + 1)
                .append(" of ")
                .append(original.legs().size())
                .append('\n');
        for (int i = 0; i < original.legs().size(); i++) {
            text.append(i == original.chosen() ? "  * " : "    ")
                    .append(i + 1)
                    .append("  ")
                    .append(original.legs().get(i).summary())
                    .append('\n');
        }
        text.append("Messages: ").append(Comparison.kinds(leg)).append("\n\n");
        text.append(String.format(
                Locale.ROOT,
                """
                sh run.sh plays it, within %d s, on loopback. Other addresses and ports: CALLER_IP, CALLEE_IP, CALLER_PORT,
                CALLEE_PORT, CALLER_MEDIA_PORT, CALLEE_MEDIA_PORT in the environment. Each script can also be run alone,
                against another party: the messages that it waits for are those of the capture, in their order. caller.xml
                and callee.xml are the scripts%s.

                """,
                scenario.mostSeconds(),
                scenario.playsMedia() ? "; the pcap files are what they play, which needs root" : ""));
        text.append("What differs from the capture:\n");
        notes(original, leg, scenario, longestNs)
                .forEach(note -> text.append("- ").append(note).append('\n'));
        more.forEach(note -> text.append("- ").append(note).append('\n'));
        return text.toString();
    }

    /** What was not taken over, a sentence each. */
    static List<String> notes(ReproducedCall original, CallLeg leg, Reproduction scenario, long longestNs) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "Call-ID, tags, branches, and the addresses in Via, Contact and SDP are new in each run; From and To have"
                        + " new addresses where they had those of the two parties.");
        notes.add("Retransmissions are not messages of their own: sipp repeats over UDP what is not answered.");
        if (original.legs().size() > 1) {
            notes.add("Only one leg is played, as if its two hosts called each other; --leg chooses another.");
        }
        if (leg.leftOut() > 0) {
            notes.add(Words.count(leg.leftOut(), "message")
                    + " left out: without From, To or CSeq, or responses to requests that were not captured.");
        }
        headers(leg, notes);
        String transport = leg.transport().name();
        if (!transport.equals(scenario.isTcp() ? "TCP" : "UDP")) {
            notes.add("The call was over " + transport + "; it is played over " + (scenario.isTcp() ? "TCP." : "UDP."));
        }
        if (longestNs < Long.MAX_VALUE) {
            notes.add("Pauses between messages are no longer than " + Decimals.text(longestNs / 1e9, 3)
                    + " s; media in the rest of them is left out.");
        }
        media(original, scenario, notes);
        return notes;
    }

    private static void headers(CallLeg leg, List<String> notes) {
        boolean hasCredentials = false;
        boolean hasRoute = false;
        boolean hasNul = false;
        SipMessageView view = new SipMessageView();
        for (LegMessage message : leg.messages()) {
            byte[] bytes = message.kept().bytes();
            view.wrap(bytes, 0, bytes.length);
            hasCredentials |=
                    view.find(SipHeader.AUTHORIZATION, 0) >= 0 || view.find(SipHeader.PROXY_AUTHORIZATION, 0) >= 0;
            hasNul |= SippText.ofOctets(bytes, 0, view.bodyOffset()).indexOf(0) >= 0;
            int via = view.find(SipHeader.VIA, 0);
            hasRoute |= view.find(SipHeader.ROUTE, 0) >= 0
                    || view.find(SipHeader.RECORD_ROUTE, 0) >= 0
                    || via >= 0 && view.find(SipHeader.VIA, via + 1) >= 0;
        }
        if (hasCredentials) {
            notes.add("Credentials are those of the capture: they answer its challenge, and no other one.");
        }
        if (hasNul) {
            notes.add("Octets 0 in headers are sent as blanks, since sipp reads no header behind them.");
        }
        if (hasRoute) {
            notes.add("Route, Record-Route and the Via lines of other hosts are left out.");
        }
    }

    private static void media(ReproducedCall original, Reproduction scenario, List<String> notes) {
        MediaTracks media = original.media();
        if (media.streams() > 0) {
            notes.add(
                    "RTP is played as captured, from the first packet of each side on; RTCP, STUN, DTLS handshakes and fax"
                            + " (T.38) are not.");
        } else if (!original.call().streams().isEmpty()) {
            notes.add("No media is played.");
        }
        if (media.streams() > 0 && media.elsewhere() > 0) {
            notes.add(Words.count(media.elsewhere(), "RTP stream") + " of the call not of this leg.");
        }
        long leftOut = scenario.callerTrack().leftOut() + scenario.calleeTrack().leftOut();
        if (leftOut > 0) {
            notes.add(Words.count(leftOut, "RTP packet")
                    + " not played: longer than sipp can send, before the first message, or in a pause that was cut.");
        }
        long padded = media.caller().padded() + media.callee().padded();
        if (padded > 0) {
            notes.add(Words.count(padded, "RTP packet") + " cut by the snap length, filled up with zeros.");
        }
    }
}
